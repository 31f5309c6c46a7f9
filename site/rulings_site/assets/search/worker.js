/* The engine answers messages, in a worker where there is one and in the page itself where there is none (from a
   disk). A message is {id, kind, ...}; the answer {id, value} or {id, error}. */
(function () {
  RS.handle = async function (message) {
    try {
      return { id: message.id, value: await handle(message) };
    } catch (error) {
      if (error instanceof RS.QueryError) return { id: message.id, error: { message: error.message, query: error.query, column: error.column, hint: error.hint, kind: "query" } };
      return { id: message.id, error: { message: String(error.message || error), kind: "fault" } };
    }
  };
  async function handle(message) {
    if (message.kind === "configure") RS.configure(message.options);
    if (message.kind === "configure" || message.kind === "put") {
      (message.coming || []).forEach(RS.comes);
      message.shards.forEach(function (shard) { RS.put(...shard); RS.came(shard[0]); });
      if (message.gone) RS.came(message.gone);
      // Read while the shards of a question are on their way.
      if (message.kind === "put" && RS.has("each")) { RS.lengths(); RS.cardCounts(); }
      return null;
    }
    if (message.kind === "forget") { RS.forget(); return null; }
    if (!RS.has("start")) await RS.load(["start"]);
    if (RS.empty) throw new Error("this copy of the site has no search data");
    const options = message.options || {};
    switch (message.kind) {
      case "search": return RS.settle(function () { return RS.answer(message.text, options); });
      case "facets": return RS.settle(function () { return RS.facets(message.text, options); });
      case "typed": return RS.settle(function () { return RS.typed(message.text, options.limit || 6); });
      case "nearly": return RS.settle(function () { return RS.typedNearly(message.text, options.limit || 6); });
      case "warm": return null;
    }
    throw new Error("no such message: " + message.kind);
  }
  if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) {
    self.onmessage = function (event) { RS.handle(event.data).then(function (answer) { self.postMessage(answer); }); };
  }
})();
