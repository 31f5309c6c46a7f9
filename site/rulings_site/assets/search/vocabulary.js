/* Synonyms and slang: rulings/language/vocabulary.py told again. */
(function () {
  let ready = null;
  function tables() {
    if (ready) return ready;
    const rulings = new Map(), questions = new Map(), slang = new Set(), same = new Set(), homes = new Map();
    const add = function (table, parts, key) {
      const found = table.get(parts[0]) || [];
      if (!found.some(function (entry) { return entry.key === key && entry.parts.join(" ") === parts.join(" "); })) found.push({ parts: parts, key: key });
      table.set(parts[0], found);
    };
    const split = function (wordings) { return wordings.split("|").filter(Boolean).map(function (wording) { return wording.split(" "); }); };
    for (const [key, equal, terms, asked] of RS.tables.concepts) {
      if (equal) same.add(key);
      const home = split(terms).find(function (parts) { return parts.length === 1; });
      if (home) homes.set("#" + key, home[0]);
      for (const parts of split(terms)) { add(rulings, parts, key); add(questions, parts, key); if (parts.length === 1) slang.add(parts[0]); }
      for (const parts of split(asked)) { add(questions, parts, key); if (parts.length === 1) slang.add(parts[0]); }
    }
    ready = { rulings: rulings, questions: questions, slang: slang, same: same, homes: homes, light: new Set(RS.tables.light.split(" ")), ordinary: new Set(RS.tables.ordinary.split(" ")) };
    return ready;
  }
  function find(table, stems) {
    const out = [];
    stems.forEach(function (first, i) {
      for (const entry of table.get(first) || []) {
        const n = entry.parts.length;
        if (entry.parts.every(function (part, j) { return stems[i + j] === part; })) out.push({ key: entry.key, first: i, length: n });
      }
    });
    return out;
  }
  RS.conceptsInQuestion = function (stems) { return find(tables().questions, stems); };
  RS.conceptsInRuling = function (stems) { return find(tables().rulings, stems); };
  /** The concepts that stand for one word: those it is slang for, and those of the same meaning. */
  RS.conceptsOfWord = function (stem) {
    const one = function (table) { return (table.get(stem) || []).filter(function (e) { return e.parts.length === 1; }).map(function (e) { return e.key; }); };
    const written = one(tables().rulings);
    return one(tables().questions).filter(function (key) { return !written.includes(key) || tables().same.has(key); });
  };
  /** The word in whose shard a concept lies: the first that says it alone. */
  RS.homeOf = function (term) { return tables().homes.get(term) || term; };
  RS.isSlang = function (stem) { return tables().slang.has(stem); };
  RS.isLight = function (stem) { return tables().light.has(stem); };
  RS.isOrdinary = function (stem) { return tables().ordinary.has(stem) || tables().light.has(stem); };
})();
