/* Spelling: search/spelling.py told again, and the two measures of likeness that Python takes from libraries. */
(function () {
  /** Letters put in, left out, changed or swapped (optimal string alignment), or more than `most`. */
  RS.distance = function (a, b, most) {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let before = [], row = [], last = [];
    for (let j = 0; j <= b.length; j++) last[j] = j;
    for (let i = 1; i <= a.length; i++) {
      row = [i];
      let least = i;
      for (let j = 1; j <= b.length; j++) {
        let d = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, before[j - 2] + 1);
        row[j] = d;
        if (d < least) least = d;
      }
      if (least > most) return most + 1;
      before = last; last = row;
    }
    return last[b.length];
  };
  const byText = function (a, b) { return a < b ? -1 : a > b ? 1 : 0; };
  RS.byText = byText;
  RS.within = function (word, candidates, edits) {
    const found = [];
    for (const candidate of candidates) {
      const d = RS.distance(word, candidate, edits);
      if (d <= edits) found.push([d, candidate]);
    }
    return found.sort(function (a, b) { return a[0] - b[0] || byText(a[1], b[1]); });
  };
  const LETTERS_ONLY = /^\p{L}+$/u;
  /** The word of rulings or names that was probably meant; its first letter is taken as right. */
  RS.nearestWord = function (word) {
    const like = RS.wordsLike(word), names = new Set(like.names.filter(function (w) { return w[0] === word[0]; }));
    const all = new Set(names);
    for (const w of like.exact.keys()) if (w[0] === word[0] && LETTERS_ONLY.test(w)) all.add(w);
    const near = RS.within(word, all, word.length < 8 ? 1 : 2);
    near.sort(function (a, b) { return a[0] - b[0] || (like.exact.get(b[1]) || 0) - (like.exact.get(a[1]) || 0) || byText(a[1], b[1]); });
    return near.length ? near[0][1] : null;
  };
  /** Twice the longest common subsequence over both lengths, in hundredths: rapidfuzz's `ratio`. */
  RS.ratio = function (a, b, least) {
    const all = a.length + b.length;
    if (!all) return 100;
    if (200 * Math.min(a.length, b.length) / all < least) return 0;
    let last = new Uint16Array(b.length + 1), row = new Uint16Array(b.length + 1);
    for (let i = 0; i < a.length; i++) {
      for (let j = 0; j < b.length; j++) row[j + 1] = a[i] === b[j] ? last[j] + 1 : Math.max(last[j + 1], row[j]);
      const spare = last; last = row; row = spare;
    }
    return 200 * last[b.length] / all;
  };
  /** All names as written: [{name, key, card}], and the full name of a card. */
  RS.allNames = function () {
    const shard = RS.shard("f/names");
    return RS.once("all names", function () {
      const written = shard[0].split("\n"), cards = RS.numbers(shard[1]), full = new Map();
      const names = written.map(function (name, i) {
        if (cards[i] & 1) full.set(cards[i] >> 1, name);
        return { name: name, key: RS.cardKey(name), card: cards[i] >> 1 };
      });
      return { names: names, full: full };
    });
  };
  RS.nearestNames = function (name, limit) {
    const all = RS.allNames(), key = RS.cardKey(name), found = [];
    all.names.forEach(function (entry, at) {
      const score = RS.ratio(key, entry.key, 75);
      if (score >= 75) found.push([score, at]);
    });
    found.sort(function (a, b) { return b[0] - a[0] || a[1] - b[1]; });
    const names = [];
    for (const [, at] of found.slice(0, limit * 3)) {
      const full = all.full.get(all.names[at].card);
      if (!names.includes(full)) names.push(full);
    }
    return names.slice(0, limit);
  };

  /** Python's difflib: twice the characters in matching blocks over both lengths. */
  function sequenceRatio(a, b) {
    function blocks(alo, ahi, blo, bhi) {
      let bi = alo, bj = blo, size = 0, lengths = new Map();
      for (let i = alo; i < ahi; i++) {
        const next = new Map();
        for (let j = blo; j < bhi; j++) {
          if (a[i] !== b[j]) continue;
          const k = (lengths.get(j - 1) || 0) + 1;
          next.set(j, k);
          if (k > size) { bi = i - k + 1; bj = j - k + 1; size = k; }
        }
        lengths = next;
      }
      if (!size) return 0;
      return size + blocks(alo, bi, blo, bj) + blocks(bi + size, ahi, bj + size, bhi);
    }
    return a.length + b.length ? 2 * blocks(0, a.length, 0, b.length) / (a.length + b.length) : 1;
  }
  RS.closeMatches = function (word, possible, n, cutoff) {
    return possible.map(function (x) { return [sequenceRatio(x, word), x]; }).filter(function (pair) { return pair[0] >= cutoff; })
      .sort(function (a, b) { return b[0] - a[0] || byText(b[1], a[1]); }).slice(0, n).map(function (pair) { return pair[1]; });
  };
})();
