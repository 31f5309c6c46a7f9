/* What to offer where a query finds nothing: search/relax.py told again. */
(function () {
  const MOST = 5, LETTERS_ONLY = /^\p{L}+$/u;

  /** [the most of these words that any ruling has, how many have so many]. */
  RS.closest = function (stems) {
    const counts = new Uint8Array(RS.size());
    RS.want([].concat(...stems.map(RS.wordTerms)).map(RS.termShard));
    const last = new Uint8Array(RS.size()), ofCount = [0];
    stems.forEach(function (stem, i) {
      for (const term of RS.wordTerms(stem)) for (const n of RS.posting(term).docs) {
        if (last[n] === i + 1) continue;
        last[n] = i + 1;
        counts[n]++;
        ofCount[counts[n]] = (ofCount[counts[n]] || 0) + 1;
      }
    });
    const most = ofCount.length - 1;
    return [most, ofCount[most]];
  };
  RS.withoutOne = function (query) {
    const root = query.root, offers = [];
    if (root.kind !== "and") return offers;
    const columns = root.nodes.map(function (node) {
      return node.kind === "not" ? node.column : Math.min(...RS.leaves(node).map(function (pair) { return pair[0].column; }));
    }).concat([query.text.length]);
    root.nodes.forEach(function (_, i) {
      const rest = root.nodes.filter(function (_, j) { return j !== i; });
      if (rest.every(function (node) { return node.kind === "not"; })) return;
      const total = RS.countOf(RS.find(RS.makeQuery(query.text, rest.length === 1 ? rest[0] : { kind: "and", nodes: rest }, [])));
      if (!total) return;
      const piece = RS.trim(query.text.slice(columns[i], columns[i + 1]).replace(/^[ ()]+|[ ()]+$/g, "").replace(/ AND$/, ""));
      const left = RS.splitSpaces(query.text.slice(0, columns[i]) + query.text.slice(columns[i + 1])).join(" ").replace(/ AND$/, "").replace(/ NOT$/, "");
      offers.push({ without: piece, query: left, total: total });
    });
    return offers.sort(function (a, b) { return b.total - a.total; }).slice(0, MOST);
  };
  RS.suggestions = function (query, question) {
    let found = [];
    const text = query.text;
    for (const [typed, read] of question.mended) found.push(replaced(text, typed, read));
    const all = RS.leaves(query.root);
    for (const [leaf, negated] of all) {
      if (negated) continue;
      if (leaf.kind === "field" && leaf.field === "card") found = found.concat(RS.nearestNames(leaf.value, 3).map(function (name) { return replaced(text, leaf.value, name); }));
      else if (leaf.kind === "field" && (leaf.field === "topic" || leaf.field === "source")) {
        found = found.concat(RS.closeMatches(leaf.value, RS.listOf(leaf.field).labels, 3, 0.6).map(function (x) { return replaced(text, leaf.value, x); }));
      } else if (leaf.kind === "word" && !RS.frequency(RS.stem(leaf.text)) && LETTERS_ONLY.test(leaf.text)) {
        const near = RS.nearestWord(leaf.text);
        if (near) found.push(replaced(text, leaf.text, near));
      }
    }
    const words = all.filter(function (pair) { return RS.isLoose(pair[0]); });
    if (query.plain && !question.cards.size && words.length >= 1 && words.length <= 6) {
      found = found.concat(RS.nearestNames(text, 3).map(function (name) { return 'card:"' + name + '"'; }));
    }
    return [...new Set(found)].filter(function (other) { return other !== text; }).slice(0, MOST);
  };
  function replaced(text, typed, read) {
    const place = text.toLowerCase().indexOf(typed.toLowerCase());
    if (place < 0) return read;
    const quoted = read.includes(" ") && text[place - 1] === ":" ? '"' + read + '"' : read;
    return text.slice(0, place) + quoted + text.slice(place + typed.length);
  }
})();
