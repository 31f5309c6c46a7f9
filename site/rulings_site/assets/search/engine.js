/* Typed query -> the set of rulings that fit it: search/engine.py told again, on shards. A set is one byte a ruling. */
(function () {
  const MOST_WORDS = 600;
  // One byte a ruling, worked on four at a time.
  function none() { return new Uint8Array(new ArrayBuffer((RS.size() + 3) & ~3), 0, RS.size()); }
  function fours(set) { return new Uint32Array(set.buffer); }
  function setOf(docs) { const out = none(); for (const n of docs) out[n] = 1; return out; }
  function both(a, b) { const out = none(), x = fours(a), y = fours(b), z = fours(out); for (let i = 0; i < z.length; i++) z[i] = x[i] & y[i]; return out; }
  function join(a, b) { const x = fours(a), y = fours(b); for (let i = 0; i < x.length; i++) x[i] |= y[i]; return a; }
  RS.copyOf = function (set) { return join(none(), set); };
  RS.members = function (set) { const out = []; for (let n = set.indexOf(1); n >= 0; n = set.indexOf(1, n + 1)) out.push(n); return out; };
  RS.countOf = function (set) { return RS.members(set).length; };

  RS.find = function (query) { return find(query.root, query, null); };
  /** The rulings that hold all these stems, synonyms counted. */
  RS.holding = function (stems) {
    RS.want([].concat(...stems.map(wordTerms)).map(RS.termShard));
    return stems.length ? stems.map(word).reduce(both) : none();
  };
  function wordTerms(stem) { return [stem].concat(RS.conceptsOfWord(stem).map(function (key) { return "#" + key; })); }
  RS.wordTerms = wordTerms;
  function word(stem) {
    const out = none();
    for (const term of wordTerms(stem)) holders(term, out);
    return out;
  }
  function holders(term, out) {
    const posting = RS.posting(term);
    for (const n of posting.docs) out[n] = 1;
    for (const n of posting.more) out[n] = 1;
    return out;
  }
  function find(node, query, within) {
    if (node.kind === "and") {
      let found = within;
      // What needs texts comes last, and looks only at what is left.
      const costly = function (child) { return JSON.stringify(child).includes('"kind":"pattern"') ? 1 : 0; };
      for (const child of node.nodes.slice().sort(function (a, b) { return costly(a) - costly(b); })) {
        const here = find(child, query, found);
        found = found ? both(found, here) : here;
      }
      return found;
    }
    if (node.kind === "or") return node.nodes.map(function (child) { return find(child, query, within); }).reduce(join, none());
    if (node.kind === "not") {
      // No synonym excludes a ruling.
      const inside = node.node.kind === "word" ? holders(RS.stem(node.node.text), none()) : find(node.node, query, within), out = none();
      for (let i = 0; i < out.length; i++) out[i] = (within ? within[i] : 1) & (1 - inside[i]);
      return out;
    }
    return leaf(node, query, within);
  }
  function leaf(node, query, within) {
    switch (node.kind) {
      case "word": return word(RS.stem(node.text));
      case "own": return setOf(RS.posting("~").docs);
      case "rule": return setOf(RS.docsIn(RS.ruleShard(node.number), (node.alone ? "=" : "") + node.number));
      case "phrase": return phrase(node.tokens);
      case "compound": {
        const found = phrase(node.parts);
        return node.joined ? holders(RS.stem(node.joined), found) : found;
      }
      case "near": return near(node.tokens, node.distance);
      case "wild": case "fuzzy": return anyWord(RS.expand(node, query));
      case "pattern": return pattern(node, query, within);
      case "date": return dates(node);
      case "count": {
        const counts = RS.cardCounts(), low = node.low || 0, high = node.high === null ? 65535 : node.high, out = none();
        for (let i = 0; i < out.length; i++) out[i] = low <= Math.min(counts[i], 65535) && Math.min(counts[i], 65535) <= high ? 1 : 0;
        return out;
      }
      default: return field(node);
    }
  }
  /** Shards of exact leaves, for asking at once. */
  RS.engineShards = function (query) {
    const found = [];
    for (const [node] of RS.leaves(query.root)) {
      if (node.kind === "phrase" || node.kind === "near" || node.kind === "compound") {
        const tokens = node.tokens || node.parts;
        if (tokens.length > 1 || node.kind !== "compound") for (const token of tokens) found.push(placeShard(token));
        if (node.kind === "near") found.push(placeShard("|"));
        if (node.joined) found.push(RS.termShard(RS.stem(node.joined)));
      } else if (node.kind === "rule") found.push(RS.ruleShard(node.number));
      else if (node.kind === "own") found.push(RS.termShard("~"));
      else if (node.kind === "date") found.push("f/date");
      else if (node.kind === "field") found.push(...(FIELD_SHARDS[node.field] || []));
    }
    return found;
  };
  const FIELD_SHARDS = { topic: ["f/topic"], source: ["f/source"], set: ["f/set"], type: ["f/types"], is: ["f/flag"], status: ["f/flag"], oracle: ["f/cards"] };
  function placeShard(token) { return RS.placeShard("p", token); }

  // --- phrases and near words, on the places of exact words

  function placesOf(tokens) {
    RS.want(tokens.map(placeShard));
    return tokens.map(function (token) { return RS.places("p", token); });
  }
  function phrase(tokens) {
    const places = placesOf(tokens);
    return places.every(Boolean) ? setOf(hits(places)) : none();
  }
  /** The documents in which the words of these places stand side by side. */
  function hits(places) {
    const found = [];
    let rarest = 0;
    places.forEach(function (p, i) { if (p.size < places[rarest].size) rarest = i; });
    for (const n of places[rarest].keys()) {
      const here = places.map(function (p) { return p.get(n); });
      if (here.some(function (p) { return !p; })) continue;
      const sets = here.map(function (p, i) { return i === rarest ? null : new Set(p); });
      if (here[rarest].some(function (at) { return sets.every(function (s, i) { return !s || s.has(at + i - rarest); }); })) found.push(n);
    }
    return found;
  }
  function near(tokens, distance) {
    const out = none(), distinct = [...new Set(tokens)];
    RS.want([placeShard("|")]);
    const places = placesOf(distinct), bars = RS.places("p", "|") || new Map();
    if (places.some(function (p) { return !p; })) return out;
    const need = distinct.map(function (d) { return tokens.filter(function (t) { return t === d; }).length; });
    for (const n of places[0].keys()) {
      const marks = [];
      if (!places.every(function (p, k) { const here = p.get(n); if (here) for (const at of here) marks.push([at, k]); return here; })) continue;
      for (const at of bars.get(n) || []) marks.push([at, -1]);
      marks.sort(function (a, b) { return a[0] - b[0]; });
      if (isNear(marks, need, tokens.length, distance)) out[n] = 1;
    }
    return out;
  }
  function isNear(marks, need, count, distance) {
    let have = need.map(function () { return 0; }), window = [], left = 0;
    for (const [at, k] of marks) {
      if (k < 0) { have = need.map(function () { return 0; }); window = []; left = 0; continue; }
      window.push([at, k]);
      have[k]++;
      while (left < window.length - 1 && have[window[left][1]] > need[window[left][1]]) { have[window[left][1]]--; left++; }
      if (need.every(function (n, i) { return have[i] >= n; }) && at - window[left][0] + 1 - count <= distance) return true;
    }
    return false;
  }

  // --- words that are like others

  RS.expand = function (node, query) {
    if (node.kind === "fuzzy") return RS.within(node.text, RS.allWords(), node.edits).map(function (pair) { return pair[1]; });
    const fits = new RegExp("^(?:" + node.pattern.split("*").map(function (part) { return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); }).join(".*") + ")$", "u");
    const found = RS.allWords().filter(function (w) { return fits.test(w); });
    if (found.length > MOST_WORDS) throw new RS.QueryError(node.pattern + " fits " + String(found.length).replace(/\B(?=(?:\d{3})+$)/g, ",") + " different words", query.text, node.column, "give more letters");
    return found;
  };
  function anyWord(exact) {
    const out = none();
    RS.want(exact.map(placeShard));
    for (const w of exact) for (const n of (RS.places("p", w) || new Map()).keys()) out[n] = 1;
    return out;
  }
  RS.patternOf = function (node, query) {
    try { return RS.compilePattern(node.source); } catch (error) { throw new RS.QueryError("bad pattern: " + error.message, query.text, node.column); }
  };
  function pattern(node, query, within) {
    const matcher = RS.patternOf(node, query), out = none();
    const rest = within ? RS.members(within) : Array.from(out.keys());
    RS.want(rest.map(RS.textShard));
    return RS.lately("pattern " + node.source + " " + rest.length + " " + RS.spread(rest.join()), function () {
      for (const n of rest) if (RS.wordings(n).some(function (pair) { return matcher.test(pair[1]); })) out[n] = 1;
      return out;
    });
  }

  // --- fields

  function dates(node) {
    const list = RS.listOf("date"), out = none();
    for (let n = 0; n < out.length; n++) {
      const from = list.starts[n], to = list.starts[n + 1];
      if (node.field === "as-of") { out[n] = from < to && list.labels[list.members[from]] <= node.high ? 1 : 0; continue; }
      for (let i = from; i < to; i++) {
        const day = list.labels[list.members[i]];
        if ((!node.low || day >= node.low) && (!node.high || day <= node.high)) { out[n] = 1; break; }
      }
    }
    return out;
  }
  function labelled(name, fits) {
    const list = RS.listOf(name), wanted = list.labels.map(fits), out = none();
    for (let n = 0; n < out.length; n++) for (let i = list.starts[n]; i < list.starts[n + 1]; i++) if (wanted[list.members[i]]) out[n] = 1;
    return out;
  }
  const equal = function (value) { return function (label) { return label === value; }; };
  function field(node) {
    const value = node.value;
    switch (node.field) {
      case "card": return cardNamed(value);
      case "oracle": return oracle(value);
      case "is": case "status": return setOf(RS.docsIn("f/flag", node.field + ":" + value));
      case "topic": return labelled("topic", equal(value.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "")));
      case "source": return labelled("source", function (label) { return [label].concat(label.split("-")).some(function (part) { return RS.fold(part) === value; }); });
      case "set": return labelled("set", equal(value));
      case "type": {
        const asked = RS.words(value).map(function (w) { return labelled("types", equal(w)); });
        return asked.length ? asked.reduce(both) : none();
      }
      default: return setOf(RS.docsOfId(value));
    }
  }
  /** On the cards called so, else on those with all these words in their name. */
  function cardNamed(value) {
    const called = RS.called(RS.nameKey(value));
    if (called.length) return setOf([].concat(...called.map(function (e) { return e.card.docs; })));
    const words = RS.words(value).map(RS.stem);
    RS.want(words.filter(RS.maybeInName).map(function (w) { return RS.shardOf("x", w); }));
    const sets = words.map(function (w) { return new Set(RS.numbersWithWord(w)); });
    return ofCards(sets.length ? Array.from(sets[0]).filter(function (n) { return sets.every(function (s) { return s.has(n); }); }) : []);
  }
  function ofCards(cards) {
    const lists = RS.rulingsOfCards(), out = none();
    for (const card of cards) for (const n of RS.rising(lists[card])) out[n] = 1;
    return out;
  }
  function oracle(value) {
    const tokens = RS.words(value);
    RS.want(tokens.map(function (t) { return RS.placeShard("o", t); }).concat(["f/cards"]));
    let found = null;
    for (const stem of new Set(tokens.map(RS.stem))) {
      const shardName = RS.shardOf("o", stem), cards = new Set();
      for (const w of Object.keys(RS.shard(shardName))) if (RS.stem(w) === stem) for (const n of RS.placesIn("o", shardName, w).keys()) cards.add(n);
      found = found ? new Set([...found].filter(function (n) { return cards.has(n); })) : cards;
    }
    let list = found ? [...found] : [];
    if (tokens.length > 1 && list.length) {
      const places = tokens.map(function (t) { return RS.places("o", t); });
      const proved = places.every(Boolean) ? new Set(hits(places)) : new Set();
      list = list.filter(function (n) { return proved.has(n); });
    }
    return ofCards(list);
  }
})();
