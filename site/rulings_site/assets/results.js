/* The search page: results while a person types, facets, orders, the query in the address. */
(function () {
  "use strict";
  var Rulings = window.Rulings;
  var $ = function (id) { return document.getElementById(id); };
  var esc = Rulings.escapeHtml;
  // Facets count over all results: who is asking for the next ones already shall not wait for that.
  var FIRST = 10, STEP = 20, WAIT = 150, WAIT_FOR_ERROR = 700, FACETS_AFTER = 120;
  var NAMES = { topic: "Topic", on: "Stands on", year: "Year", type: "Card type", section: "Rule", source: "Source" };
  var ORDERS = ["relevance", "newest", "oldest", "card", "shared"];
  var inputs = Array.prototype.slice.call(document.querySelectorAll("input[type=search]"));
  var box = $("results"), tally = $("tally"), hits = $("hits"), more = $("more"), fault = $("fault"), did = $("did"), order = $("order");
  var state = read(), turn = 0, shown = 0, total = 0, drawn = null, timer = 0;

  function read() {
    var from = new URLSearchParams(location.search);
    var filters = [];
    Object.keys(NAMES).forEach(function (name) { from.getAll(name).forEach(function (label) { filters.push([name, label]); }); });
    var sort = from.get("sort") || "";
    return { text: from.get("q") || "", filters: filters, sort: ORDERS.indexOf(sort) > 0 ? sort : "relevance", plain: from.get("plain") === "1" };
  }
  function address(of) {
    var to = new URLSearchParams();
    if (of.text) to.set("q", of.text);
    of.filters.forEach(function (pair) { to.append(pair[0], pair[1]); });
    if (of.sort !== "relevance") to.set("sort", of.sort);
    if (of.plain) to.set("plain", "1");
    var said = to.toString();
    return location.pathname + (said ? "?" + said : "");
  }
  function remember(push) {
    try { history[push ? "pushState" : "replaceState"](null, "", address(state)); } catch (e) { /* some browsers, from a disk */ }
  }
  function change(part, push) {
    state = Object.assign({}, state, part);
    run(false, function () { remember(push); });
  }
  var number = Rulings.number;
  var many = function (n, word) { return number(n) + " " + word + (n === 1 ? "" : "s"); };
  function link(of, text, attributes) { return '<a href="' + esc(address(of)) + '"' + (attributes || "") + ">" + text + "</a>"; }
  function asking(text) { return Object.assign({}, state, { text: text, filters: [], plain: false }); }

  // --- asking and drawing

  function pause(time) { return new Promise(function (resolve) { setTimeout(resolve, time); }); }
  function ask(kind, text, options) {
    return Rulings.load("search/engine.js").then(function () { return Rulings.ask(kind, text, options); });
  }
  function entitle(text) {
    document.title = (text ? text + " · " : "Search · ") + "Rulings";
    $("results-title").textContent = text ? "Results for " + text : "Search";
    document.documentElement.classList.toggle("asked", Boolean(text));
  }
  /** `note` puts a new question into the address. Its data is asked for first; a phone does the rest while that comes. */
  function run(typing, note) {
    var text = state.text.trim(), mine = ++turn;
    if (note) setTimeout(function () { if (mine === turn) { note(); entitle(text); } }); else entitle(text);
    $("facets-phone").hidden = $("order-row").hidden = false;
    if (!text) { wipe(); tally.textContent = "Type a card, words, a rule or an id."; box.setAttribute("aria-busy", "false"); return; }
    box.setAttribute("aria-busy", "true");
    var options = { limit: FIRST, filters: state.filters, sort: state.sort, plain: state.plain };
    ask("search", text, options).then(function (answer) {
      if (mine !== turn) return;
      draw(answer);
      return pause(FACETS_AFTER).then(function () {
        if (mine === turn) return ask("facets", text, options).then(function (found) { if (mine === turn) drawFacets(found); });
      });
    }).catch(function (error) {
      if (mine !== turn) return;
      // A query that is still being typed is often not whole yet.
      if (error.kind === "query" && typing) timer = setTimeout(function () { if (mine === turn) failed(error); }, WAIT_FOR_ERROR);
      else failed(error);
    });
  }
  function wipe() {
    hits.textContent = "";
    more.hidden = did.hidden = fault.hidden = $("stale").hidden = $("card-found").hidden = true;
    $("facets").textContent = "";
    drawn = null;
  }
  function failed(error) {
    wipe();
    box.setAttribute("aria-busy", "false");
    var query = error.kind === "query";
    tally.textContent = query ? "This could not be understood." : "The search could not run.";
    $("fault-what").textContent = error.message.charAt(0).toUpperCase() + error.message.slice(1) + ".";
    $("fault-hint").textContent = query ? error.hint || "" : "Load the page again when there is a network.";
    var where = $("fault-where");
    where.hidden = !query;
    if (query) {
      // The query, and a caret under the column.
      where.textContent = error.query + "\n" + error.query.slice(0, error.column).replace(/[^\t]/g, " ") + "^";
      var plain = Object.assign({}, state, { plain: true });
      $("fault-plain").innerHTML = link(plain, "Search for these as plain words");
    }
    $("fault-plain").hidden = !query;
    $("order-row").hidden = $("facets-phone").hidden = true;
    fault.hidden = false;
  }
  function draw(answer) {
    fault.hidden = true;
    box.setAttribute("aria-busy", "false");
    drawn = answer;
    total = answer.total;
    shown = answer.hits.length;
    hits.innerHTML = answer.hits.map(hit).join("");
    more.hidden = shown >= total;
    tally.innerHTML = said(answer);
    $("order-row").hidden = !total;
    did.innerHTML = offers(answer);
    did.hidden = !did.innerHTML;
    cardFound(answer);
    var old = $("stale");
    if (Rulings.days > 90) {
      old.querySelector("b").textContent = "This base is " + Rulings.days + " days old.";
      old.hidden = false;
    }
  }
  function said(answer) {
    var within = state.filters.map(function (pair) { return pair[0] === "on" ? (pair[1] === "one" ? "one card" : "several cards") : labelOf(pair[0], pair[1]); });
    var place = within.length ? " in " + esc(within.join(", ")) : "";
    if (!answer.total) return "<b>Nothing</b>" + place + " fits “" + esc(answer.query) + "”.";
    if (!answer.plain || place) return "<b>" + many(answer.total, "ruling") + "</b>" + place + ".";
    var all = answer.allWords, near = answer.total - all;
    if (answer.asked < 2) return "<b>" + many(answer.total, "ruling") + "</b>.";
    if (all) return "<b>" + many(all, "ruling") + "</b> with " + (answer.asked === 2 ? "both" : "all " + words(answer.asked)) + " words" + (near > 0 ? ", " + number(near) + " that come close" : "") + ".";
    if (answer.card || !answer.closest || !answer.closest.together) return "<b>" + many(answer.total, "ruling") + "</b> that come close.";
    return "No ruling has " + (answer.asked === 2 ? "both" : "all " + words(answer.asked)) + " words; " + (answer.closest.together > 1 ? "the closest have " + words(answer.closest.together) + ". " : "") + "<b>" + many(answer.total, "ruling") + "</b> that come close.";
  }
  function words(n) { return ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"][n] || String(n); }
  function offers(answer) {
    var out = [];
    answer.mended.forEach(function (pair) { out.push("“" + esc(pair[0]) + "” was read as “" + esc(pair[1]) + "”."); });
    if (answer.suggestions.length) out.push("Did you mean " + answer.suggestions.map(function (text) { return link(asking(text), "“" + esc(text) + "”"); }).join(", ") + "?");
    answer.relaxed.forEach(function (offer) { out.push("Without “" + esc(offer.without) + "”: " + link(asking(offer.query), many(offer.total, "ruling")) + "."); });
    if (!answer.total && state.filters.length && answer.listed) out.push(link(Object.assign({}, state, { filters: [] }), "Show all " + many(answer.listed, "ruling")) + ".");
    if (!answer.total && !out.length && /^[^\W_]{3,}$/.test(answer.query)) out.push("Words that begin so: " + link(asking(answer.query + "*"), esc(answer.query) + "*") + ".");
    var id = /^r(?:-|(?=.*\d))[0-9a-z]{8}(?:[0-9a-z]{2})?$/i.exec(state.text.trim());
    if (id) out.push('<a href="' + Rulings.href("r/index.html") + "#" + esc(state.text.trim().toLowerCase()) + '">Open the ruling ' + esc(state.text.trim().toLowerCase()) + "</a>.");
    var rule = /^(?:(?:cr|rule)\s*)?(\d{3}(?:\.\d{1,3}[a-z]?)?)\.?$/i.exec(state.text.trim());
    if (rule && rule[1].indexOf(".") > 0 && box.dataset.rules !== undefined) out.push('<a href="' + Rulings.href("rule/" + rule[1].toLowerCase() + "/index.html") + '">Open rule ' + esc(rule[1]) + "</a>.");
    return out.join(" ");
  }
  function cardFound(answer) {
    var card = $("card-found");
    card.hidden = !answer.card;
    if (answer.card) {
      card.firstElementChild.href = Rulings.href("card/" + answer.cardSlug + "/index.html");
      card.firstElementChild.textContent = Rulings.typeset(answer.card);
    }
  }
  function hit(found) {
    var card = found.cards[0], others = found.cardsTotal - 1, page = drawn.compact ? "r/index.html#" + found.id : "r/" + found.id + "/index.html";
    var where = card ? '<a href="' + Rulings.href("card/" + found.slug + "/index.html") + "#" + found.id + '">' + esc(Rulings.typeset(card)) + "</a>" + (others > 0 ? "<span>and " + number(others) + " more card" + (others > 1 ? "s" : "") + "</span>" : "") : "General note";
    var name = others > 0 ? "On " + number(found.cardsTotal) + " cards" : card || "General note";
    var from = found.date ? "Official ruling, " + Rulings.date(found.date) : "Official ruling, undated";
    var notes = "";
    if (found.status === "superseded" || found.supersededBy) notes += "<span>superseded</span>";
    if (found.note) notes += "<span>" + esc(found.note) + "</span>";
    if (found.lacks.length && found.lacks.length < 4) notes += '<span class="lacks">without ' + found.lacks.map(function (word) { return "<s>" + esc(word) + "</s>"; }).join(" ") + "</span>";
    return '<li class="hit" id="' + found.id + '"><p class="where">' + where + '</p><div class="body' + (found.text.length > 320 ? " long" : "") + '" id="show-' + found.id + '" data-card="' + esc(Rulings.typeset(name)) + '" data-from="' + esc(from) + '"><p class="text">' +
      Rulings.prose(found.text, found.highlights) + '</p></div><div class="under"><span>' + (found.date ? '<time datetime="' + found.date + '">' + Rulings.date(found.date, true) + "</time>" : "undated") + '</span><a class="id" href="' + Rulings.href(page) + '">' + found.id + "</a>" + notes +
      '<span class="acts"><a href="' + Rulings.href(drawn.compact ? page : page + "#cite") + '" aria-label="Cite ' + found.id + '">Cite</a><a href="#show-' + found.id + '" aria-label="Show ' + found.id + ' to a player">Show</a></span></div></li>';
  }
  more.querySelector("button").addEventListener("click", function () {
    var mine = turn, from = shown;
    ask("search", state.text.trim(), { limit: STEP, offset: from, filters: state.filters, sort: state.sort, plain: state.plain }).then(function (answer) {
      if (mine !== turn || from !== shown) return;
      hits.insertAdjacentHTML("beforeend", answer.hits.map(hit).join(""));
      shown += answer.hits.length;
      more.hidden = shown >= total;
      var first = hits.children[from] && hits.children[from].querySelector("a");
      if (first) first.focus({ preventScroll: true });
    });
  });

  // --- facets

  var titles = {}, open = "";
  function labelOf(facet, label) { return facet === "topic" ? titles[label] || label.replace(/-/g, " ") : facet === "type" ? label.charAt(0).toUpperCase() + label.slice(1) : label; }
  function chosen(facet, label) { return state.filters.some(function (pair) { return pair[0] === facet && pair[1] === label; }); }
  function toggled(facet, label) {
    var rest = state.filters.filter(function (pair) { return !(pair[0] === facet && pair[1] === label); });
    return Object.assign({}, state, { filters: rest.length < state.filters.length ? rest : rest.concat([[facet, label]]) });
  }
  function drawFacets(found) {
    Object.assign(titles, found.titles);
    if (drawn) tally.innerHTML = said(drawn);
    var groups = Object.keys(NAMES).map(function (name) {
      var values = name === "on" ? [["one", found.one], ["several", found.total - found.one]].filter(function (v) { return v[1]; }) : found.facets[name];
      state.filters.forEach(function (pair) { if (pair[0] === name && !values.some(function (v) { return v[0] === pair[1]; })) values = [[pair[1], 0]].concat(values); });
      return [name, values.slice().sort(function (a, b) { return chosen(name, b[0]) - chosen(name, a[0]); })];
    }).filter(function (group) { return group[0] === "source" || group[0] === "on" ? group[1].length > 1 || state.filters.some(function (p) { return p[0] === group[0]; }) : group[1].length; });
    var item = function (name) {
      return function (value) {
        var text = name === "on" ? (value[0] === "one" ? "One card" : "Several cards") : name === "section" ? "Rules " + value[0] : labelOf(name, value[0]);
        return "<li>" + link(toggled(name, value[0]), esc(text) + "<span>" + number(value[1]) + "</span>", chosen(name, value[0]) ? ' aria-current="true"' : "") + "</li>";
      };
    };
    $("facets").innerHTML = groups.map(function (group, n) {
      var first = group[1].slice(0, 6), rest = group[1].slice(6);
      return '<div><h2 id="f' + n + '">' + NAMES[group[0]] + '</h2><ul aria-labelledby="f' + n + '">' + first.map(item(group[0])).join("") + "</ul>" +
        (rest.length ? "<details><summary>" + rest.length + " more</summary><ul>" + rest.map(item(group[0])).join("") + "</ul></details>" : "") + "</div>";
    }).join("");
    var row = $("facets-phone"), panel = $("facet-panel");
    row.innerHTML = groups.map(function (group) {
      var one = state.filters.filter(function (pair) { return pair[0] === group[0]; })[0];
      return '<button class="button' + (one ? " open" : "") + '" type="button" data-facet="' + group[0] + '" aria-controls="facet-panel" aria-expanded="' + (open === group[0]) + '">' + esc(one ? (group[0] === "on" ? (one[1] === "one" ? "One card" : "Several cards") : labelOf(group[0], one[1])) : NAMES[group[0]]) + "</button>";
    }).join("");
    var now = groups.filter(function (group) { return group[0] === open; })[0];
    panel.hidden = !now;
    panel.innerHTML = now ? "<ul>" + now[1].slice(0, 30).map(item(open)).join("") + "</ul>" : "";
    row.onclick = function (event) {
      var button = event.target.closest("button");
      if (!button) return;
      open = open === button.dataset.facet ? "" : button.dataset.facet;
      drawFacets(found);
      row.querySelector('[data-facet="' + button.dataset.facet + '"]').focus();
    };
  }

  // --- the person: typing, keys, links, the address

  inputs.forEach(function (input) {
    input.addEventListener("input", function () {
      inputs.forEach(function (other) { if (other !== input) other.value = input.value; });
      clearTimeout(timer);
      timer = setTimeout(function () {
        state = Object.assign({}, state, { text: input.value, filters: [], plain: false });
        run(true, function () { remember(false); });
      }, WAIT);
    });
    input.form.addEventListener("submit", function (event) {
      event.preventDefault();
      clearTimeout(timer);
      var same = input.value === state.text;
      change(same ? {} : { text: input.value, filters: [], plain: false }, !same || address(state) !== location.pathname + location.search);
    });
    input.addEventListener("keydown", function (event) {
      if (event.key === "ArrowDown" && hits.firstElementChild) { event.preventDefault(); focusHit(0); }
      else if (event.key === "Escape" && input.value) { event.preventDefault(); input.value = ""; input.dispatchEvent(new Event("input")); }
    });
  });
  function focusHit(at) {
    var rows = hits.children;
    if (at < 0) { inputs.filter(function (input) { return input.offsetParent !== null; })[0].focus(); return; }
    if (at >= rows.length) { if (!more.hidden) more.querySelector("button").focus(); return; }
    rows[at].querySelector("a").focus();
    rows[at].scrollIntoView({ block: "nearest" });
  }
  hits.addEventListener("keydown", function (event) {
    var at = Array.prototype.indexOf.call(hits.children, event.target.closest(".hit"));
    if (event.key === "ArrowDown") { event.preventDefault(); focusHit(at + 1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); focusHit(at - 1); }
    else if (event.key === "Escape" && !/^#show-/.test(location.hash)) { event.preventDefault(); focusHit(-1); }
  });
  hits.addEventListener("focusin", function (event) { mark(event.target.closest(".hit")); });
  hits.addEventListener("focusout", function () { mark(null); });
  function mark(row) { Array.prototype.forEach.call(hits.children, function (other) { other.classList.toggle("on", other === row); }); }
  // Links that lead to another search of this page ask for it here.
  box.addEventListener("click", function (event) {
    var a = event.target.closest && event.target.closest("a[href]");
    if (!a || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || a.pathname !== location.pathname || a.hash || !a.search) return;
    try { history.pushState(null, "", a.href); } catch (e) { return; }
    event.preventDefault();
    follow();
    if (!a.closest(".facets, .facet-panel")) scrollTo(0, 0);
  });
  order.addEventListener("change", function () { change({ sort: order.value }, true); });
  addEventListener("popstate", function () { if (address(read()) !== address(state)) follow(); });
  function follow() {
    state = read();
    inputs.forEach(function (input) { input.value = state.text; });
    order.value = state.sort;
    run(false);
  }
  follow();
})();
