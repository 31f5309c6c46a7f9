/* Card names under the search box while a person types: three letters offer the card, Enter opens it. */
(function () {
  "use strict";
  var Rulings = window.Rulings, LIMIT = 6;
  var FACES = /\s*\/\/(?=\s|$)/g;  // between the faces of a card: Fire // Ice

  Rulings.names = function (input) {
    if (input.dataset.names) return;
    input.dataset.names = "1";
    var list = document.createElement("ul");
    var id = input.id + "-types";
    list.id = id;
    list.className = "types";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Cards");
    list.hidden = true;
    var dock = input.closest(".dock");
    if (dock) { list.classList.add("up"); dock.insertBefore(list, dock.firstChild); } else input.closest(".find").appendChild(list);
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-controls", id);
    input.setAttribute("aria-autocomplete", "list");
    // Where results show while one types, Enter asks for them; a card is opened only when it was chosen.
    var results = Boolean(document.getElementById("results"));
    var found = [], chosen = -1, asked = 0, closed = "", pause = 0;

    function choose(at) {
      chosen = at;
      Array.prototype.forEach.call(list.children, function (row, n) { row.setAttribute("aria-selected", String(n === at)); });
      if (at >= 0) input.setAttribute("aria-activedescendant", id + at); else input.removeAttribute("aria-activedescendant");
    }
    function close() {
      asked++;
      clearTimeout(pause);
      list.hidden = true;
      input.setAttribute("aria-expanded", "false");
      choose(-1);
    }
    function go(at) {
      var card = found[at];
      if (!card) { close(); input.form.requestSubmit(); return; }
      location.href = card.page ? Rulings.href("card/" + card.slug + "/index.html") : Rulings.href("search/index.html") + "?q=" + encodeURIComponent('card:"' + card.name + '"');
    }
    var esc = function (text) { return Rulings.escapeHtml(text); };
    /** The name with the typed letters bold. */
    function bold(name) {
      var words = input.value.replace(FACES, " ").trim().split(/\s+/).filter(Boolean).map(function (word) { return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/['’]/g, "['’]"); });
      var typed = words.length && new RegExp("(^|[\\s\\-(\"“])(" + words.join("[^\\p{L}\\p{N}]+") + ")", "iu").exec(name);
      if (!typed) return esc(name);
      var at = typed.index + typed[1].length;
      return esc(name.slice(0, at)) + "<b>" + esc(name.slice(at, at + typed[2].length)) + "</b>" + esc(name.slice(at + typed[2].length));
    }
    function draw(cards) {
      found = cards;
      if (!cards.length) { list.hidden = true; input.setAttribute("aria-expanded", "false"); choose(-1); return; }
      list.innerHTML = cards.map(function (card, n) {
        var also = card.also ? " <small>" + bold(Rulings.typeset(card.also)) + "</small>" : card.matched < 0 ? " <small>spelt nearly so</small>" : "";
        return '<li role="option" id="' + id + n + '"><span class="nm">' + bold(Rulings.typeset(card.name)) + also + '</span><span class="cost">' + Rulings.prose(card.cost) +
          '</span><span class="n">' + card.rulings + '<span class="vh"> ruling' + (card.rulings === 1 ? "" : "s") + "</span></span></li>";
      }).join("") + '<li role="option" class="all" id="' + id + cards.length + '"><span class="nm">Search all rulings for “' + esc(input.value) + "”</span><span></span><span></span></li>";
      list.hidden = false;
      input.setAttribute("aria-expanded", "true");
      choose(results || !cards[0].opens ? -1 : 0);
    }
    function show() {
      if (!Rulings.ask || !Rulings.prose) return;  // not here yet; what was typed is shown when they are
      var text = input.value, turn = ++asked;
      clearTimeout(pause);
      if (text.trim().length < 3 || text === closed || /["(:*~/]/.test(text.replace(FACES, " "))) { draw([]); return; }
      Rulings.ask("typed", text, { limit: LIMIT }).then(function (cards) {
        if (turn !== asked) return;
        draw(cards);
        // Only a whole name can be spelt nearly so; the list of all names is large, and waits for a pause.
        if (!cards.length && text.trim().length > 3 && text.trim().split(/\s+/).length < 5) {
          pause = setTimeout(function () {
            Rulings.ask("nearly", text, { limit: LIMIT }).then(function (near) { if (turn === asked) draw(near); }, function () { /* no network */ });
          }, results ? 900 : 350);
        }
      }, function () { /* no search data: the box still leads to the search page */ });
    }
    input.addEventListener("input", show);
    input.addEventListener("keydown", function (event) {
      if (list.hidden) return;
      var step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (step) {
        event.preventDefault();
        event.stopImmediatePropagation();
        var rows = list.children.length;
        choose(chosen < 0 ? (step > 0 ? 0 : rows - 1) : (chosen + (dock ? -step : step) + rows) % rows);
      } else if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); event.stopImmediatePropagation(); go(chosen); }
      else if (event.key === "Escape") { event.preventDefault(); event.stopImmediatePropagation(); closed = input.value; close(); }
    });
    list.addEventListener("mousedown", function (event) { event.preventDefault(); });
    list.addEventListener("click", function (event) {
      var row = event.target.closest("[role=option]");
      if (row) go(Array.prototype.indexOf.call(list.children, row));
    });
    input.addEventListener("blur", close);
    input.form.addEventListener("submit", close);
    Promise.all([Rulings.load("assets/text.js"), Rulings.load("search/engine.js")]).then(function () {
      if (document.activeElement === input && input.value !== input.defaultValue) show(); else Rulings.ask("warm", "").catch(function () {});
    });
  };
})();
