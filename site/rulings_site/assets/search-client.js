/* The page's side of the search: starts the engine in a worker, or in the page where there is none (from a disk), and
   asks it. The engine and the start data come as scripts, so that both ways read the same files. */
(function () {
  "use strict";
  var Rulings = window.Rulings;
  if (Rulings.ask) return;

  function absolute(path) { return new URL(Rulings.root + path, location.href).href; }
  function need(ready, path) { return ready() ? Promise.resolve() : Rulings.load(path); }
  var started = null;
  function start() {
    if (!started) {
      started = Promise.all([
        need(function () { return window.RulingsEngine; }, "search/engine.js"),
        need(function () { return Rulings.early; }, "search/data/start.js")
      ]).then(function () {
        var engine = (Rulings.served && inWorker()) || inPage();
        return engine({ kind: "configure", options: { root: absolute("search/data/"), served: Rulings.served }, start: Rulings.early }).then(function () { return engine; });
      });
      started.catch(function () { started = null; });
    }
    return started;
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

  /** Asks the engine: `kind` is search, facets, typed, nearly or warm. A fault is an Error; one of the query has
      `column` and `hint`. */
  Rulings.ask = function (kind, text, options) {
    return start().then(function (engine) { return engine({ kind: kind, text: text, options: options || {} }); }).then(function (answer) {
      if (!answer.error) return answer.value;
      var error = new Error(answer.error.message);
      Object.assign(error, answer.error);
      throw error;
    });
  };
})();
