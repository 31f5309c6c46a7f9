/* The button that keeps everything needed to search on this device. What is kept is one build: all of it or none. */
(function () {
  "use strict";
  var Rulings = window.Rulings;
  var row = document.querySelector(".offline");
  if (!row || !Rulings.served || !("caches" in window) || !("serviceWorker" in navigator)) return;
  var button = row.querySelector("[data-offline]"), said = row.querySelector("[data-offline-state]"), bar = row.querySelector("[data-offline-progress]");
  var KEPT = "search-kept", NEXT = "search-next", AT_ONCE = 6;
  var here = new URL(Rulings.root || "./", location.href);
  var listed = new URL("search/files.json", here).href;
  var size = function (bytes) { return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0) + " MB"; };
  row.hidden = false;

  function list() {
    return fetch(listed, { cache: "no-cache" }).then(function (answer) {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    });
  }
  function kept() {
    return caches.open(KEPT).then(function (cache) { return cache.match(listed); }).then(function (found) { return found ? found.json() : null; });
  }
  /** Fetches all into a cache of its own and then puts that in the place of the old one. */
  function keep(files) {
    var done = 0, names = files.files.slice();
    bar.hidden = false;
    bar.max = names.length;
    button.disabled = true;
    return caches.delete(NEXT).then(function () { return caches.open(NEXT); }).then(function (cache) {
      function one() {
        var name = names.pop();
        if (name === undefined) return Promise.resolve();
        var url = new URL(name, here);
        if (/^search\/data\//.test(name) && name !== "search/data/start.js") url.search = "?v=" + (/data\/(?:s\/|each)/.test(name) ? files.arranged : files.numbering);
        return fetch(url.href, { cache: "no-cache" }).then(function (answer) {
          if (!answer.ok) throw new Error(name);
          return cache.put(url.href, answer);
        }).then(function () {
          bar.value = ++done;
          if (done % 50 === 0) said.textContent = "Saving: " + Math.round(100 * done / files.files.length) + " %.";
          return one();
        });
      }
      var lanes = [];
      for (var i = 0; i < AT_ONCE; i++) lanes.push(one());
      return Promise.all(lanes).then(function () { return cache.put(listed, new Response(JSON.stringify(files), { headers: { "content-type": "application/json" } })); });
    }).then(function () { return copy(); }).then(function () {
      if (navigator.storage && navigator.storage.persist) navigator.storage.persist();
    });
  }
  /** Caches cannot be renamed: the list goes first and comes last, so that half a copy is never taken for whole. */
  function copy() {
    return caches.delete(KEPT).then(function () { return Promise.all([caches.open(NEXT), caches.open(KEPT)]); }).then(function (both) {
      return both[0].keys().then(function (requests) {
        var rest = requests.filter(function (request) { return request.url !== listed; });
        var step = function (at) {
          if (at >= rest.length) return both[0].match(listed).then(function (answer) { return both[1].put(listed, answer); });
          return Promise.all(rest.slice(at, at + 50).map(function (request) {
            return both[0].match(request).then(function (answer) { return both[1].put(request, answer); });
          })).then(function () { return step(at + 50); });
        };
        return step(0);
      });
    }).then(function () { return caches.delete(NEXT); });
  }
  function rest(text, action) {
    bar.hidden = true;
    said.textContent = text;
    button.textContent = action;
    button.disabled = false;
  }
  function save(files) {
    return keep(files).then(function () {
      rest("Saved on this device, " + size(files.bytes) + ". Search works without a network.", "Remove");
      Rulings.announce("Saved for offline");
    }, function () {
      rest("Could not save all of it. What was saved before is still there.", "Try again");
      return caches.delete(NEXT);
    });
  }
  function look() {
    Promise.all([kept(), list().catch(function () { return null; })]).then(function (both) {
      var old = both[0], now = both[1];
      if (!old) {
        if (now) rest("Everything needed to search, " + size(now.bytes) + ".", "Save for offline"); else rest("Not saved on this device.", "Save for offline");
      } else if (now && now.content !== old.content) {
        said.textContent = "A newer base is there: saving it.";
        save(now);
      } else rest("Saved on this device, " + size(old.bytes) + ". Search works without a network.", "Remove");
    });
  }
  button.addEventListener("click", function () {
    button.disabled = true;
    kept().then(function (old) {
      if (old && button.textContent === "Remove") return caches.delete(KEPT).then(look);
      return list().then(save, function () { rest("There is no network.", "Try again"); });
    });
  });
  look();
})();
