/* Small behaviours of every page. The site works without any of them. */
(function () {
  "use strict";
  var html = document.documentElement;
  var root = html.dataset.root || "";
  var served = location.protocol === "http:" || location.protocol === "https:";
  var Rulings = Object.assign(window.Rulings = window.Rulings || {}, { root: root, served: served });
  var $ = function (selector, from) { return (from || document).querySelector(selector); };
  var $$ = function (selector, from) { return Array.prototype.slice.call((from || document).querySelectorAll(selector)); };

  /** Words for a screen reader. */
  Rulings.announce = function (text) {
    var live = $("#live");
    if (!live) return;
    live.textContent = "";
    setTimeout(function () { live.textContent = text; }, 50);
  };

  /** Loads one of our scripts, once. Scripts rather than data, so that a copy on a disk works. */
  var loading = {}, version = (/[?].*$/.exec(document.currentScript.src) || [""])[0];
  Rulings.load = function (path) {
    var own = !loading[path] && $$("script[src]").filter(function (script) { return script.getAttribute("src").split("?")[0] === root + path; })[0];
    if (own) {
      // The page itself has it. Only the engine of the search comes when it comes.
      loading[path] = new Promise(function (resolve, reject) {
        if (own.async && !Rulings.ask) { own.addEventListener("load", function () { resolve(); }); own.addEventListener("error", reject); }
        else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", function () { resolve(); });
        else resolve();
      });
    }
    if (!loading[path]) {
      loading[path] = new Promise(function (resolve, reject) {
        var script = document.createElement("script");
        script.src = root + path + (/^assets\/|^search\/engine/.test(path) ? version : "");
        script.onload = function () { resolve(); };
        script.onerror = function () { delete loading[path]; reject(new Error(path)); };
        document.head.appendChild(script);
      });
    }
    return loading[path];
  };

  /** Scripts that came in another one. */
  Rulings.have = function (paths) { paths.forEach(function (path) { loading[path] = Promise.resolve(); }); };

  /** 12,345. What browsers have for it reads tables of a language first, which a phone feels. */
  Rulings.number = function (n) { return String(n).replace(/\B(?=(?:\d{3})+$)/g, ","); };

  /** A link of ours: pages are folders on a server, files on a disk. */
  Rulings.href = function (path) {
    return root + (served ? path.replace(/index\.html(?=$|[?#])/, "") : path) || "./";
  };

  function store(key, value) {
    try {
      if (value === undefined) return localStorage.getItem(key);
      if (value === "") localStorage.removeItem(key); else localStorage.setItem(key, value);
    } catch (e) { /* no storage */ }
    return null;
  }
  Rulings.store = store;

  // Addresses without index.html where a server adds it.
  if (served) {
    $$("a[href], form[action]").forEach(function (node) {
      var name = node.tagName === "FORM" ? "action" : "href";
      var value = node.getAttribute(name);
      if (/^[^:]*index\.html(?:$|[?#])/.test(value)) {
        node.setAttribute(name, value.replace(/index\.html(?=$|[?#])/, "") || "./");
      }
    });
    if (/\/index\.html$/.test(location.pathname)) {
      history.replaceState(history.state, "", location.pathname.replace(/index\.html$/, "") + location.search + location.hash);
    }
  }

  // A ruling on a further page of a card that has very many. Whoever was led here already is not sent back.
  if (/^#r-[0-9a-z]{8,10}$/.test(location.hash) && $(".pager") && !document.getElementById(location.hash.slice(1)) && !/\/r\/(index\.html)?$/.test(document.referrer)) {
    location.replace(Rulings.href("r/index.html") + location.hash);
  }

  // How old this copy is.
  var asof = $(".asof time");
  if (asof) {
    var days = Math.floor((Date.now() - Date.parse(asof.dateTime)) / 86400000);
    if (days >= 0) {
      Rulings.days = days;
      $(".asof .age").textContent = ", " + (days === 0 ? "today" : days === 1 ? "1 day old" : Rulings.number(days) + " days old");
      var dot = $(".asof .dot");
      dot.classList.add(days > 90 ? "old" : "fresh");
    }
    if (navigator.onLine === false) {
      $(".asof .age").textContent = ", offline";
    }
  }

  // Light or dark.
  var scheme = $("#scheme");
  if (scheme) {
    scheme.closest("p").hidden = false;
    scheme.value = html.dataset.scheme || "";
    scheme.addEventListener("change", function () {
      if (scheme.value) html.dataset.scheme = scheme.value; else delete html.dataset.scheme;
      store("scheme", scheme.value);
    });
  }

  // Keys.
  function visibleSearch() {
    return $$("input[type=search]").filter(function (input) { return input.offsetParent !== null; })[0];
  }
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
      var input = visibleSearch();
      if (input) { event.preventDefault(); input.focus(); input.select(); }
    } else if (event.key === "Escape" && shown()) {
      event.preventDefault();
      closeShown();
    }
  });

  // Show to player: the address names the text; the rest of the page steps back.
  var back = null;
  function shown() {
    var id = decodeURIComponent(location.hash.slice(1));
    return id.indexOf("show-") === 0 ? document.getElementById(id) : null;
  }
  function closeShown() {
    if (back !== null) { history.back(); } else {
      var id = location.hash.slice(6);
      location.hash = document.getElementById(id) ? id : "main";
    }
  }
  function onShown() {
    var node = shown();
    $$("[inert]").forEach(function (other) { other.inert = false; });
    html.classList.remove("turned");
    $$("[data-turn]").forEach(function (button) { button.hidden = false; button.setAttribute("aria-pressed", "false"); });
    if (!node) { if (back) { back.focus(); back = null; } return; }
    for (var at = node; at && at !== document.body; at = at.parentElement) {
      Array.prototype.forEach.call(at.parentElement.children, function (other) {
        if (other !== at && !other.classList.contains("showbar") && other.id !== "live") other.inert = true;
      });
    }
    var close = $("[data-close]");
    if (close) close.focus();
  }
  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest("a[href^='#show-']");
    if (link) back = link;
    if (event.target.closest && event.target.closest("[data-close]")) { event.preventDefault(); closeShown(); }
    var turn = event.target.closest && event.target.closest("[data-turn]");
    if (turn) turn.setAttribute("aria-pressed", String(html.classList.toggle("turned")));
  });
  addEventListener("hashchange", onShown);
  onShown();

  // The cite menu of this page; cite.js fills it.
  var menu = $("#cite");
  if (menu) {
    var opener = $("[data-cite]");
    var open = function (yes) {
      menu.classList.toggle("open", yes);
      opener.setAttribute("aria-expanded", String(yes));
    };
    opener.setAttribute("role", "button");
    open(location.hash === "#cite");
    opener.addEventListener("click", function (event) {
      event.preventDefault();
      open(!menu.classList.contains("open"));
    });
    addEventListener("hashchange", function () { if (location.hash === "#cite") open(true); });
  }
  function escapeHtml(text) {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#x27;");
  }
  Rulings.escapeHtml = escapeHtml;
  if (menu || $("[data-cite-of]")) Rulings.load("assets/cite.js").catch(function () { /* the strings stay to be selected */ });

  // Cards that were opened lately, for the start page of this device.
  var card = /\/card\/([a-z0-9-]+)\/(?:index\.html)?$/.exec(location.pathname);
  var title = $("h1.title");
  if (card && title) {
    var kept = JSON.parse(store("recent") || "[]").filter(function (entry) { return entry[0] !== card[1]; });
    kept.unshift([card[1], title.textContent]);
    store("recent", JSON.stringify(kept.slice(0, 5)));
  }
  var recent = $(".recent");
  if (recent) {
    JSON.parse(store("recent") || "[]").forEach(function (entry) {
      var item = document.createElement("li");
      var link = document.createElement("a");
      link.href = Rulings.href("card/" + entry[0] + "/index.html");
      link.textContent = entry[1];
      item.appendChild(link);
      $("ul", recent).appendChild(item);
      recent.hidden = false;
    });
  }

  // Card names while typing: on a device of one's own, the first letters load them.
  $$("input[type=search]").forEach(function (input) {
    var once = function () {
      input.removeEventListener("focus", once);
      input.removeEventListener("input", once);
      // A load that is cut off by leaving the page is no fault.
      Promise.all([Rulings.load("assets/symbols.js"), Rulings.load("assets/names.js")])
        .then(function () { Rulings.names(input); }, function () { /* the form still works */ });
    };
    input.addEventListener("input", once);
    input.addEventListener("focus", once);
  });

  // Offline.
  if ("serviceWorker" in navigator && served) {
    navigator.serviceWorker.register(root + "sw.js").catch(function () { /* not on this host */ });
    if ($("[data-offline]")) Rulings.load("assets/search-offline.js");
  }
})();
