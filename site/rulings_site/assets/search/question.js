/* What a query asks for: search/question.py told again. */
(function () {
  const LONGEST_KEYWORD = 3, LETTERS_ONLY = /^\p{L}+$/u;

  /** {terms: [[term, class]], cards, known, onlyNames, mended, spans}. */
  RS.understand = function (query) {
    let tokens = [];
    for (const [start, end] of RS.looseSpans(query)) {
      tokens = tokens.concat(RS.tokenize(query.text.slice(start, end)).map(function (t) {
        return { text: t.text, start: t.start + start, end: t.end + start, position: t.position, joined: t.joined };
      }));
    }
    const plain = tokens.filter(function (t) { return !t.joined; });
    let stems = plain.map(function (t) { return RS.stem(t.text); });
    foresee(query, tokens, plain, stems);
    const mended = mend(plain, stems);
    stems = mended.stems;
    const named = RS.recognise(plain, stems, query.text);
    const terms = new Map();
    const order = { light: 0, name: 1, word: 2 };
    stems.forEach(function (word, i) {
      const kind = named.used.has(i) ? "name" : RS.isLight(word) ? "light" : "word";
      if (!terms.has(word) || order[kind] < order[terms.get(word)]) terms.set(word, kind);
    });
    const add = function (term, kind) { if (!terms.has(term)) terms.set(term, kind); };
    for (const token of tokens) if (token.joined) add(RS.stem(token.text), "word");
    for (const concept of RS.conceptsInQuestion(stems)) {
      let inside = true;
      for (let i = concept.first; i < concept.first + concept.length; i++) inside = inside && named.used.has(i);
      if (!inside) add("#" + concept.key, "concept");
    }
    for (let length = 1; length <= LONGEST_KEYWORD; length++) {
      for (let i = 0; i + length <= stems.length; i++) {
        if (length === 1 && RS.isLight(stems[i])) continue;
        const term = "@" + stems.slice(i, i + length).join("");
        if (RS.isKeyword(term)) add(term, "keyword");
      }
    }
    for (const [leaf, negated] of RS.leaves(query.root)) {
      if (negated || RS.isLoose(leaf)) continue;
      if (leaf.kind === "phrase" || leaf.kind === "near") {
        for (const word of leaf.tokens) add(RS.stem(word), RS.isLight(RS.stem(word)) ? "light" : "word");
      } else if (leaf.kind === "rule") add(leaf.number, "word");
      else if (leaf.kind === "fuzzy") add(RS.stem(leaf.text), "word");
    }
    const heavy = Array.from(terms).filter(function (pair) { return pair[1] !== "light"; });
    return {
      terms: heavy.length ? heavy : Array.from(terms),
      cards: named.cards, known: named.known, mended: mended.pairs, spans: named.spans,
      onlyNames: named.cards.size > 0 && plain.length > 0 && stems.every(function (s, i) { return named.used.has(i) || RS.isLight(s); })
    };
  };

  /** Asks at once for all that can be told beforehand, so that a question costs two rounds of fetching, not ten. */
  function foresee(query, tokens, plain, stems) {
    let asked = tokens.map(function (t) { return RS.stem(t.text); });
    const weighty = asked.filter(function (s) { return !RS.isLight(s); });
    if (query.plain && weighty.length) asked = weighty;
    const terms = new Set(asked);
    for (const stem of asked) for (const key of RS.conceptsOfWord(stem)) terms.add("#" + key);
    for (const concept of RS.conceptsInQuestion(stems)) terms.add("#" + concept.key);
    for (let length = 1; length <= LONGEST_KEYWORD; length++) {
      for (let i = 0; i + length <= stems.length; i++) {
        const term = "@" + stems.slice(i, i + length).join("");
        if (RS.isKeyword(term)) terms.add(term);
      }
    }
    for (const [leaf] of RS.leaves(query.root)) {
      for (const word of leaf.tokens || leaf.parts || []) terms.add(RS.stem(word));
    }
    // What is known of names comes after the engine; the shards of terms need not wait for it.
    const names = function () { return RS.nameShards(plain, stems, query.text); };
    if (!RS.has("each")) RS.load(["each"]).then(function () { return RS.load(names()); }).catch(function () { /* asked for again below */ });
    const shards = Array.from(terms, function (term) { return [term, RS.termShard(term)]; });
    const came = function (name) { for (const [term, shard] of shards) if (shard === name) RS.posting(term); };
    RS.want(shards.map(function (pair) { return pair[1]; }).concat(RS.has("each") ? names() : ["each"], RS.engineShards(query)), came);
  }

  /** Words that neither rulings nor names nor slang know are read as the nearest known one. */
  function mend(plain, stems) {
    const found = stems.slice(), pairs = [];
    plain.forEach(function (token, i) {
      const known = stems[i];
      if (token.text.length < 5 || RS.isLight(known) || RS.isSlang(known)) return;
      if (RS.frequency(known) || !LETTERS_ONLY.test(token.text) || RS.withWord(known).count || RS.called(known).length) return;
      if (RS.conceptsInQuestion(stems).some(function (c) { return c.first === i && c.length > 1; })) return;
      const near = RS.nearestWord(token.text);
      if (near) { found[i] = RS.stem(near); pairs.push([token.text, near]); }
    });
    return { stems: found, pairs: pairs };
  }
})();
