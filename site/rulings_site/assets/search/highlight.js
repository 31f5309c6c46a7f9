/* What of a text matched: search/highlight.py told again. */
(function () {
  RS.highlighter = function (query, question) {
    const sequences = [], exact = new Set(), patterns = [], proved = new Set(), asked = new Set();
    const loose = new Set(question.terms.filter(function (p) { return ["word", "name", "light"].includes(p[1]); }).map(function (p) { return p[0]; }));
    const concepts = new Set(question.terms.filter(function (p) { return p[1] === "concept"; }).map(function (p) { return p[0].slice(1); }));
    let ownName = false;
    for (const [leaf, negated] of RS.leaves(query.root)) {
      if (negated) continue;
      switch (leaf.kind) {
        case "word": asked.add(RS.stem(leaf.text)); break;
        case "phrase": sequences.push(leaf.tokens); leaf.tokens.forEach(function (t) { proved.add(RS.stem(t)); }); break;
        case "compound":
          sequences.push(leaf.parts);
          leaf.parts.forEach(function (t) { proved.add(RS.stem(t)); });
          if (leaf.joined) exact.add(leaf.joined);
          break;
        case "near": leaf.tokens.forEach(function (t) { exact.add(t); proved.add(RS.stem(t)); }); break;
        case "wild": case "fuzzy": for (const w of RS.expand(leaf, query)) exact.add(w); break;
        case "pattern": patterns.push(RS.patternOf(leaf, query)); break;
        case "rule": exact.add(leaf.number); break;
        case "own": ownName = true; break;
      }
    }
    const stemsWanted = new Set([...loose].filter(function (s) { return !proved.has(s) || asked.has(s); }));
    return function (text, ownNames) {
      const all = RS.tokenize(text), tokens = all.filter(function (t) { return !t.joined; }), stems = tokens.map(function (t) { return RS.stem(t.text); });
      const found = [];
      tokens.forEach(function (t, i) { if (stemsWanted.has(stems[i]) || exact.has(t.text)) found.push([t.start, t.end]); });
      for (const t of all) if (t.joined && stemsWanted.has(RS.stem(t.text))) found.push([t.start, t.end]);
      if (concepts.size) {
        for (const c of RS.conceptsInRuling(stems)) if (concepts.has(c.key)) found.push([tokens[c.first].start, tokens[c.first + c.length - 1].end]);
      }
      for (const parts of sequences) {
        for (let i = 0; i + parts.length <= tokens.length; i++) {
          if (parts.every(function (part, j) { return tokens[i + j].text === part; })) found.push([tokens[i].start, tokens[i + parts.length - 1].end]);
        }
      }
      for (const pattern of patterns) found.push(...pattern.all(text));
      if (ownName) {
        for (const name of ownNames) for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) found.push([at, at + name.length]);
      }
      found.sort(function (a, b) { return a[0] - b[0] || a[1] - b[1]; });
      const merged = [];
      for (const [start, end] of found) {
        const last = merged[merged.length - 1];
        if (last && start <= last[1]) last[1] = Math.max(last[1], end); else merged.push([start, end]);
      }
      return merged;
    };
  };
})();
