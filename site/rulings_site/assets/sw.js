/* Keeps what was seen, so that a page opens again without a network. Newest first where there is one. */
"use strict";
const BUILD = "@BUILD@";
const PAGES = "pages";
const SHELL = ["./", "search/", "assets/style.css", "assets/theme.js", "assets/app.js", "assets/names.js", "assets/text.js",
  "assets/results.js", "assets/symbols.js", "assets/icon.svg", "manifest.webmanifest"];

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
self.addEventListener("fetch", (event) => {
  const request = event.request;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith((async () => {
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
      if (request.mode === "navigate") {
        const start = await caches.match(new URL("./", self.location.href).href);
        if (start) return start;
      }
      throw error;
    }
  })());
});
