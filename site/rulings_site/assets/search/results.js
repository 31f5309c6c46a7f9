/* A page of hits: search/results.py told again. */
(function () {
  const FACETS = ["topic", "year", "source", "type", "section"], FACET_VALUES = 50, OLD = 20121231, SURE_CARD = 500, OPENS = 900;

  /** The answer to a query, as data; throws QueryError. `options`: limit, offset, sort, plain. */
  RS.answer = function (text, options) {
    const limit = options.limit === undefined ? 10 : options.limit, offset = options.offset || 0, sort = options.sort || "relevance";
    const query = read(text, options), question = understood(text, options, query);
    const found = listing(text, options, query, question), order = ordered(text, options, query, question, sort);
    const shown = order.slice(offset, offset + limit);
    const mark = RS.highlighter(query, question);
    const names = Array.from(question.cards).sort(function (a, b) { return b[1] - a[1] || a[0] - b[0]; }).map(function (pair) { return question.known.get(pair[0]); });
    const lacking = query.plain ? wantedTerms(query) : [];
    const made = RS.lately("hits " + name(text, options), function () { return new Map(); });
    const make = function (n) { if (!made.has(n)) made.set(n, hit(n, found.scores[n], mark, names, lacking)); };
    RS.want(shown.map(RS.textShard), function (shard) { for (const n of shown) if (RS.textShard(n) === shard) make(n); });
    shown.forEach(make);
    const hits = shown.map(function (n) { return Object.assign({}, made.get(n)); });
    const nothing = !found.numbers.length;
    return {
      query: text, reading: reading(query, question), plain: query.plain, total: order.length, offset: offset, limit: limit, sort: sort,
      allWords: found.allWords, asked: lacking.length, closest: found.closest, card: oneCard(question), cardSlug: RS.slug(oneCard(question) || ""), cards: names.slice(0, 10).map(function (c) { return c.name; }),
      hits: withAge(hits), mended: question.mended,
      relaxed: nothing && !query.plain ? RS.withoutOne(query) : [],
      suggestions: nothing || question.mended.length ? RS.suggestions(query, question) : [],
      listed: found.numbers.length, compact: RS.compact()
    };
  };
  function name(text, options) { return (options.plain ? "= " : "? ") + text; }
  function read(text, options) { return RS.lately("read " + name(text, options), function () { return options.plain ? RS.asWords(text) : RS.parse(text); }); }
  function understood(text, options, query) { return RS.lately("understood " + name(text, options), function () { return RS.understand(query); }); }
  function listing(text, options, query, question) { return RS.lately("listed " + name(text, options), function () { return listed(query, question); }); }
  function ordered(text, options, query, question, sort) {
    const filters = options.filters || [];
    return RS.lately("order " + sort + " " + JSON.stringify(filters) + name(text, options), function () {
      const found = listing(text, options, query, question);
      return arrange({ numbers: filtered(found.numbers, filters), scores: found.scores }, sort);
    });
  }
  /** What is left where facets were chosen: [[facet, label]]. Filters change neither the reading nor the order. */
  function filtered(numbers, filters) {
    for (const [facet, label] of filters) {
      if (facet === "on") { const counts = RS.cardCounts(); numbers = numbers.filter(function (n) { return (counts[n] > 1) === (label === "several"); }); continue; }
      if (!FACETS.includes(facet)) continue;
      const list = RS.listOf(facet), wanted = list.labels.indexOf(label);
      numbers = numbers.filter(function (n) { for (let i = list.starts[n]; i < list.starts[n + 1]; i++) if (list.members[i] === wanted) return true; return false; });
    }
    return numbers;
  }
  RS.wantedStems = function (query) {
    const found = [];
    for (const [leaf] of RS.leaves(query.root)) {
      if (leaf.kind === "word") found.push(RS.stem(leaf.text));
      else if (leaf.kind === "compound") found.push(...leaf.parts.map(RS.stem));
    }
    const heavy = [...new Set(found.filter(function (w) { return !RS.isLight(w); }))];
    return heavy.length ? heavy : [...new Set(found)];
  };
  /** The words of a plain question as typed, each with the terms that stand for it: for saying what a hit lacks. */
  function wantedTerms(query) {
    const wanted = new Set(RS.wantedStems(query)), out = [], seen = new Set();
    for (const [leaf] of RS.leaves(query.root)) {
      for (const word of leaf.kind === "word" ? [leaf.text] : leaf.parts || []) {
        const stem = RS.stem(word);
        if (wanted.has(stem) && !seen.has(stem)) { seen.add(stem); out.push([word, RS.wordTerms(stem)]); }
      }
    }
    return out;
  }
  function listed(query, question) {
    if (!query.plain) {
      const set = RS.find(query);
      const numbers = RS.members(set);
      return { numbers: numbers, scores: RS.score(question, numbers).scores, allWords: null, closest: null };
    }
    const readAs = new Map(question.mended.map(function (pair) { return [RS.stem(pair[0]), RS.stem(pair[1])]; }));
    const words = RS.wantedStems(query).map(function (word) { return readAs.get(word) || word; });
    // With light words beside it ("what is energy"), or spelt right, only the one word is asked for.
    const alone = words.length === 1 && query.root.kind !== "and" && !readAs.size;
    const holding = alone ? RS.find(query) : RS.holding(words);
    const scored = RS.score(question, null), scores = scored.scores, all = RS.copyOf(holding), ranking = RS.tables.ranking;
    for (const [n, entry] of RS.namedDocuments(question)) if (entry.sure >= SURE_CARD) all[n] = 1;
    if (words.length > 1 || (question.cards.size && !RS.members(all).length)) {
      let highest = 0;
      for (const n of scored.touched) if (scores[n] > highest) highest = scores[n];
      const least = Math.floor(highest * ranking.tail / 1000);
      for (const n of RS.best(scored.touched.filter(function (n) { return scores[n] >= least; }), scores, ranking.candidates)) all[n] = 1;
    }
    const numbers = RS.members(all), missing = numbers.filter(function (n) { return scores[n] < 0; });
    if (missing.length) { const more = RS.score(question, missing).scores; for (const n of missing) scores[n] = more[n]; }
    const held = RS.countOf(holding);
    let closest = null;
    if (words.length > 1 && !held && !question.onlyNames) { const [most, total] = RS.closest(words); closest = { asked: words.length, together: most, total: total }; }
    return { numbers: numbers, scores: scores, allWords: held, closest: closest };
  }
  function arrange(found, sort) {
    const order = RS.best(found.numbers, found.scores);
    if (sort === "newest" || sort === "oldest") {
      const list = RS.listOf("date");
      // Labels are in order, so their numbers are too; a ruling without a date comes last either way.
      const day = function (n) { return list.starts[n] === list.starts[n + 1] ? -1 : list.members[sort === "newest" ? list.starts[n + 1] - 1 : list.starts[n]]; };
      order.sort(sort === "newest" ? function (a, b) { return day(b) - day(a); } : function (a, b) { return (day(a) < 0 ? 1e9 : day(a)) - (day(b) < 0 ? 1e9 : day(b)); });
    } else if (sort === "card") {
      const text = RS.shard("f/first"), first = RS.once("first cards", function () { return RS.numbers(text); });
      order.sort(function (a, b) { return first[a] - first[b]; });
    } else if (sort === "shared") {
      const counts = RS.cardCounts();
      order.sort(function (a, b) { return counts[b] - counts[a]; });
    }
    return order;
  }
  function oneCard(question) {
    if (!question.onlyNames) return null;
    const sure = Array.from(question.cards).filter(function (pair) { return pair[1] >= OPENS; });
    return sure.length === 1 ? question.known.get(sure[0][0]).name : null;
  }
  function has(docs, n) {
    let low = 0, high = docs.length;
    while (low < high) { const mid = (low + high) >> 1; if (docs[mid] < n) low = mid + 1; else high = mid; }
    return docs[low] === n;
  }
  function hit(n, score, mark, names, lacking) {
    const doc = RS.document(n);
    const first = names.filter(function (card) { return has(card.docs, n); }).map(function (card) { return card.name; });
    const cards = first.concat(doc.cards.filter(function (name) { return !first.includes(name); })).slice(0, 20);
    let name = cards.length ? cards[0] : "~";
    for (const [card, stands] of doc.stands) if (card === name) { name = stands; break; }
    const text = doc.text.split("~").join(name);
    const lacks = [];
    for (const [word, terms] of lacking) if (!terms.some(function (term) { return has(RS.posting(term).docs, n); })) lacks.push(word);
    return {
      id: doc.id, n: n, text: text, cards: cards, slug: cards.length ? RS.slug(cards[0]) : "", cardsTotal: doc.cardsTotal, date: doc.date, firstDate: doc.firstDate,
      topics: doc.topics, status: doc.status, supersededBy: doc.supersededBy, score: score, highlights: mark(text, doc.named.concat([name])), lacks: lacks, note: ""
    };
  }
  function reading(query, question) {
    let text = RS.explain(query);
    for (const [typed, read] of question.mended) text += " “" + typed + "” was read as “" + read + "”.";
    return text;
  }
  /** Old rulings get a note where a newer one on this page treats the same topic. */
  function withAge(hits) {
    const day = function (h) { return h.date ? Number(h.date.replace(/-/g, "")) : 0; }, newer = new Set();
    for (const h of hits) if (day(h) > OLD) h.topics.forEach(function (t) { newer.add(t); });
    for (const h of hits) if (day(h) > 0 && day(h) <= OLD && h.topics.some(function (t) { return newer.has(t); })) h.note = "from " + h.date.slice(0, 4) + "; newer rulings treat this too";
    return hits;
  }

  /** Counts of topics, years, sources, types and sections over all that a query finds. */
  RS.facets = function (text, options) {
    const query = read(text, options);
    const order = ordered(text, options, query, understood(text, options, query), "relevance");
    RS.want(FACETS.map(function (name) { return "f/" + name; }).concat(["f/titles"]));
    const found = {};
    for (const name of FACETS) {
      const list = RS.listOf(name), counts = new Uint32Array(list.labels.length);
      for (const n of order) for (let i = list.starts[n]; i < list.starts[n + 1]; i++) counts[list.members[i]]++;
      found[name] = list.labels.map(function (label, i) { return [label, counts[i]]; }).filter(function (pair) { return pair[1]; })
        .sort(function (a, b) { return b[1] - a[1] || RS.byText(a[0], b[0]); }).slice(0, FACET_VALUES);
    }
    const titles = RS.titles();
    return { facets: found, titles: Object.fromEntries(found.topic.map(function (pair) { return [pair[0], titles[pair[0]] || pair[0]]; })), one: order.filter(function (n) { return RS.cardCounts()[n] === 1; }).length, total: order.length };
  };
})();
