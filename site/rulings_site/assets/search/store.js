/* Shards: fetching them, reading their numbers, and the accessors that the ranking asks.
   Written by client_codes.py and its neighbours. An accessor whose shard is not here yet throws Missing; `RS.settle`
   fetches what was missing and starts the work again, so that the work itself is plain code without waiting. */
(function () {
  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const VALUE = new Uint8Array(128);
  for (let i = 0; i < 64; i++) VALUE[ALPHABET.charCodeAt(i)] = i;

  class Missing extends Error {
    constructor(names, came) { super("not here yet: " + names.join(" ")); this.names = names; this.came = came; }
  }
  RS.Missing = Missing;

  /** Numbers out of a text: five bits a sign, the sixth says that more follow. */
  RS.numbers = function (text) {
    const out = [];
    let number = 0, shift = 1;
    for (let i = 0; i < text.length; i++) {
      const v = VALUE[text.charCodeAt(i)];
      if (v < 32) { out.push(number + v * shift); number = 0; shift = 1; } else { number += (v & 31) * shift; shift *= 32; }
    }
    return out;
  };
  /** Numbers that were written as steps. */
  RS.rising = function (text) {
    const out = RS.numbers(text);
    for (let i = 1; i < out.length; i++) out[i] += out[i - 1];
    return out;
  };
  /** FNV-1a over the characters; the upper bits are mixed into the lower. */
  RS.spread = function (text) {
    let total = 2166136261;
    for (const char of text) total = Math.imul(total ^ char.codePointAt(0), 16777619) >>> 0;
    return (total ^ (total >>> 15)) >>> 0;
  };

  let shards = new Map();
  let made = new Map();
  let underway = new Map();
  let renewed = false;
  const config = { root: "", served: true, read: null };

  /** `root`: the folder `search/data/`; `served`: whether `fetch` may be used; `read(name)`: a reader instead of both. */
  RS.configure = function (options) { Object.assign(config, options); };

  RS.forget = function () { shards = new Map(); made = new Map(); underway = new Map(); recent.clear(); Array.from(coming.keys()).forEach(RS.came); renewed = true; };
  RS.put = function (name, numbering, value) {
    if (name !== "start" && shards.has("start") && version(name) !== numbering) { RS.stale = true; return; }
    if (name === "start" && value === null) { RS.empty = true; }
    shards.set(name, value);
  };
  // What the page brings as a script of its own is waited for, not asked for.
  const coming = new Map();
  RS.comes = function (name) {
    let come;
    const here = new Promise(function (resolve) { come = resolve; });
    coming.set(name, { here: here, come: come });
  };
  /** It came, or it will not. */
  RS.came = function (name) { if (coming.has(name)) { coming.get(name).come(); coming.delete(name); } };
  RS.has = function (name) { return shards.has(name); };
  /** Put from the text of the script, without running it: quicker than a script, and allowed by every policy. */
  RS.putText = function (text) {
    const head = /^RS\.put\("([^"]*)","([^"]*)",/.exec(text);
    if (!head) throw new Error("this is no search data");
    RS.put(head[1], head[2], JSON.parse(text.slice(head[0].length, text.lastIndexOf(");"))));
  };

  /** Shards of texts, and the list of what lies in which, belong to an arrangement, the others to a numbering only. */
  function version(name) { const start = shards.get("start"); return /^s\/|^each$/.test(name) ? start.arranged : start.numbering; }
  function address(name) { return config.root + name + ".js" + (shards.has("start") ? "?v=" + version(name) : ""); }
  function fetched(name) {
    // Start data from a cache may be older than the shards; when that shows, it is asked for anew.
    return fetch(address(name), renewed && name === "start" ? { cache: "no-cache" } : {}).then(function (answer) {
      if (!answer.ok) throw new Error(name + " could not be loaded (" + answer.status + ")");
      return answer.text();
    }).then(RS.putText);
  }
  function scripted(name) {
    return new Promise(function (resolve, reject) {
      const script = document.createElement("script");
      script.src = address(name);
      script.onload = function () { script.remove(); resolve(); };
      script.onerror = function () { script.remove(); reject(new Error(name + " could not be loaded")); };
      document.head.appendChild(script);
    });
  }
  function load(name) {
    if (shards.has(name)) return Promise.resolve();
    let here = underway.get(name);
    if (!here && coming.has(name)) here = coming.get(name).here.then(function () { underway.delete(name); return load(name); });
    else if (!here) {
      here = (config.read || (config.served ? fetched : scripted))(name).then(function () {
        underway.delete(name);
        if (!shards.has(name)) throw new Stale();
      }, function (error) { underway.delete(name); throw error; });
    }
    underway.set(name, here);
    return here;
  }
  class Stale extends Error {}
  /** `came(name)` is told of each as it comes: what can be worked out then need not wait for the last. */
  RS.load = function (names, came) {
    return Promise.all(names.map(function (name) {
      return came ? load(name).then(function () { try { came(name); } catch (error) { /* shows when all is there */ } }) : load(name);
    }));
  };
  RS.loaded = function () { return shards.size; };

  /** Runs `work` until nothing it asks for is missing. A new build in between starts everything again, once. */
  RS.settle = async function (work) {
    for (let again = 0; ; ) {
      try {
        if (!shards.has("start")) await load("start");
        return work();
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        try { await RS.load(error.names, error.came); } catch (fault) {
          if (!(fault instanceof Stale) || again++) throw fault;
          RS.forget();
        }
      }
    }
  };
  RS.shard = function (name) {
    const value = shards.get(name);
    if (value === undefined) throw new Missing([name]);
    return value;
  };
  /** Asks for many at once; `came` as in `RS.load`. */
  RS.want = function (names, came) {
    const missing = [...new Set(names)].filter(function (name) { return !shards.has(name); });
    if (missing.length) throw new Missing(missing, came);
  };
  /** `make()` once for this data. */
  function once(key, make) {
    let value = made.get(key);
    if (value === undefined) { value = make(); made.set(key, value); }
    return value;
  }
  RS.once = once;
  /** As `once`, for what belongs to one query: the last few are kept. */
  const recent = new Map();
  RS.lately = function (key, make) {
    let value = recent.get(key);
    if (value === undefined) {
      value = make();
      recent.set(key, value);
      if (recent.size > 30) recent.delete(recent.keys().next().value);
    }
    return value;
  };

  // --- the start data

  const start = function () { return RS.shard("start"); };
  RS.size = function () { return start().size; };
  RS.compact = function () { return start().compact; };
  RS.cardCounts = function () { return once("cards", function () { return RS.numbers(RS.shard("each").cards); }); };
  RS.lengths = function () { return once("lengths", function () { return RS.numbers(RS.shard("each").lengths); }); };
  RS.superseded = function () { return once("superseded", function () { const out = new Uint8Array(RS.size()); for (const n of RS.rising(RS.shard("each").superseded)) out[n] = 1; return out; }); };
  RS.isKeyword = function (term) { return once("keywords", function () { return new Set(start().keywords.split(" ")); }).has(term); };
  RS.isType = function (stem) { const types = RS.shard("each").types; return once("types", function () { return new Set(types.split(" ")); }).has(stem); };
  /** How many rulings use a name as ordinary words. From 61 on it makes no difference. */
  RS.usual = function (key) {
    const all = once("usual", function () {
      return Object.entries(RS.shard("each").usual).map(function (pair) { return [Number(pair[0]), " " + pair[1] + " "]; });
    });
    const found = all.find(function (pair) { return pair[1].includes(" " + key + " "); });
    return found ? found[0] : 0;
  };
  /** False where no name has this key; true is not certain. */
  RS.maybeCalled = function (key) { return inFilter("called", key); };
  /** False where no name has this word. */
  RS.maybeInName = function (stem) { return inFilter("words", stem); };
  const FILTER_BLOCK = 4096;
  function inFilter(name, text) {
    const filter = RS.shard("each")[name], blocks = once("filter " + name, function () { return filter[1].split(" "); });
    const at = RS.spread(text) % filter[0];
    return RS.rising(blocks[Math.floor(at / FILTER_BLOCK)]).includes(at % FILTER_BLOCK);
  }
  RS.slug = function (name) {
    const odd = start().slugs;
    if (Object.prototype.hasOwnProperty.call(odd, name)) return odd[name];
    return RS.fold(name).replace(/['’]/g, "").replace(/&/g, " and ").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  };

  // --- words

  function shardOf(kind, text) { return kind + "/" + (RS.spread(text) % start().shards[kind]); }
  RS.shardOf = shardOf;
  RS.termShard = function (term) {
    const heavy = once("heavy", function () { return new Map(start().heavy.split(" ").map(function (t, n) { return [t, n]; })); });
    const home = RS.homeOf(term);
    return heavy.has(home) ? "h/" + heavy.get(home) : shardOf("t", home);
  };
  const EMPTY = { idf: 0, docs: [], impacts: [], more: [] };
  function own(table, key) { return Object.prototype.hasOwnProperty.call(table, key) ? table[key] : undefined; }
  /** {idf, docs, impacts, more} of a ranking term; `more` hold the word only by a card's name. */
  RS.posting = function (term) {
    const row = own(RS.shard(RS.termShard(term)), term);
    if (!row) return EMPTY;
    return once("term " + term, function () {
      const docs = RS.rising(row[1]), codes = RS.numbers(row[2]), lengths = RS.lengths(), impacts = new Array(docs.length);
      let at = 0;
      for (let i = 0; i < docs.length; i++) {
        // The impact of so many occurrences in the canonical wording; 0 says that it stands here as it is.
        const code = codes[at++];
        impacts[i] = code ? RS.impact(code, lengths[docs[i]]) : codes[at++];
      }
      return { idf: row[0], docs: docs, impacts: impacts, more: row[3] ? RS.rising(row[3]) : [] };
    });
  };
  RS.frequency = function (term) { return RS.posting(term).docs.length; };

  /** Where an exact word stands: document -> places. `kind` is p for rulings, o for Oracle texts. */
  RS.placesIn = function (kind, shard, word) {
    const text = own(RS.shard(shard), word);
    if (text === undefined) return null;
    return once(kind + " " + word, function () {
      const steps = RS.numbers(text), found = new Map();
      let n = 0;
      for (let i = 0; i < steps.length; ) {
        n += steps[i++];
        const many = steps[i++] + 1, places = new Array(many);
        let place = 0;
        for (let j = 0; j < many; j++) { place += steps[i++]; places[j] = place; }
        found.set(n, places);
      }
      return found;
    });
  };
  RS.placeShard = function (kind, word) {
    const heavy = once("heavy places", function () { return new Map(start().heavyPlaces.split(" ").map(function (w, n) { return [w, n]; })); });
    return kind === "p" && heavy.has(word) ? "q/" + heavy.get(word) : shardOf(kind, RS.stem(word));
  };
  RS.places = function (kind, word) { return RS.placesIn(kind, RS.placeShard(kind, word), word); };

  const LETTERS = "abcdefghijklmnopqrstuvwxyz";
  function letter(word) { return LETTERS.indexOf(word[0]) >= 0 ? word[0] : "_"; }
  /** The words that begin with one letter: exact ones with their number of documents, and those of names. */
  RS.wordsLike = function (word) {
    const at = letter(word), shard = RS.shard("w/" + at);
    return once("words " + at, function () {
      const exact = shard[0] ? shard[0].split(" ") : [], counts = RS.numbers(shard[1]);
      return { exact: new Map(exact.map(function (w, i) { return [w, counts[i]]; })), names: shard[2] ? shard[2].split(" ") : [] };
    });
  };
  RS.allWords = function () {
    const names = Array.from(LETTERS + "_");
    RS.want(names.map(function (at) { return "w/" + at; }));
    return [].concat(...names.map(function (at) { return Array.from(RS.wordsLike(at).exact.keys()); }));
  };

  // --- cards: {n, name, docs, self}; `self` says of each ruling whether it names the card

  function cardsIn(shardName) {
    const shard = RS.shard(shardName);
    return once("cards " + shardName, function () {
      return shard[0].map(function (row) {
        const marked = RS.rising(row[2]);
        return { n: row[0], name: row[1], docs: marked.map(function (x) { return x >> 1; }), self: marked.map(function (x) { return (x & 1) === 1; }) };
      });
    });
  }
  /** The cards with this key of a name: [{card, kind}]. */
  RS.called = function (key) {
    if (!RS.maybeCalled(key)) return [];
    const name = shardOf("n", key), row = own(RS.shard(name)[1], key);
    if (row === undefined) return [];
    const cards = cardsIn(name), pairs = RS.numbers(row), out = [];
    for (let i = 0; i < pairs.length; i += 2) out.push({ card: cards[pairs[i]], kind: pairs[i + 1] });
    return out;
  };
  /** The cards with this word in their name; only their number where there are many. */
  RS.withWord = function (stem) {
    if (!RS.maybeInName(stem)) return { count: 0, cards: [] };
    const name = shardOf("x", stem), row = own(RS.shard(name)[1], stem);
    if (row === undefined) return { count: 0, cards: [] };
    if (typeof row === "number") return { count: row, cards: null };
    const cards = cardsIn(name), found = RS.rising(row).map(function (at) { return cards[at]; });
    return { count: found.length, cards: found };
  };
  /** The numbers of all cards with this word. */
  RS.numbersWithWord = function (stem) {
    const found = RS.withWord(stem);
    if (found.cards) return found.cards.map(function (card) { return card.n; });
    return RS.rising(own(RS.shard("f/many"), stem) || "");
  };
  RS.rulingsOfCards = function () {
    const text = RS.shard("f/cards");
    return once("f/cards", function () { return text.split(" "); });
  };

  // --- documents

  /** Read for one document alone: a phone need not read some ten thousand numbers before the first results. */
  RS.textShard = function (n) {
    const where = RS.shard("each").where, width = where.length / RS.size();
    let at = 0;
    for (let i = n * width; i < (n + 1) * width; i++) at = at * 64 + VALUE[where.charCodeAt(i)];
    return "s/" + at;
  };
  function rowOf(n) {
    const name = RS.textShard(n), shard = RS.shard(name);
    return shard[1 + once("numbers of " + name, function () { return RS.rising(shard[0]); }).indexOf(n)];
  }
  RS.document = function (n) {
    const row = rowOf(n);
    const cards = row[2], newest = row[5] || row[4];
    return {
      n: n, id: row[0], text: row[1], cards: cards, cardsTotal: row[3], firstDate: row[4] || null, date: newest || null, topics: row[6],
      status: row[7] ? "superseded" : "current", supersededBy: row[8] || null, named: row[9] || cards.slice(0, 1).filter(function () { return row[9] === 0 || row[9] === undefined; }),
      stands: row[10] || []
    };
  };
  /** All wordings of a document: [[factor of its impacts, text]]. */
  RS.wordings = function (n) {
    const row = rowOf(n), more = row[11] || [], out = [[RS.tables.ranking.wording.canonical, row[1]]];
    for (let i = 0; i < more.length; i += 2) out.push([more[i], more[i + 1]]);
    return out;
  };
  /** The rarest terms of a card's Oracle text: [[term, idf]]. */
  RS.oracleTerms = function (card) {
    const shard = RS.shard("k/" + (card % start().shards.k));
    const idf = RS.once("oracle terms " + (card % start().shards.k), function () { return { terms: shard[0].split(" "), idf: RS.numbers(shard[1]) }; });
    return RS.numbers(shard[2][card] || "").map(function (at) { return [idf.terms[at], idf.idf[at]]; });
  };
  RS.oracleTermShard = function (card) { return "k/" + (card % start().shards.k); };
  /** A fact by document: labels, where the members of each begin, members. */
  RS.listOf = function (name) {
    const shard = RS.shard("f/" + name);
    return once("list " + name, function () {
      const all = RS.numbers(shard[1]), starts = [], members = [];
      for (let i = 0; i < all.length; ) {
        starts.push(members.length);
        for (let left = all[i++]; left > 0; left--) members.push(all[i++]);
      }
      starts.push(members.length);
      return { labels: shard[0], starts: starts, members: members };
    });
  };
  RS.docsIn = function (shardName, key) {
    const text = own(RS.shard(shardName), key);
    return text === undefined ? [] : RS.rising(text);
  };
  RS.docsOfId = function (id) { return own(RS.shard(shardOf("i", id)), id) || []; };
  RS.ruleShard = function (number) { return "r/" + (Number(number.slice(0, 3)) % start().shards.r); };
  RS.titles = function () { return RS.shard("f/titles"); };
})();
