/* Synonyms and slang: rulings/language/vocabulary.py told again. */
(function () {
  let ready = null;
  function tables() {
    if (ready) return ready;
    const rulings = new Map(), questions = new Map(), slang = new Set();
    const add = function (table, wording, key) {
      const parts = RS.words(wording).map(RS.stem);
      if (!parts.length) return;
      const found = table.get(parts[0]) || [];
      if (!found.some(function (entry) { return entry.key === key && entry.parts.join(" ") === parts.join(" "); })) found.push({ parts: parts, key: key });
      table.set(parts[0], found);
    };
    for (const [key, terms, asked] of RS.tables.concepts) {
      for (const wording of terms) { add(rulings, wording, key); add(questions, wording, key); }
      for (const wording of asked) add(questions, wording, key);
      for (const wording of terms.concat(asked)) {
        const parts = RS.words(wording);
        if (parts.length === 1) slang.add(RS.stem(parts[0]));
      }
    }
    ready = { rulings: rulings, questions: questions, slang: slang, light: new Set(RS.tables.light.map(RS.stem)), ordinary: new Set(RS.tables.ordinary.map(RS.stem)) };
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
  RS.conceptsOfWord = function (stem) {
    return (tables().questions.get(stem) || []).filter(function (e) { return e.parts.length === 1; }).map(function (e) { return e.key; });
  };
  RS.isSlang = function (stem) { return tables().slang.has(stem); };
  RS.isLight = function (stem) { return tables().light.has(stem); };
  RS.isOrdinary = function (stem) { return tables().ordinary.has(stem) || tables().light.has(stem); };
})();
