/* The order of hits, in whole numbers: rulings/language/ranking.py and search/rank.py told again. No product here
   reaches 2^53, so that doubles are exact, and a quotient is rounded down as Python's // does. */
(function () {
  const LIKELY = 10;
  const MOST = 1 << 22;  // more documents than there will be; scores are far below 2^31
  const div = function (a, b) { return Math.floor(a / b); };
  RS.impact = function (times, length) {
    const rules = RS.tables.ranking.impact;
    return div(times * rules.top, times * 1000 + rules.saturation + rules.length * length);
  };
  /** What being on so many cards is worth, by their number. */
  function sharedBy(named) {
    const w = RS.tables.ranking;
    return w.shared_log.map(function (log) { return div(w.shared * log * (1000 - named), 1000); });
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
  /** The cards named for sure, where they are two to four. */
  function sureCards(question) {
    const limits = RS.tables.ranking.oracle;
    const sure = Array.from(question.cards).filter(function (pair) { return pair[1] >= limits.sure; }).map(function (pair) { return pair[0]; });
    return sure.length < 2 || sure.length > limits.cards ? [] : sure;
  }
  function oracleShards(question, sure) {
    return [].concat(...sure.map(function (card) { return [RS.oracleTermShard(card)].concat(question.known.get(card).docs.map(RS.textShard)); }));
  }
  /** For these cards: what a ruling on one says of what the others do. The impacts are
      computed from the texts, which are about to be shown anyway, instead of from some forty more shards. */
  function oraclePoints(question, sure) {
    const w = RS.tables.ranking, points = new Map();
    const docs = function (card) { return question.known.get(card).docs; };
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
  /** {scores, touched}: the documents that the question touches (with their scores; -1 for the rest), or the numbers
      `only` with theirs. */
  RS.score = function (question, only) {
    const w = RS.tables.ranking, size = RS.size(), totals = new Float64Array(size), scores = new Float64Array(size).fill(-1), touched = [];
    const named = RS.namedDocuments(question), counts = RS.cardCounts(), superseded = RS.superseded();
    RS.want(question.terms.map(function (pair) { return RS.termShard(pair[0]); }));
    for (const [term, kind] of question.terms) {
      const posting = RS.posting(term), factor = w.weight[kind] * posting.idf, docs = posting.docs, impacts = posting.impacts;
      const own = kind === "name" ? ownDocuments(question, term) : null;
      for (let i = 0; i < docs.length; i++) if (!own || !own.has(docs[i])) { if (!totals[docs[i]]) touched.push(docs[i]); totals[docs[i]] += factor * impacts[i]; }
    }
    const sure = sureCards(question), asked = oracleShards(question, sure).filter(function (name) { return !RS.has(name); });
    if (!asked.length) for (const [n, points] of oraclePoints(question, sure)) { touched.push(n); totals[n] += points; }
    const found = [];
    let surest = 0;
    for (const entry of named.values()) surest = Math.max(surest, entry.sure);
    const shared = sharedBy(surest), most = shared.length - 1;
    for (const n of only || touched.concat(Array.from(named.keys()))) {
      const entry = named.size ? named.get(n) : undefined;
      if (scores[n] >= 0 || !(only || totals[n] || entry)) continue;
      let total = totals[n] + shared[Math.min(counts[n], most)];
      if (entry && entry.sure) {
        total += div(w.card * entry.sure, 1000);
        if (entry.self) total += div(w.self * entry.sure, 1000);
      }
      if (superseded[n]) total = div(total * w.superseded, 1000);
      scores[n] = div(total, w.score_unit);
      found.push(n);
    }
    // In the same round what will most likely be shown, whatever the points are.
    if (asked.length) RS.want(asked.concat(RS.best(found, scores, LIKELY).map(RS.textShard)));
    return { scores: scores, touched: found };
  };
  /** The documents in order; equal scores newest first, then by id: which is how documents are numbered. */
  RS.best = function (numbers, scores, limit) {
    // Score and number as one number: a comparison in our own code costs a phone more than all the rest.
    const keys = new Float64Array(numbers.length), end = limit === undefined ? 0 : Math.max(0, numbers.length - limit), order = [];
    for (let i = 0; i < keys.length; i++) keys[i] = scores[numbers[i]] * MOST + MOST - 1 - numbers[i];
    keys.sort();
    for (let i = keys.length - 1; i >= end; i--) order.push(MOST - 1 - keys[i] % MOST);
    return order;
  };
})();
