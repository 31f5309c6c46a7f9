/* The order of hits, in whole numbers: rulings/language/ranking.py and search/rank.py told again. No product here
   reaches 2^53, so that doubles are exact, and a quotient is rounded down as Python's // does. */
(function () {
  const div = function (a, b) { return Math.floor(a / b); };
  RS.impact = function (times, length) {
    const rules = RS.tables.ranking.impact;
    return div(times * rules.top, times * 1000 + rules.saturation + rules.length * length);
  };
  function shared(cards, named) {
    const w = RS.tables.ranking, log = w.shared_log[Math.min(cards, w.shared_log.length - 1)];
    return div(w.shared * log * (1000 - named), 1000);
  }
  /** document -> {sure, self}: the surest of the named cards it stands on, and whether the ruling names its card. */
  RS.namedDocuments = function (question) {
    const found = new Map();
    for (const [n, sure] of question.cards) {
      const card = question.known.get(n);
      card.docs.forEach(function (doc, i) {
        const before = found.get(doc);
        if (!before || sure > before.sure) found.set(doc, { sure: sure, self: card.self[i] });
      });
    }
    return found;
  };
  /** The documents of the named cards that have this word in their name: there it says nothing. */
  function ownDocuments(question, term) {
    const found = new Set();
    for (const n of question.cards.keys()) {
      const card = question.known.get(n);
      if (RS.nameStems(card.name).includes(term)) for (const doc of card.docs) found.add(doc);
    }
    return found;
  }
  /** Where two to four cards are named for sure: what a ruling on one says of what the others do. The impacts are
      computed from the texts, which are about to be shown anyway, instead of from some forty more shards. */
  function oraclePoints(question) {
    const w = RS.tables.ranking, limits = w.oracle, points = new Map();
    const sure = Array.from(question.cards).filter(function (pair) { return pair[1] >= limits.sure; }).map(function (pair) { return pair[0]; });
    if (sure.length < 2 || sure.length > limits.cards) return points;
    const docs = function (card) { return question.known.get(card).docs; };
    RS.want([].concat(...sure.map(function (card) { return [RS.oracleTermShard(card)].concat(docs(card).map(RS.textShard)); })));
    for (const other of sure) {
      for (const [term, idf] of RS.oracleTerms(other)) {
        for (const card of sure) {
          if (card === other) continue;
          for (const n of docs(card)) {
            const impact = impactsOf(n).get(term);
            if (impact) points.set(n, (points.get(n) || 0) + w.weight.oracle * idf * impact);
          }
        }
      }
    }
    return points;
  }
  /** The impacts of the stems and concepts of a document, from its wordings. */
  function impactsOf(n) {
    return RS.once("impacts " + n, function () {
      const found = new Map();
      for (const [factor, text] of RS.wordings(n)) {
        const tokens = RS.tokenize(text), counts = new Map(), exact = tokens.filter(function (t) { return !t.joined; });
        for (const t of tokens) { const s = RS.stem(t.text); counts.set(s, (counts.get(s) || 0) + 1); }
        for (const c of RS.conceptsInRuling(exact.map(function (t) { return RS.stem(t.text); }))) counts.set("#" + c.key, 1);
        for (const [term, times] of counts) {
          const here = div(RS.impact(times, exact.length) * factor, 4);
          if (here > (found.get(term) || 0)) found.set(term, here);
        }
      }
      return found;
    });
  }
  /** Scores of all documents that the question touches, or of `only`: an array with -1 for the rest. */
  RS.score = function (question, only) {
    const w = RS.tables.ranking, size = RS.size(), totals = new Float64Array(size), scores = new Float64Array(size).fill(-1);
    const named = RS.namedDocuments(question), counts = RS.cardCounts();
    RS.want(question.terms.map(function (pair) { return RS.termShard(pair[0]); }));
    for (const [term, kind] of question.terms) {
      const posting = RS.posting(term), factor = w.weight[kind] * posting.idf, docs = posting.docs, impacts = posting.impacts;
      const own = kind === "name" ? ownDocuments(question, term) : null;
      for (let i = 0; i < docs.length; i++) if (!own || !own.has(docs[i])) totals[docs[i]] += factor * impacts[i];
    }
    for (const [n, points] of oraclePoints(question)) totals[n] += points;
    let surest = 0;
    for (const entry of named.values()) surest = Math.max(surest, entry.sure);
    for (let n = 0; n < size; n++) {
      const entry = named.get(n);
      if (only ? !only[n] : !(totals[n] || entry)) continue;
      let total = totals[n] + shared(counts[n], surest);
      if (entry && entry.sure) {
        total += div(w.card * entry.sure, 1000);
        if (entry.self) total += div(w.self * entry.sure, 1000);
      }
      if (RS.isSuperseded(n)) total = div(total * w.superseded, 1000);
      scores[n] = div(total, w.score_unit);
    }
    return scores;
  };
  /** The documents in order; equal scores newest first, then by id: which is how documents are numbered. */
  RS.best = function (numbers, scores, limit) {
    if (limit !== undefined && numbers.length > limit) {
      const least = Float64Array.from(numbers, function (n) { return scores[n]; }).sort()[numbers.length - limit];
      numbers = numbers.filter(function (n) { return scores[n] >= least; });
    }
    const order = Uint32Array.from(numbers);
    return Array.from(order.sort(function (a, b) { return scores[b] - scores[a] || a - b; })).slice(0, limit);
  };
})();
