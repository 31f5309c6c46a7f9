/* The query language: rulings/language/grammar.py told again. A query becomes a tree of nodes with a `kind`:
   word, compound, phrase, near, wild, fuzzy, pattern, own, rule, field, date, count; not, and, or. */
(function () {
  const MAX_QUERY = 1000, MAX_ITEMS = 100, MAX_DEPTH = 20, MAX_NEAR = 50;
  const FIELD = /([A-Za-z][A-Za-z-]*)(>=|<=|[:=<>])(?=[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])/y;
  const NOISE = new Set(["rule", "rules", "cr", "cr.", "c.r.", "c.r", "§", "§§", "no.", "no", "section", "comp", "#"]);
  const QUOTES = '"“”„‟″«»＂', OPERATORS = ["AND", "OR", "NOT"], ENDING = ".,;:!?…)]";
  const AMOUNT = /[-−–](?:\p{Nd}|[xX](?![\p{L}\p{N}]))/uy;
  const WILD = /^[\p{L}\p{N}]*(?:['-][\p{L}\p{N}]+)*(?:\*[\p{L}\p{N}]*)+$/u;
  const FUZZY = /^([\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*)~([12])?$/u;
  const ALNUM = /[\p{L}\p{N}]/u;
  const ODD = [
    [/[\p{L}\p{N}]\[/u, "square brackets have a meaning only inside /…/", "write a pattern: /…/"],
    [/[\p{L}\p{N}]\?[\p{L}\p{N}]/u, "? is no wildcard", "* stands for any letters"],
    [/[\p{L}\p{N}]\^/u, "^ has no meaning here", "put a space before it"],
    [/[|]/, "| has no meaning here", "write OR"],
    [/&&/, "&& has no meaning here", "words are joined by and anyway"],
    [/\\/, "\\ has no meaning here", "inside /…/ it has"]
  ];
  const QueryError = RS.QueryError;
  const isMark = function (item) { return item.kind === "mark"; };

  /** {text, root, notes, plain}; throws QueryError. */
  RS.parse = function (text) {
    if (text.length > MAX_QUERY) throw new QueryError("a query has at most " + MAX_QUERY + " characters", text.slice(0, 80) + "…", 0);
    const id = loneId(text);
    if (id) return query(text, { kind: "field", field: "id", value: id, column: text.length - text.trimStart().length }, []);
    const [items, notes] = dropNoise(scan(text));
    if (!items.length) throw new QueryError("there is nothing to search for", text, 0, "try: energy symbol");
    if (items.length > MAX_ITEMS) throw new QueryError("a query has at most " + MAX_ITEMS + " parts", text, 0);
    return query(text, new Parser(text, items).whole(), notes);
  };
  /** The id that is the whole query. Only with its hyphen: `reanimate` has the letters of one too. */
  function loneId(text) { return RS.trim(text).slice(0, 2).toLowerCase() === "r-" ? RS.parseId(text) : null; }
  /** The text as plain words, whatever signs stand in it. */
  RS.asWords = function (text) {
    text = text.slice(0, MAX_QUERY);
    const found = RS.tokenize(text).filter(function (t) { return !t.joined; }).slice(0, MAX_ITEMS).map(function (t) { return { kind: "word", text: t.text, column: t.start }; });
    if (!found.length) throw new QueryError("there is nothing to search for", text, 0, "try: energy symbol");
    return query(text, found.length === 1 ? found[0] : { kind: "and", nodes: found }, []);
  };
  RS.isLoose = function (node) { return node.kind === "word" || node.kind === "compound"; };
  function query(text, root, notes) {
    const nodes = root.kind === "and" ? root.nodes : [root];
    return { text: text, root: root, notes: notes, plain: nodes.every(RS.isLoose) };
  }
  RS.makeQuery = query;
  /** Every leaf in order: [leaf, whether it stands under a not]. */
  RS.leaves = function (node, negated) {
    if (node.kind === "and" || node.kind === "or") return [].concat(...node.nodes.map(function (n) { return RS.leaves(n, negated); }));
    if (node.kind === "not") return RS.leaves(node.node, !negated);
    return [[node, !!negated]];
  };
  /** Where loose words stand in the query text, runs joined. */
  RS.looseSpans = function (q) {
    const spans = [];
    for (const [leaf, negated] of RS.leaves(q.root)) {
      if (!RS.isLoose(leaf) || negated) continue;
      let end = leaf.column;
      while (end < q.text.length && !RS.isSpace(q.text[end]) && !'()"“”'.includes(q.text[end])) end++;
      const last = spans[spans.length - 1];
      if (last && /^[ \t,.;:!?'\-/…]*$/.test(q.text.slice(last[1], leaf.column))) last[1] = Math.max(end, last[1]);
      else spans.push([leaf.column, end]);
    }
    return spans;
  };

  class Parser {
    constructor(text, items) { this.text = text; this.items = items; this.at = 0; this.depth = 0; }
    peek() {
      if (this.at >= this.items.length) return "";
      const item = this.items[this.at];
      return isMark(item) ? item.sign : "item";
    }
    column() { return this.at < this.items.length ? this.items[this.at].column : this.text.length; }
    error(message, hint, column) { return new QueryError(message, this.text, column === undefined ? this.column() : column, hint); }
    whole() {
      const node = this.either();
      if (this.peek() === ")") throw this.error("this ) closes nothing", 'brackets in a text go between quotation marks: ")"');
      return node;
    }
    either() {
      const nodes = [this.every()];
      while (this.peek() === "OR") { this.at++; nodes.push(this.every()); }
      return nodes.length === 1 ? nodes[0] : { kind: "or", nodes: nodes };
    }
    every() {
      const nodes = [this.single()];
      while (!["", "OR", ")"].includes(this.peek())) {
        if (this.peek() === "AND") this.at++;
        const node = this.single();
        if (node.kind === "and") nodes.push(...node.nodes); else nodes.push(node);
      }
      return nodes.length === 1 ? nodes[0] : { kind: "and", nodes: nodes };
    }
    single() {
      const sign = this.peek(), column = this.column();
      if (sign === "NOT" || sign === "-") {
        this.at++;
        this.deeper(column);
        const node = { kind: "not", node: this.single(), column: column };
        this.depth--;
        return node;
      }
      if (sign === "(") {
        this.at++;
        this.deeper(column);
        if (this.peek() === ")") throw this.error("there is nothing between these brackets", "", column);
        const node = this.either();
        if (this.peek() !== ")") throw this.error("this ( is never closed", "add a )", column);
        this.at++;
        this.depth--;
        return node;
      }
      if (["AND", "OR", ")", ""].includes(sign)) {
        if (sign === "" || sign === ")") {
          const last = this.at ? this.items[this.at - 1] : null;
          const what = last && isMark(last) ? last.sign : "this";
          throw this.error("something is missing after " + what, "an operator stands between words", last ? last.column : 0);
        }
        throw this.error("something is missing before " + sign, "as a word, write " + sign.toLowerCase());
      }
      return this.items[this.at++];
    }
    deeper(column) {
      if (++this.depth > MAX_DEPTH) throw this.error("brackets and negations go " + MAX_DEPTH + " deep at most", "", column);
    }
  }

  /** `rule`, `CR`, `§`, `No.` before a rule number go; a bare section (`rule 702`) becomes a rule number. */
  function dropNoise(items) {
    const kept = [], notes = [];
    for (let item of items) {
      let number = item.kind === "rule" ? item.number : null;
      const previous = kept[kept.length - 1];
      const noise = previous && previous.kind === "word" && NOISE.has(previous.text);
      if (number === null && noise && item.kind === "word" && /^[1-9]\d\d$/.test(item.text)) {
        number = item.text;
        item = { kind: "rule", number: item.text, alone: false, column: item.column };
      }
      if (number && noise) {
        let word;
        while ((word = kept[kept.length - 1]) && word.kind === "word" && NOISE.has(word.text)) {
          kept.pop();
          if (/\p{L}/u.test(word.text)) notes.push("“" + word.text + "” before " + number + " is not searched for");
        }
      }
      kept.push(item);
    }
    return [kept.filter(function (item) { return !(item.kind === "word" && !RS.startsToken(item.text)); }), notes];
  }
  function at(pattern, text, place) { pattern.lastIndex = place; return pattern.exec(text); }

  function scan(text) {
    const items = [];
    let i = 0;
    while (i < text.length) {
      const char = text[i];
      if (RS.isSpace(char)) i++;
      else if (char === "(" || char === ")") { items.push({ kind: "mark", sign: char, column: i }); i++; }
      else if (QUOTES.includes(char)) i = phrase(text, i, items);
      else if (text.startsWith("//", i) && !RS.trim(text.slice(i + 2, i + 3))) i += 2;
      else if (char === "/" && RS.trim(text.slice(i + 1, i + 2))) i = pattern(text, i, items);
      else if (char === "-" && i + 1 < text.length && !at(AMOUNT, text, i) && !RS.isSpace(text[i + 1])) {
        if (text[i + 1] === "-") { while (text[i] === "-") i++; } else { items.push({ kind: "mark", sign: "-", column: i }); i++; }
      } else i = chunk(text, i, items);
    }
    return items;
  }
  function quoted(text, start) {
    let end = start + 1;
    while (end < text.length && !QUOTES.includes(text[end])) end++;
    if (end >= text.length) throw new QueryError("this quotation mark is never closed", text, start, 'add a " at the end of the phrase');
    return [text.slice(start + 1, end), end + 1];
  }
  function phrase(text, start, items) {
    const [inside, end] = quoted(text, start), tokens = RS.words(inside), near = at(/~(\d{1,4})/y, text, end);
    if (!tokens.length) throw new QueryError("there is no word between these quotation marks", text, start);
    if (near) {
      const distance = Number(near[1]);
      if (distance > MAX_NEAR) throw new QueryError("words can be at most " + MAX_NEAR + " apart", text, end, 'write "…"~' + MAX_NEAR);
      items.push(tokens.length > 1 ? { kind: "near", tokens: tokens, distance: distance, column: start } : { kind: "phrase", tokens: tokens, column: start });
      return end + near[0].length;
    }
    items.push({ kind: "phrase", tokens: tokens, column: start });
    return end;
  }
  function pattern(text, start, items) {
    let end = start + 1;
    while (end < text.length && text[end] !== "/") end += text[end] === "\\" ? 2 : 1;
    if (end >= text.length) throw new QueryError("this pattern is never closed", text, start, "a pattern stands between / and /; as a sign, put a space after it");
    const source = text.slice(start + 1, end), wrong = RS.patternFault(source);
    if (wrong) throw new QueryError("bad pattern: " + wrong[1], text, start + 1 + wrong[0], "see rulings search --help");
    items.push({ kind: "pattern", source: source, column: start });
    return end + 1;
  }
  function rstrip(text, signs) {
    let end = text.length;
    while (end > 0 && signs.includes(text[end - 1])) end--;
    return text.slice(0, end);
  }
  function chunk(text, start, items) {
    let end = start;
    while (end < text.length && !RS.isSpace(text[end]) && text[end] !== "(" && text[end] !== ")" && !QUOTES.includes(text[end])) end++;
    const piece = text.slice(start, end);
    if (OPERATORS.includes(piece)) { items.push({ kind: "mark", sign: piece, column: start }); return end; }
    const found = at(FIELD, text, start);
    if (found) {
      const name = found[1].toLowerCase(), operator = found[2], place = start + found[0].length;
      if (Object.prototype.hasOwnProperty.call(RS.FIELDS, name)) {
        let value;
        if (place < text.length && QUOTES.includes(text[place])) [value, end] = quoted(text, place);
        else value = place < end ? text.slice(place, end) : text.slice(place, place + 1);
        items.push(RS.readField(name, operator, value, text, start, place));
        return Math.max(end, place);
      }
      if (operator === ":" || name.length > 2) throw RS.unknownField(found[1], text, start);
    }
    const bare = rstrip(piece, ENDING);
    if (bare.includes("*") && !RS.isToken(RS.fold(bare)) && ALNUM.test(bare)) { items.push(wild(bare, text, start)); return end; }
    const fuzzy = bare.includes("~") && FUZZY.exec(bare);
    if (fuzzy) {
      const word = RS.words(fuzzy[1]).join("");
      items.push({ kind: "fuzzy", text: word, edits: Number(fuzzy[2] || (word.length < 8 ? 1 : 2)), column: start });
      return end;
    }
    if (/[[?^|&\\]/.test(piece)) for (const [odd, message, hint] of ODD) {
      const wrong = odd.exec(piece);
      if (wrong) throw new QueryError(message, text, start + wrong.index + wrong[0].length - 1, hint);
    }
    items.push(...looseWords(piece, start));
    return end;
  }
  function wild(bare, text, start) {
    let stripped = bare;
    while (stripped && "'([{".includes(stripped[0])) stripped = stripped.slice(1);
    if (!WILD.test(stripped)) throw new QueryError("a wildcard word has letters, digits and * only", text, start, 'a * as a sign: "*/*"');
    const folded = RS.fold(stripped).replace(/\*+/g, "*");
    if (Array.from(folded).filter(function (c) { return ALNUM.test(c); }).length < 2) throw new QueryError("this wildcard fits too many words", text, start, "give at least two letters");
    return { kind: "wild", pattern: folded, column: start };
  }
  function looseWords(piece, start) {
    if (NOISE.has(piece.toLowerCase()) && !RS.isToken(piece.toLowerCase())) return [{ kind: "word", text: piece.toLowerCase(), column: start }];
    const found = [], all = RS.tokenize(piece), tokens = all.filter(function (t) { return !t.joined; });
    const joined = new Map(all.filter(function (t) { return t.joined; }).map(function (t) { return [t.position, t]; }));
    for (let i = 0; i < tokens.length; ) {
      const token = tokens[i], whole = joined.get(i), column = start + token.start;
      let stop = i + 1;
      if (whole) { while (stop < tokens.length && tokens[stop].end <= whole.end) stop++; }
      else if (token.text[0] === "{") { while (stop < tokens.length && tokens[stop].text[0] === "{" && tokens[stop].start === tokens[stop - 1].end) stop++; }
      if (stop > i + 1) found.push({ kind: "compound", parts: tokens.slice(i, stop).map(function (t) { return t.text; }), joined: whole ? whole.text : null, column: column });
      else if (whole) found.push({ kind: "compound", parts: [token.text], joined: whole.text, column: column });
      else if (token.text === "~") found.push({ kind: "own", column: column });
      else if (RS.isRuleNumber(token.text)) found.push({ kind: "rule", number: token.text, alone: false, column: column });
      else found.push({ kind: "word", text: token.text, column: column });
      i = stop;
    }
    return found;
  }
})();
