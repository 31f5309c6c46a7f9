/* How a query was understood, in one English sentence: the end of rulings/language/query.py told again. */
(function () {
  const FIELD_WORDS = {
    card: "on the card {}", topic: "with the topic {}", source: "from the source {}", id: "with the id {}", set: "on cards of the set {}",
    type: "on cards of the type {}", status: "with the status {}", oracle: "on cards whose Oracle text has {}",
    "is:shared": "shared by two cards or more", "is:variant": "with more than one wording", "is:undated": "without a date", "is:damaged": "with damage that is still open"
  };
  function list(items, joint) { return items.length === 1 ? items[0] : items.slice(0, -1).join(", ") + " " + joint + " " + items[items.length - 1]; }
  function clause(node) {
    if (node.kind === "and") return node.nodes.map(group).join(" and ");
    if (node.kind === "or") return "either " + node.nodes.map(group).join(" or ");
    if (node.kind === "not") return "not " + group(node.node);
    return leaf(node);
  }
  function group(node) { const text = clause(node); return node.kind === "and" || node.kind === "or" ? "(" + text + ")" : text; }
  function say(node) {
    if (node.kind === "word") return node.text;
    if (node.kind === "compound") return node.joined === null ? node.parts.join("") : node.parts.join("-");
    return clause(node);
  }
  function leaf(node) {
    switch (node.kind) {
      case "word": case "compound": return "with " + say(node);
      case "phrase": return "with exactly “" + node.tokens.join(" ") + "”";
      case "near": return "with " + list(node.tokens, "and") + " at most " + node.distance + " words apart";
      case "wild": return "with a word like " + node.pattern;
      case "fuzzy": return "with a word spelt like " + node.text + " (up to " + node.edits + " letters apart)";
      case "pattern": return "matching the pattern /" + node.source + "/";
      case "own": return "naming the card they stand on";
      case "rule": return "on rule " + node.number + (node.alone ? " alone" : " or its subrules");
      case "field": return FIELD_WORDS[node.field === "is" ? "is:" + node.value : node.field].replace("{}", function () { return node.value; });
      case "date":
        if (node.field === "as-of") return "published by " + node.high;
        if (node.low && node.high) return node.low === node.high ? "dated " + node.low : "dated " + node.low + " to " + node.high;
        return node.low ? "dated " + node.low + " or later" : "dated " + node.high + " or earlier";
      default: {
        if (node.low !== null && node.low === node.high) return "on exactly " + node.low + " cards";
        const parts = [];
        if (node.low !== null) parts.push("at least " + node.low);
        if (node.high !== null) parts.push("at most " + node.high);
        return "on " + list(parts, "and") + " cards";
      }
    }
  }
  RS.explain = function (query) {
    let text;
    if (query.plain) {
      const words = (query.root.kind === "and" ? query.root.nodes : [query.root]).map(say);
      text = words.length > 1 ? "rulings about " + list(words, "and") : "rulings with " + words[0];
    } else text = "rulings " + clause(query.root);
    return [text[0].toUpperCase() + text.slice(1)].concat(query.notes).join(". ") + ".";
  };
})();
