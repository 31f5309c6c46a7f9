/* The search page: reads ?q=, finds rulings in the data scripts, lists them. */
(function () {
  "use strict";
  var Rulings = window.Rulings;
  var query = new URLSearchParams(location.search).get("q") || "";
  Array.prototype.forEach.call(document.querySelectorAll("input[type=search]"), function (input) { input.value = query; });
  var tally = document.getElementById("tally"), hits = document.getElementById("hits");
  var STEP = 20, shown = STEP, found = [];
  if (!query.trim()) { tally.textContent = "Type a card, words, a rule or an id."; return; }
  document.title = query + " · Rulings";
  document.getElementById("results-title").textContent = "Results for " + query;
  Promise.all(["assets/symbols.js", "assets/text.js", "data/cards.js", "data/rulings.js"].map(Rulings.load)).then(run, function () {
    tally.textContent = "The search data could not be loaded.";
  });

  function parse(text) {
    var terms = [], pattern = /(-)?(?:(topic|card|date|year):)?(?:"([^"]*)"|(\S+))/g, m;
    while ((m = pattern.exec(text))) terms.push({ not: !!m[1], field: m[2] || "", text: (m[3] || m[4] || "").toLowerCase(), phrase: m[3] !== undefined });
    return terms;
  }
  function plain(text) { return text.toLowerCase().replace(/[‘’]/g, "'").replace(/[“”]/g, '"'); }
  function places(text, term) {
    var out = [], at = -1, want = plain(term.text);
    if (want === "energy" && text.indexOf("{e}") >= 0) want = "{e}";
    while (want && (at = text.indexOf(want, at + 1)) >= 0) {
      var before = text[at - 1] || " ", after = text[at + want.length] || " ";
      if (/[a-z0-9]/.test(want[0]) && /[a-z0-9']/.test(before)) continue;
      if (/[a-z0-9]$/.test(want) && /[a-z0-9']/.test(after) && !(after === "s")) continue;
      out.push([at, at + want.length]);
    }
    return out;
  }
  function run() {
    var cards = window.RULINGS_CARDS, data = window.RULINGS_TEXTS;
    var terms = parse(query);
    data.rulings.forEach(function (row) {
      var text = plain(row[1]), marks = [], score = 0;
      var names = row[3].map(function (n) { return plain(cards[n][0]); });
      var ok = terms.every(function (term) {
        var yes;
        if (term.field === "topic") yes = row[4].indexOf(term.text) >= 0;
        else if (term.field === "card") yes = names.some(function (name) { return name.indexOf(term.text) >= 0; });
        else if (term.field) yes = row[2].indexOf(term.text) === 0;
        else {
          var at = places(text, term);
          yes = at.length > 0;
          if (!yes && !term.phrase && (names.some(function (name) { return name.indexOf(term.text) >= 0; }) || row[0] === term.text)) { yes = true; score += 1; }
          if (!term.not) { marks = marks.concat(at); score += at.length ? 2 + 20 / text.length : 0; }
        }
        return yes !== term.not;
      });
      if (ok) found.push([score + Math.min(row[3].length, 50) / 500, row, marks]);
    });
    found.sort(function (a, b) { return b[0] - a[0] || (a[1][0] < b[1][0] ? -1 : 1); });
    var on = {};
    found.forEach(function (f) { f[1][3].forEach(function (n) { on[n] = 1; }); });
    var many = function (n, word) { return n.toLocaleString("en") + " " + word + (n === 1 ? "" : "s"); };
    tally.innerHTML = "<b>" + many(found.length, "ruling") + "</b> on " + many(Object.keys(on).length, "card") + ".";
    if (Rulings.days > 90) {
      var stale = document.getElementById("stale");
      stale.querySelector("b").textContent = "This base is " + Rulings.days + " days old.";
      stale.hidden = false;
    }
    draw(cards);
    document.querySelector("#more button").addEventListener("click", function () { shown += STEP; draw(cards); });
  }
  function draw(cards) {
    hits.innerHTML = found.slice(0, shown).map(function (f) { return hit(f[1], f[2], cards); }).join("");
    document.getElementById("more").hidden = found.length <= shown;
  }
  function hit(row, marks, cards) {
    var first = row[3].length ? cards[row[3][0]] : null, esc = Rulings.escapeHtml, more = row[3].length - 1;
    var where = first ? '<a href="' + Rulings.href("card/" + first[1] + "/index.html#" + row[0]) + '">' + esc(Rulings.typeset(first[0])) + "</a>" + (more > 0 ? "<span>and " + more + " more card" + (more > 1 ? "s" : "") + "</span>" : "") : "General note";
    var name = more > 0 ? "On " + row[3].length + " cards" : first ? first[0] : "General note";
    var from = row[2] ? "Official ruling, " + Rulings.date(row[2]) : "Official ruling, undated";
    return '<li class="hit" id="' + row[0] + '"><p class="where">' + where + '</p><div class="body' + (row[1].length > 320 ? " long" : "") + '" id="show-' + row[0] + '" data-card="' + esc(Rulings.typeset(name)) + '" data-from="' + esc(from) + '"><p class="text">' + Rulings.prose(row[1], marks.sort(function (a, b) { return a[0] - b[0]; })) + "</p></div>" +
      '<div class="under"><span>' + (row[2] ? '<time datetime="' + row[2] + '">' + Rulings.date(row[2], true) + "</time>" : "undated") + '</span><a class="id" href="' + Rulings.href("r/" + row[0] + "/index.html") + '">' + row[0] + '</a><span class="acts"><a href="' + Rulings.href("r/" + row[0] + "/index.html#cite") + '" aria-label="Cite ' + row[0] + '">Cite</a><a href="#show-' + row[0] + '" aria-label="Show ' + row[0] + ' to a player">Show</a></span></div></li>';
  }
})();
