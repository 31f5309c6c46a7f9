/* Cards that a question names: search/names.py told again, in whole numbers. */
(function () {
  const SURE = 1000, LONGEST_NAME = 8, MOST_CARDS = 60, FULL = 3, SHORT = 1, OTHER = 0, USUAL_END = 60;
  const isqrt = RS.isqrt = function (n) {
    let root = Math.floor(Math.sqrt(n));
    while (root * root > n) root--;
    while ((root + 1) * (root + 1) <= n) root++;
    return root;
  };
  function isUpper(text) { return RS.isAscii(text) ? /^[A-Z]/.test(text) : /^\p{Lu}/u.test(text); }

  function capitals(tokens, text) {
    const big = tokens.map(function (token) { return isUpper(text.slice(token.start, token.start + 2)); });
    if (tokens.length > 1 && big.every(Boolean)) return big.map(function () { return false; });
    return tokens.map(function (token, i) {
      const between = i ? text.slice(tokens[i - 1].end, token.start) : "";
      const starts = i === 0 || /[.?!:]/.test(between);
      return big[i] && !starts && token.text.length > 1;
    });
  }
  function among(cards) { return cards <= 2 ? SURE : isqrt(Math.floor(2 * SURE * SURE / cards)); }

  /** Whether a single word could be a name at all, before any name is looked up. */
  function singleCould(token, stem, capital) {
    if (token.text.length === 1) return false;
    if (capital) return true;
    return !(RS.isOrdinary(stem) || RS.isType(stem) || RS.isKeyword("@" + stem) || RS.usual(stem) > USUAL_END);
  }
  function oneWord(token, stem, kind, capital) {
    if (!singleCould(token, stem, capital)) return 0;
    if (capital) return SURE;
    const slang = RS.isSlang(stem), usual = RS.usual(stem);
    if (kind === OTHER) return usual === 0 ? SURE : 0;
    if (usual === 0) return kind === FULL || !slang ? SURE : 0;
    if (kind === FULL && usual <= 10) return slang ? 300 : 800;
    if (usual <= 3) return slang ? 0 : 600;
    return kind === FULL && usual <= 60 ? 300 : 0;
  }
  function manyWords(key, stems, kind, capital) {
    const usual = RS.usual(key);
    let confidence = capital || usual <= 2 ? SURE : usual <= 10 ? 600 : usual <= 40 ? 300 : 0;
    if (!capital && stems.every(RS.isOrdinary)) confidence = Math.min(confidence, stems.length > 2 ? 600 : 400);
    if (kind === SHORT && !capital) confidence = Math.min(confidence, 500);
    return confidence;
  }

  /** The shards that reading the names of a question will need, as far as can be told beforehand. */
  RS.nameShards = function (tokens, stems, text) {
    const capital = capitals(tokens, text), found = [], covered = new Set();
    for (let length = Math.min(LONGEST_NAME, stems.length); length > 0; length--) {
      for (let i = 0; i + length <= stems.length; i++) {
        if (length === 1 && !singleCould(tokens[i], stems[i], capital[i])) continue;
        const key = stems.slice(i, i + length).join("");
        if (!RS.maybeCalled(key)) continue;
        found.push(RS.shardOf("n", key));
        for (let j = i; j < i + length; j++) covered.add(j);
      }
    }
    stems.forEach(function (stem, i) { if (!covered.has(i) && distinct(stem, capital[i]) && RS.maybeInName(stem)) found.push(RS.shardOf("x", stem)); });
    return found;
  };

  /** {cards: Map(number -> confidence), known: Map(number -> card), used: Set, spans}. */
  RS.recognise = function (tokens, stems, text) {
    const found = { cards: new Map(), known: new Map(), used: new Set(), spans: [] };
    const capital = capitals(tokens, text);
    const add = function (card, confidence) {
      found.known.set(card.n, card);
      if (confidence > (found.cards.get(card.n) || 0)) found.cards.set(card.n, confidence);
    };
    for (let length = Math.min(LONGEST_NAME, stems.length); length > 0; length--) {
      for (let i = 0; i + length <= stems.length; i++) {
        let taken = false;
        for (let j = i; j < i + length; j++) taken = taken || found.used.has(j);
        if (taken || (length === 1 && !singleCould(tokens[i], stems[i], capital[i]))) continue;
        const key = stems.slice(i, i + length).join(""), entries = RS.called(key);
        if (!entries.length) continue;
        const kind = Math.max(...entries.map(function (e) { return e.kind; }));
        const confidence = length === 1
          ? oneWord(tokens[i], stems[i], kind, capital[i])
          : manyWords(key, stems.slice(i, i + length), kind, capital.slice(i, i + length).some(Boolean));
        if (!confidence) continue;
        const best = entries.filter(function (e) { return e.kind === kind || e.kind === OTHER; }).map(function (e) { return e.card; });
        for (const card of best) add(card, Math.floor(confidence * among(best.length) / SURE));
        for (let j = i; j < i + length; j++) found.used.add(j);
        found.spans.push([i, length, best.map(function (c) { return c.n; })]);
      }
    }
    again(found, stems, capital);
    distinctive(found, add, stems, capital);
    return found;
  };
  /** A word of a name that was already read (`the Decay`) belongs to it and points at no other card. */
  function again(found, stems, capital) {
    const named = new Set();
    for (const n of found.cards.keys()) for (const word of RS.nameStems(found.known.get(n).name)) named.add(word);
    stems.forEach(function (stem, i) {
      if (!found.used.has(i) && named.has(stem) && !RS.isLight(stem) && (capital[i] || RS.usual(stem) < 20)) found.used.add(i);
    });
  }
  function distinct(stem, capital) {
    if (stem.length < 3 || RS.isOrdinary(stem) || (!capital && (RS.isSlang(stem) || RS.isType(stem)))) return false;
    return capital || RS.usual(stem) <= 2;
  }
  /** Words that stand in a few names only: `Faithmenders`, `Vadrok`, `the Archdruid`. */
  function distinctive(found, add, stems, capital) {
    const score = new Map(), places = new Map(), known = new Map();
    RS.want(stems.map(function (stem, i) { return !found.used.has(i) && distinct(stem, capital[i]) && RS.maybeInName(stem) ? RS.shardOf("x", stem) : "start"; }));
    stems.forEach(function (stem, i) {
      if (found.used.has(i) || !distinct(stem, capital[i])) return;
      const usual = RS.usual(stem), entry = RS.withWord(stem);
      if (!entry.count || entry.count > MOST_CARDS) return;
      let sure;
      if (capital[i]) sure = entry.count <= 40 ? 800 : 400;
      else if (usual === 0) sure = 800;
      else if (usual <= 2 && entry.count <= 6) sure = 500;
      else return;
      for (const card of entry.cards) {
        known.set(card.n, card);
        if (!places.has(i)) places.set(i, []);
        places.get(i).push(card.n);
        score.set(card.n, Math.max(score.get(card.n) || 0, sure));
      }
    });
    const asked = new Set(stems);
    for (const [n, sure] of score) {
      const words = new Set(RS.nameStems(known.get(n).name).filter(function (word) { return !RS.isLight(word); }));
      let have = 0;
      for (const word of words) if (asked.has(word)) have++;
      score.set(n, Math.floor(sure * isqrt(Math.floor(SURE * SURE * have / Math.max(1, words.size))) / SURE));
    }
    for (const [i, cards] of places) {
      const best = Math.max(...cards.map(function (n) { return score.get(n); }));
      const kept = cards.filter(function (n) { return score.get(n) * 10 >= best * 6; });
      for (const n of kept) add(known.get(n), Math.floor(score.get(n) * among(kept.length) / SURE));
      found.used.add(i);
      found.spans.push([i, 1, kept]);
    }
  }
})();
