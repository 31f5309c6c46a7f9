/* The page's side of the search: starts the engine in a worker, or in the page where there is none (from a disk), and
   asks it. Engine, start data and this come as one script, the first one of the search page, which asks at once for
   what the address asks for: the rest of the page comes while the data does. */
(function () {
  "use strict";
  var Rulings = (window.Rulings = window.Rulings || {});
  var script = document.currentScript, served = /^https?:$/.test(location.protocol);
  var engine = null, ahead = null;
  // Shards that the page brings, in whatever order its scripts come: what is pushed before the engine starts waits here.
  var given = (window.RulingsGiven = window.RulingsGiven || []);

  function started() {
    if (!engine) {
      var way = (served && inWorker()) || inPage();
      var coming = document.readyState !== "complete" && document.querySelector("script[data-each]") && !given.some(function (shard) { return shard[0] === "each"; });
      engine = way({ kind: "configure", options: { root: new URL("data/", script.src).href, served: served }, shards: given, coming: coming ? ["each"] : [] }).then(function () { return way; });
      given.push = function (shard) { way({ kind: "put", shards: [shard] }); };
      // Then every script of the page has come, or never will.
      if (coming) addEventListener("load", function () { way({ kind: "put", shards: [], gone: "each" }); });
    }
    return engine;
  }
  function inWorker() {
    if (typeof Worker === "undefined") return null;
    var worker, waiting = {}, count = 0;
    try {
      var source = new Blob(["(" + window.RulingsEngine + ")()"], { type: "text/javascript" });
      worker = new Worker(URL.createObjectURL(source));
    } catch (error) { return null; }
    worker.onmessage = function (event) {
      var done = waiting[event.data.id];
      delete waiting[event.data.id];
      done(event.data);
    };
    return function (message) {
      message.id = ++count;
      return new Promise(function (resolve) { waiting[message.id] = resolve; worker.postMessage(message); });
    };
  }
  function inPage() {
    window.RulingsEngine();
    var count = 0;
    return function (message) { message.id = ++count; return window.RS.handle(message); };
  }
  function answer(message) {
    return started().then(function (way) { return way(message); });
  }

  /** Asks the engine: `kind` is search, facets, typed, nearly or warm. A fault is an Error; one of the query has
      `column` and `hint`. */
  Rulings.ask = function (kind, text, options) {
    var message = { kind: kind, text: text, options: options || {} }, said = JSON.stringify(message), before = ahead;
    ahead = null;
    return (before && before.said === said ? before.answer : answer(message)).then(function (found) {
      if (!found.error) return found.value;
      var error = new Error(found.error.message);
      Object.assign(error, found.error);
      throw error;
    });
  };

  /** The last line of this file gives the start data. */
  Rulings.begin = function (data) {
    given.unshift(data);
    var text = (new URLSearchParams(location.search).get("q") || "").trim();
    if (script.dataset.ask === undefined || !text) return;
    // As results.js asks without filters; if it asks for something else, nothing is lost but what was fetched.
    var message = { kind: "search", text: text, options: { limit: 10, filters: [], sort: "relevance", plain: false } };
    ahead = { said: JSON.stringify(message), answer: answer(message) };
  };
})();
