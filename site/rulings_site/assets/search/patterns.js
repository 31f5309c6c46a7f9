/* The subset of regular expressions of rulings/language/patterns.py, and a matcher for it in linear time: the pattern
   becomes a set of states that are followed all at once, so that no pattern of a stranger can stop the page. */
(function () {
  const MAX_LENGTH = 200, MAX_COUNT = 100, CLASSES = "dDwWsSbB";
  const ALNUM = /[\p{L}\p{N}]/u;

  /** [offset, reason] where the pattern leaves the subset, null where it is fine. */
  RS.patternFault = function (pattern) {
    if (!pattern) return [0, "an empty pattern matches everything"];
    if (pattern.length > MAX_LENGTH) return [MAX_LENGTH, "a pattern has at most " + MAX_LENGTH + " characters"];
    const depth = [];
    let i = 0, repeatable = false;
    while (i < pattern.length) {
      const char = pattern[i];
      if (char === "\\") {
        if (i + 1 >= pattern.length) return [i, "a pattern cannot end with \\"];
        const escaped = pattern[i + 1];
        if (ALNUM.test(escaped) && !CLASSES.includes(escaped)) return [i, "\\" + escaped + " is not understood here"];
        repeatable = !"bB".includes(escaped);
        i += 2;
      } else if (char === "[") {
        const end = classEnd(pattern, i);
        if (typeof end === "string") return [i, end];
        repeatable = true; i = end;
      } else if (char === "(") {
        depth.push(i);
        i++;
        if (pattern[i] === "?") {
          if (!pattern.startsWith("?:", i)) return [i, "of the (? groups only (?: is understood"];
          i += 2;
        }
        repeatable = false;
      } else if (char === ")") {
        if (!depth.length) return [i, "this ) closes nothing"];
        depth.pop();
        repeatable = true; i++;
      } else if ("*+?{".includes(char)) {
        if (!repeatable) return [i, "nothing stands before this " + char + " that could be repeated"];
        if (char === "{") {
          const count = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/.exec(pattern.slice(i));
          if (!count) return [i, "a literal { is written \\{"];
          const low = Number(count[1]), high = Number(count[3] || count[1]);
          if (Math.max(low, high) > MAX_COUNT || high < low) return [i, "counts go from low to high, up to " + MAX_COUNT];
          i += count[0].length;
        } else i++;
        if (pattern[i] === "?") i++;
        repeatable = false;
      } else if (char === "}") return [i, "a literal } is written \\}"];
      else if (char === "]") return [i, "this ] closes nothing; a literal ] is written \\]"];
      else { repeatable = !"^$|".includes(char); i++; }
    }
    return depth.length ? [depth[depth.length - 1], "this ( is never closed"] : null;
  };
  function classEnd(pattern, start) {
    let i = start + 1, previous = null;
    if (pattern[i] === "^") i++;
    const first = i;
    while (i < pattern.length) {
      const char = pattern[i];
      if (char === "]" && i > first) return i + 1;
      if (char === "[") return "a literal [ in a class is written \\[";
      if (char === "\\") {
        if (i + 1 >= pattern.length) break;
        const escaped = pattern[i + 1];
        if (ALNUM.test(escaped) && !"dDwWsS".includes(escaped)) return "\\" + escaped + " is not understood in a class";
        previous = ALNUM.test(escaped) ? null : escaped;
        i += 2;
      } else if (char === "-" && previous !== null && i + 1 < pattern.length && !"]\\".includes(pattern[i + 1])) {
        if (pattern[i + 1] < previous) return "the range " + previous + "-" + pattern[i + 1] + " runs backwards";
        previous = null;
        i += 2;
      } else { previous = char; i++; }
    }
    return "this [ is never closed";
  }

  // --- the tree of a pattern

  const DIGIT = [[48, 57]], WORD = [[48, 57], [65, 90], [95, 95], [97, 122]], SPACE = [[9, 10], [12, 13], [32, 32]];
  const NAMED = { d: DIGIT, w: WORD, s: SPACE };
  function inRanges(ranges, code) { return ranges.some(function (r) { return r[0] <= code && code <= r[1]; }); }
  /** All that one character counts as, where upper and lower case are the same. */
  function cases(code) {
    const char = String.fromCodePoint(code), found = [code];
    for (const other of [char.toLowerCase(), char.toUpperCase()]) if (Array.from(other).length === 1) found.push(other.codePointAt(0));
    if (code === 107 || code === 75) found.push(0x212a);
    if (code === 115 || code === 83) found.push(0x17f);
    if (code === 0x212a) found.push(107, 75);
    if (code === 0x17f) found.push(115, 83);
    return found;
  }
  /** A set of characters: [ranges, which of them are negated classes, whether the whole is negated]. */
  function charTest(ranges, outside, negated) {
    return function (code) {
      const yes = cases(code).some(function (c) { return inRanges(ranges, c); }) || outside.some(function (r) { return !inRanges(r, code); });
      return yes !== negated;
    };
  }
  function parse(source) {
    const chars = Array.from(source);
    let at = 0;
    function either() {
      const options = [sequence()];
      while (chars[at] === "|") { at++; options.push(sequence()); }
      return options.length === 1 ? options[0] : { kind: "or", nodes: options };
    }
    function sequence() {
      const nodes = [];
      while (at < chars.length && chars[at] !== "|" && chars[at] !== ")") nodes.push(repeated());
      return { kind: "seq", nodes: nodes };
    }
    function repeated() {
      let node = single();
      if (at < chars.length && "*+?{".includes(chars[at])) {
        let low, high;
        const sign = chars[at++];
        if (sign === "*") { low = 0; high = Infinity; } else if (sign === "+") { low = 1; high = Infinity; } else if (sign === "?") { low = 0; high = 1; } else {
          let inside = "";
          while (chars[at] !== "}") inside += chars[at++];
          at++;
          const parts = inside.split(",");
          low = Number(parts[0]);
          high = parts.length === 1 ? low : parts[1] === "" ? Infinity : Number(parts[1]);
        }
        const lazy = chars[at] === "?";
        if (lazy) at++;
        node = { kind: "repeat", node: node, low: low, high: high, lazy: lazy };
      }
      return node;
    }
    function single() {
      const char = chars[at++];
      if (char === "(") {
        if (chars[at] === "?") at += 2;
        const node = either();
        at++;
        return node;
      }
      if (char === "[") return { kind: "char", test: klass() };
      if (char === ".") return { kind: "char", test: function (code) { return code !== 10; } };
      if (char === "^" || char === "$") return { kind: "assert", sign: char };
      if (char === "\\") {
        const next = chars[at++];
        if (next === "b" || next === "B") return { kind: "assert", sign: next };
        const ranges = NAMED[next.toLowerCase()];
        if (ranges && ALNUM.test(next)) {
          const negated = next !== next.toLowerCase();
          return { kind: "char", test: function (code) { return inRanges(ranges, code) !== negated; } };
        }
        return literal(next);
      }
      return literal(char);
    }
    function literal(char) {
      const code = char.codePointAt(0);
      return { kind: "char", test: charTest([[code, code]], [], false) };
    }
    function klass() {
      let negated = false;
      if (chars[at] === "^") { negated = true; at++; }
      const first = at, ranges = [], outside = [];
      while (!(chars[at] === "]" && at > first)) {
        let char = chars[at++];
        if (char === "\\") {
          char = chars[at++];
          const named = NAMED[char.toLowerCase()];
          if (named && ALNUM.test(char)) {
            if (char === char.toLowerCase()) ranges.push(...named); else outside.push(named);
            continue;
          }
        }
        const low = char.codePointAt(0);
        if (chars[at] === "-" && chars[at + 1] !== "]" && chars[at + 1] !== "\\" && at + 1 < chars.length) {
          ranges.push([low, chars[at + 1].codePointAt(0)]);
          at += 2;
        } else ranges.push([low, low]);
      }
      at++;
      return charTest(ranges, outside, negated);
    }
    return either();
  }
  /** Counts inside counts multiply; RE2 refuses what comes to more than a thousand, and so do we. */
  function tooMany(node, left) {
    if (node.kind === "repeat") {
      const times = node.high === Infinity ? node.low : node.high;
      const rest = times > 0 ? Math.floor(left / times) : left;
      return rest === 0 || tooMany(node.node, rest);
    }
    return (node.nodes || []).some(function (child) { return tooMany(child, left); });
  }

  // --- states: char (test, out), split (out, other: the first is preferred), assert (sign, out), match

  function program(tree) {
    const code = [];
    const emit = function (op) { code.push(op); return code.length - 1; };
    function put(node) {
      if (node.kind === "char") emit({ op: "char", test: node.test });
      else if (node.kind === "assert") emit({ op: "assert", sign: node.sign });
      else if (node.kind === "seq") node.nodes.forEach(put);
      else if (node.kind === "or") {
        const ends = [];
        node.nodes.forEach(function (option, n) {
          if (n === node.nodes.length - 1) { put(option); return; }
          const split = emit({ op: "split" });
          code[split].first = code.length;
          put(option);
          ends.push(emit({ op: "jump" }));
          code[split].second = code.length;
        });
        for (const end of ends) code[end].to = code.length;
      } else {
        for (let i = 0; i < node.low; i++) put(node.node);
        if (node.high === Infinity) {
          const split = emit({ op: "split" });
          const inside = code.length;
          put(node.node);
          emit({ op: "jump", to: split });
          aim(code[split], inside, code.length, node.lazy);
        } else {
          const splits = [];
          for (let i = node.low; i < node.high; i++) {
            const split = emit({ op: "split" });
            splits.push([split, code.length]);
            put(node.node);
          }
          for (const [split, inside] of splits) aim(code[split], inside, code.length, node.lazy);
        }
      }
    }
    function aim(split, inside, after, lazy) {
      split.first = lazy ? after : inside;
      split.second = lazy ? inside : after;
    }
    put(tree);
    emit({ op: "match" });
    return code;
  }
  function isWord(text, at) { const c = text.charCodeAt(at); return c === 95 || (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122); }
  function holds(sign, text, at) {
    if (sign === "^") return at === 0;
    if (sign === "$") return at === text.length;
    const edge = (at > 0 && isWord(text, at - 1)) !== (at < text.length && isWord(text, at));
    return edge === (sign === "b");
  }

  /** A pattern that `patternFault` found fine: {test(text), all(text)}. Throws an Error where it counts too far. */
  RS.compilePattern = function (source) {
    const tree = parse(source);
    if (tooMany(tree, 1000)) throw new Error("its counts multiply to more than 1000");
    const code = program(tree);
    const size = code.length, known = new Map();
    /** Whether state `pc` takes the character; remembered, since texts hold few different ones. */
    function takes(pc, char) {
      let row = known.get(char);
      if (!row) { row = new Int8Array(size); known.set(char, row); }
      if (row[pc] === 0) row[pc] = code[pc].test(char) ? 1 : -1;
      return row[pc] === 1;
    }
    const seen = new Int32Array(size).fill(-1);
    let mark = 0;
    const plainAsserts = !code.some(function (op) { return op.op === "assert"; });

    /** Follows all states at once. The states are kept in order of preference, each with where its match began. */
    function match(text, from) {
      let list = [], begins = [], best = null;
      for (let at = from; ; ) {
        const next = [], nextBegins = [];
        mark++;
        const add = function (pc, begin) {
          const stack = [pc];
          while (stack.length) {
            const here = stack.pop(), op = code[here];
            if (seen[here] === mark) continue;
            seen[here] = mark;
            if (op.op === "jump") stack.push(op.to);
            else if (op.op === "split") { stack.push(op.second); stack.push(op.first); }
            else if (op.op === "assert") { if (holds(op.sign, text, at)) stack.push(here + 1); }
            else { next.push(here); nextBegins.push(begin); }
          }
        };
        for (let i = 0; i < list.length; i++) add(list[i], begins[i]);
        if (!best) add(0, at);
        // `next` holds the states at `at`, in order; a match cuts off all that are less preferred.
        list = []; begins = [];
        const char = at < text.length ? text.codePointAt(at) : -1;
        for (let i = 0; i < next.length; i++) {
          const op = code[next[i]];
          if (op.op === "match") { best = [nextBegins[i], at]; break; }
          if (char >= 0 && takes(next[i], char)) { list.push(next[i] + 1); begins.push(nextBegins[i]); }
        }
        if (char < 0 || (best && !list.length)) return best;
        at += char > 0xffff ? 2 : 1;
      }
    }

    // Whether there is a match at all: sets of states become states of their own, made as they are met.
    const sets = new Map();
    let memory = [];
    function closure(pcs) {
      const found = [], stack = pcs.slice();
      mark++;
      while (stack.length) {
        const here = stack.pop(), op = code[here];
        if (seen[here] === mark) continue;
        seen[here] = mark;
        if (op.op === "jump") stack.push(op.to);
        else if (op.op === "split") stack.push(op.first, op.second);
        else found.push(here);
      }
      found.sort(function (a, b) { return a - b; });
      const name = found.join(",");
      let at = sets.get(name);
      if (at === undefined) {
        if (memory.length > 3000) { sets.clear(); memory = []; }
        at = memory.length;
        memory.push({ pcs: found, next: new Map(), match: found.some(function (pc) { return code[pc].op === "match"; }) });
        sets.set(name, at);
      }
      return memory[at];
    }
    function test(text) {
      if (!plainAsserts) return match(text, 0) !== null;
      let state = closure([0]);
      for (let at = 0; at < text.length; at++) {
        if (state.match) return true;
        const char = text.charCodeAt(at);
        let next = state.next.get(char);
        if (next === undefined) {
          let whole = char;
          if (char >= 0xd800 && char < 0xdc00) whole = text.codePointAt(at);
          next = closure([0].concat(state.pcs.filter(function (pc) { return code[pc].op === "char" && takes(pc, whole); }).map(function (pc) { return pc + 1; })));
          if (whole === char) state.next.set(char, next);
        }
        if (char >= 0xd800 && char < 0xdc00) at++;
        state = next;
      }
      return state.match;
    }
    /** All matches, none empty, from left to right. */
    function all(text) {
      const out = [];
      for (let at = 0; at <= text.length; ) {
        const found = match(text, at);
        if (!found) break;
        if (found[1] > found[0]) out.push(found);
        at = found[1] > found[0] ? found[1] : found[1] + 1;
      }
      return out;
    }
    return { test: test, all: all };
  };
})();
