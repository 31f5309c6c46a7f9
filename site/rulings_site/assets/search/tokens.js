/* Text into tokens and stems: rulings/language/tokens.py told again. */
(function () {
  const SINGLE = "‘’‚‛ʼ`´′ʹʻʽˈ＇", DOUBLE = "“”„‟″ʺ＂«»", DASHES = "‐‑‒–—―−﹘﹣－⸺⸻", DROPPED = "™®©℠";
  const INVISIBLE = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/gu;
  const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
  const LETTERS = { "Æ": "Ae", "æ": "ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ß": "ss", "ð": "d", "þ": "th", "ł": "l" };
  /** What is a token, where letters (digits among them) and digits are these. */
  function patterns(letter, digit) {
    const amount = "(?:" + digit + "+|x|\\*)", word = letter + "+(?:'" + letter + "+)*", notIn = "(?!" + letter + ")", notAfter = "(?<!" + letter + ")";
    const token =
      "\\{[^{}\\s]{1,15}\\}" +
      "|" + notAfter + "[+-]?" + amount + "/[+-]?" + amount + notIn +
      "|" + notAfter + digit + "{3}\\." + digit + "{1,3}[a-z]?" + notIn +
      "|" + notAfter + "[+-](?:" + digit + "+|x)" + notIn +
      "|" + word + "|~";
    return { each: new RegExp(token, "gu"), whole: new RegExp("^(?:" + token + ")$", "u"), atStart: new RegExp("^(?:" + token + ")", "u") };
  }
  // All scripts take a phone a tenth of a second to prepare, and most texts need none of them.
  const PLAIN = patterns("[A-Za-z0-9]", "[0-9]"), ASCII = /^[\x00-\x7f]*$/;
  let any = null;
  function patternsFor(text) { return ASCII.test(text) ? PLAIN : any = any || patterns("[\\p{L}\\p{N}]", "\\p{Nd}"); }

  RS.isAscii = function (text) { return ASCII.test(text); };
  RS.isSpace = function (char) { return char !== "" && char !== undefined && SPACE.test(char); };
  RS.trim = function (text) {
    let a = 0, b = text.length;
    while (a < b && SPACE.test(text[a])) a++;
    while (b > a && SPACE.test(text[b - 1])) b--;
    return text.slice(a, b);
  };
  RS.splitSpaces = function (text) { return text.split(/[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/).filter(Boolean); };
  function quotes(text) {
    let out = "";
    for (const c of text) out += SINGLE.includes(c) ? "'" : DOUBLE.includes(c) ? '"' : c;
    return out;
  }
  function fold1(text) {
    let out = quotes(quotes(text).normalize("NFKC")), dashed = "";
    for (const c of out) dashed += DASHES.includes(c) ? "-" : c;
    return RS.trim(RS.splitSpaces(dashed.replace(INVISIBLE, "")).join(" "));
  }
  /** rulings.text.loose: without accents, case or typography. */
  RS.loose = function (text) {
    let out = "";
    for (const c of text) out += LETTERS[c] || c;
    return fold1(out).normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase().replace(/ς/g, "σ");
  };
  const folding = new Map();
  function foldChar(char) {
    let folded = folding.get(char);
    if (folded === undefined) {
      folded = DROPPED.includes(char) ? "" : SPACE.test(char) ? " " : RS.loose(RS.loose(char)).replace(/\u2044/g, "/");
      folding.set(char, folded);
    }
    return folded;
  }
  /** `text` as tokens see it. */
  RS.fold = function (text) {
    if (ASCII.test(text)) return text.toLowerCase();
    let out = "";
    for (const char of text) out += foldChar(char);
    return out;
  };

  function joinedApostrophe(word) {
    if ((word.endsWith("n't") || word.endsWith("'s")) && word.indexOf("'") === word.lastIndexOf("'")) return "";
    return word.replace(/'/g, "");
  }
  /** Tokens {text, start, end, position, joined}; joined ones stand before the parts that they join. */
  RS.tokenize = function (text) {
    const folded = RS.fold(text);
    let starts = null, ends = null;
    if (!ASCII.test(text)) {
      starts = []; ends = [];
      let offset = 0;
      for (const char of text) {
        for (let left = foldChar(char).length; left > 0; left--) { starts.push(offset); ends.push(offset + char.length); }
        offset += char.length;
      }
    }
    const found = Array.from(folded.matchAll(patternsFor(folded).each), function (m) { return [m[0], m.index, m.index + m[0].length]; });
    const tokens = [], last = found.length - 1;
    const token = function (word, start, end, position, joined) {
      tokens.push({ text: word, start: starts ? starts[start] : start, end: ends ? ends[end - 1] : end, position: position, joined: joined });
    };
    const tied = function (i) { return folded[found[i][2]] === "-" && found[i + 1][1] === found[i][2] + 1; };
    let chainEnd = -1;
    for (let i = 0; i <= last; i++) {
      const [word, start, end] = found[i];
      if (i > chainEnd && i < last && tied(i)) {
        chainEnd = i + 1;
        while (chainEnd < last && tied(chainEnd)) chainEnd++;
        let whole = "";
        for (let j = i; j <= chainEnd; j++) whole += found[j][0];
        token(whole, start, found[chainEnd][2], i, true);
      }
      if (word.includes("'")) {
        const together = joinedApostrophe(word);
        if (together) token(together, start, end, i, true);
      }
      token(word, start, end, i, false);
    }
    return tokens;
  };
  /** The exact tokens, nothing joined, nothing stemmed. */
  RS.words = function (text) { const folded = RS.fold(text); return folded.match(patternsFor(folded).each) || []; };
  RS.isToken = function (text) { return patternsFor(text).whole.test(text); };
  RS.startsToken = function (text) { return patternsFor(text).atStart.test(text); };
  RS.isRuleNumber = function (token) { return token.length > 4 && token[3] === "." && /^\p{Nd}{3}/u.test(token); };

  const stemmed = new Map();
  RS.stem = function (token) {
    let found = stemmed.get(token);
    if (found === undefined) { found = stem(token); stemmed.set(token, found); }
    return found;
  };
  function own(table, key) { return Object.prototype.hasOwnProperty.call(table, key); }
  function startsWithLetter(token) { return /^[A-Za-z]/.test(token) || (!ASCII.test(token) && /^\p{L}/u.test(token)); }
  function hasDigit(word) { return /[0-9]/.test(word) || (!ASCII.test(word) && /\p{Nd}/u.test(word)); }
  function stem(token) {
    const rules = RS.tables.stems, irregular = rules.irregular, vowels = rules.vowels;
    if (own(irregular, token)) return irregular[token];
    if (!startsWithLetter(token) || token.endsWith("n't")) return token;
    let word = (token.endsWith("'s") ? token.slice(0, -2) : token).replace(/'/g, "");
    if (own(irregular, word)) return irregular[word];
    if (word.length < rules.min_length || hasDigit(word)) return word;
    for (const step of ["plural", "past"]) {
      for (const [suffix, replacement, shortest, vowel] of rules[step]) {
        const rest = word.slice(0, word.length - suffix.length);
        if (word.endsWith(suffix) && rest.length >= shortest && (!vowel || Array.from(rest).some(function (c) { return vowels.includes(c); }))) {
          word = rest + replacement;
          break;
        }
      }
    }
    if (word.endsWith("e") && word.length >= rules.min_length) word = word.slice(0, -1);
    if (word.length >= rules.min_length && word[word.length - 1] === word[word.length - 2] && !vowels.includes(word[word.length - 1])) word = word.slice(0, -1);
    return word;
  }
  RS.nameKey = function (name) { return RS.words(name).map(RS.stem).join("") || RS.trim(name).toLowerCase(); };
  RS.nameStems = function (name) { return RS.tokenize(name).map(function (token) { return RS.stem(token.text); }); };
  RS.cardKey = function (name) {
    const folded = RS.loose(name);
    return folded.replace(/[^a-z0-9]+/g, "") || folded.replace(/ /g, "");
  };
})();
