/* Card names while a person types: three letters of any word of a name, then the rest; else a name spelt nearly so. */
(function () {
  const fold = function (text) { return RS.loose(text).replace(/[^\p{L}\p{N}]+/gu, ""); };
  RS.foldName = fold;
  /** The words of a name, each with all that follows it, as type-ahead compares them. */
  function tails(name) {
    const parts = RS.loose(name).replace(/['’]/g, "").split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    return parts.map(function (_, i) { return parts.slice(i).join(""); });
  }
  function entriesFor(key) {
    const start = Array.from(key).slice(0, 3).join(""), shard = RS.shard(RS.shardOf("y", start));
    return Object.prototype.hasOwnProperty.call(shard, start) ? shard[start] : [];
  }
  /** What is called so as a topic or a keyword is more likely asked about than a card that is spelt like it. */
  function isTopic(key) {
    return RS.once("topic names", function () { return new Set([].concat(...Object.entries(RS.titles())).map(fold)); }).has(key);
  }
  function isKeyword(key) { return RS.isKeyword("@" + RS.words(key).map(RS.stem).join("")); }
  /** `opens`: whether Enter may open the card before a person chose it. */
  function row(entry, rank, matched, opens) {
    const name = entry[1] || entry[0];
    return { opens: opens, name: name, also: entry[1] ? entry[0] : "", rulings: entry[2], cost: entry[3], slug: RS.slug(name), page: !(RS.compact() && !entry[2]), rank: rank, matched: matched };
  }
  /** Up to `limit` cards whose names begin so, or have a word that does. One row a card. */
  RS.typed = function (text, limit) {
    const key = fold(text);
    if (Array.from(key).length < 3) return [];
    RS.want([RS.shardOf("y", Array.from(key).slice(0, 3).join("")), "f/titles"]);
    const found = new Map(), opens = !isTopic(key);
    for (const entry of entriesFor(key)) {
      const at = tails(entry[0]).findIndex(function (tail) { return tail.startsWith(key); });
      if (at < 0) continue;
      // The English name, of a face too; a word of it; then names it has or had elsewhere.
      const english = !entry[1] || entry[1].split(" // ").includes(entry[0]);
      const here = row(entry, english ? (at ? 1 : 0) : (at ? 3 : 2), at, opens);
      const before = found.get(here.name);
      if (!before || here.rank < before.rank) found.set(here.name, here);
    }
    return Array.from(found.values()).sort(function (a, b) {
      const exact = function (r) { return fold(r.also || r.name) === key ? 0 : 1; };
      return exact(a) - exact(b) || Math.min(a.rank, 2) - Math.min(b.rank, 2) || b.rulings - a.rulings || RS.byText(a.name, b.name);
    }).slice(0, limit);
  };
  /** Cards whose name, or its beginning, is spelt nearly so: asked for only where `typed` finds nothing. */
  RS.typedNearly = function (text, limit) {
    const key = fold(text);
    if (key.length < 4) return [];
    const edits = key.length < 8 ? 1 : 2, all = RS.allNames(), found = [];
    const folded = RS.once("folded names", function () { return all.names.map(function (entry) { return fold(entry.name); }); });
    folded.forEach(function (name, at) {
      let d = edits + 1;
      for (let cut = key.length - edits; cut <= key.length + edits; cut++) if (cut <= name.length) d = Math.min(d, RS.distance(key, name.slice(0, cut), edits));
      if (d <= edits) found.push([d + (Math.abs(name.length - key.length) <= edits ? 0 : 0.5), at]);
    });
    found.sort(function (a, b) { return a[0] - b[0] || folded[a[1]].length - folded[b[1]].length || a[1] - b[1]; });
    const names = [...new Set(found.slice(0, limit * 3).map(function (pair) { return all.full.get(all.names[pair[1]].card); }))].slice(0, limit);
    RS.want(names.map(function (name) { return RS.shardOf("y", Array.from(tails(name)[0] || fold(name)).slice(0, 3).join("")); }).concat(["f/titles"]));
    const opens = !isTopic(key) && !isKeyword(text);
    return names.map(function (name) {
      const entry = entriesFor(tails(name)[0] || fold(name)).find(function (e) { return e[0] === name; });
      return row(entry || [name, 0, 0, ""], 4, -1, opens);
    });
  };
})();
