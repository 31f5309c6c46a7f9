/* Synonyms and slang: rulings/language/vocabulary.py told again. */
(function () {
  const known = new Map();
  /** The wordings that begin with a stem: [{parts, key, asked}]; an `asked` one stands in questions only. */
  function beginningWith(first) {
    let found = known.get(first);
    if (found === undefined) {
      const all = RS.tables.wordings, said = Object.prototype.hasOwnProperty.call(all, first) ? all[first] : "";
      found = said.split("|").filter(Boolean).map(function (wording) {
        const parts = wording.split(" "), concept = parts[0], asked = concept.endsWith("?");
        parts[0] = first;
        return { parts: parts, key: RS.tables.concepts[parseInt(concept, 10)][0], asked: asked, home: parts.find(function (part) { return !RS.isLight(part); }) };
      });
      known.set(first, found);
    }
    return found;
  }
  function find(stems, asking) {
    const out = [];
    stems.forEach(function (first, i) {
      const seen = new Set();
      for (const entry of beginningWith(first)) {
        const n = entry.parts.length;
        // A wording may be among both kinds of one concept.
        const once = entry.key + " " + n;
        if ((asking || !entry.asked) && !seen.has(once) && entry.parts.every(function (part, j) { return stems[i + j] === part; })) {
          seen.add(once);
          if (asking) note(entry);
          out.push({ key: entry.key, first: i, length: n });
        }
      }
    });
    return out;
  }
  RS.conceptsInQuestion = function (stems) { return find(stems, true); };
  RS.conceptsInRuling = function (stems) { return find(stems, false); };
  /** The concepts that stand for one word: those it is slang for, and those of the same meaning. */
  RS.conceptsOfWord = function (stem) {
    const alone = beginningWith(stem).filter(function (entry) { return entry.parts.length === 1; });
    const keys = new Set(alone.map(function (entry) { note(entry); return entry.key; }));
    const written = new Set(alone.filter(function (entry) { return !entry.asked; }).map(function (entry) { return entry.key; }));
    return Array.from(keys).filter(function (key) { return !written.has(key) || isSame(key); });
  };
  function isSame(key) { return RS.once("same concepts", function () { return new Set(RS.tables.concepts.filter(function (c) { return c[1]; }).map(function (c) { return c[0]; })); }).has(key); }
  // Most concepts lie with each word that a wording of theirs begins with: a question finds them in what it asks for.
  const home = new Map();
  function note(entry) { if (entry.home) home.set("#" + entry.key, entry.home); }
  function isSpread(term) {
    return RS.once("spread", function () { return new Set(RS.rising(RS.shard("start").spread).map(function (n) { return "#" + RS.tables.concepts[n][0]; })); }).has(term);
  }
  /** A word in whose shard a term lies. */
  RS.homeOf = function (term) {
    if (term[0] !== "#") return term;
    if (home.has(term) && isSpread(term)) return home.get(term);
    return RS.once("homes", function () { return new Map(RS.tables.concepts.filter(function (c) { return c[2]; }).map(function (c) { return ["#" + c[0], c[2]]; })); }).get(term) || term;
  };
  RS.isSlang = function (stem) { return beginningWith(stem).some(function (entry) { return entry.parts.length === 1; }); };
  function wordSet(name) { return RS.once(name, function () { return new Set(RS.tables[name].split(" ")); }); }
  RS.isLight = function (stem) { return wordSet("light").has(stem); };
  RS.isOrdinary = function (stem) { return wordSet("ordinary").has(stem) || RS.isLight(stem); };
})();
