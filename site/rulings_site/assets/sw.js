/* Keeps what was seen, so that a page opens again without a network. Newest first where there is one. What a person
   saved for searching without a network (search-offline.js) is one build and is never mixed with another. */
"use strict";
const BUILD = "@BUILD@";
const PAGES = "pages";
const KEPT = "search-kept";
const SEEN = "search-seen-";
const SHELL = ["./", "search/", "assets/style.css", "assets/theme.js", "assets/app.js", "assets/names.js", "assets/text.js",
  "search/page.js", "assets/symbols.js", "assets/icon.svg", "manifest.webmanifest"];
const DATA = new URL("search/data/", self.location.href).href;
const START = new URL("search/data/start.js", self.location.href).href;
const ENGINE = new URL("search/engine.js", self.location.href).href;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open("shell-" + BUILD).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("shell-") && name !== "shell-" + BUILD) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

/** One address for one page: without index.html and without the query that only marks a version. */
function plain(request) {
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/index\.html$/, "");
  url.search = "";
  url.hash = "";
  return url.href;
}
/** Search data. A shard belongs to the numbering in its address: one that was saved or seen is right for ever. Start
    data and engine are new where they can be, and without a network both are the saved ones. */
async function data(request) {
  const saved = await caches.open(KEPT);
  const shard = request.url.startsWith(DATA) && !request.url.startsWith(START) && new URL(request.url).search !== "";
  const kept = await saved.match(shard ? request.url : plain(request)) || await caches.match(request.url);
  if (shard && kept) return kept;
  try {
    // A browser may hold an older engine to be fresh; beside what was saved later it would search the base before.
    const fresh = await fetch(request, kept ? { cache: "no-cache" } : {});
    if (fresh.ok && request.url.startsWith(DATA)) await see(request.url, fresh.clone());
    return fresh;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
let numbering = "";
/** Remembers what was asked for; of another numbering nothing is kept. */
async function see(url, answer) {
  const now = url.startsWith(START)
    ? (/^RS\.put\("start","([^"]*)"/.exec(await answer.clone().text()) || ["", "none"])[1]
    : new URL(url).searchParams.get("v").slice(0, 8);
  if (now !== numbering) {
    for (const name of await caches.keys()) if (name.startsWith(SEEN) && name !== SEEN + now) await caches.delete(name);
    numbering = now;
  }
  await (await caches.open(SEEN + now)).put(url, answer);
}
async function page(request) {
  const key = plain(request);
  try {
    const fresh = await fetch(request);
    if (fresh.ok && fresh.type === "basic") {
      const cache = await caches.open(PAGES);
      await cache.put(key, fresh.clone());
    }
    return fresh;
  } catch (error) {
    const kept = await caches.match(key);
    if (kept) return kept;
    const next = request.mode === "navigate" && instead(key);
    if (next && next !== key && await caches.match(plain({ url: next }))) return Response.redirect(next);
    throw error;
  }
}
/** Where a person goes on from a page that is not saved. Another address: on this one the links of its page would lead
    nowhere. */
function instead(key) {
  const home = new URL("./", self.location.href).href;
  const [kind, name] = key.slice(home.length).split("/");
  const asked = !name ? "" : kind === "card" ? name.replace(/-/g, " ") : kind === "r" ? "id:" + name : "";
  return asked ? home + "search/?q=" + asked.replace(/ /g, "%20") : home;
}
self.addEventListener("fetch", (event) => {
  const request = event.request;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(request.url.startsWith(DATA) || request.url.startsWith(ENGINE) ? data(request) : page(request));
});
