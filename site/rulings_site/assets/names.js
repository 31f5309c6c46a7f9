/* Card names under the search box while a person types. */
(function () {
  "use strict";
  var Rulings = window.Rulings;
  function fold(text) {
    return text.toLowerCase().replace(/æ/g, "ae").normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/[^a-z0-9]+/g, "");
  }
  Rulings.fold = fold;
  var cards = null;
  function find(query) {
    var key = fold(query);
    if (key.length < 3 || !cards) return [];
    var first = [], inside = [];
    cards.forEach(function (card) {
      var at = card[4].indexOf(key);
      if (at === 0) first.push(card); else if (at > 0) inside.push(card);
    });
    var by = function (a, b) { return b[2] - a[2] || (a[0] < b[0] ? -1 : 1); };
    return first.sort(by).concat(inside.sort(by)).slice(0, 6);
  }

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
    var found = [], chosen = -1;
    function choose(at) {
      chosen = at;
      Array.prototype.forEach.call(list.children, function (row, n) { row.setAttribute("aria-selected", String(n === at)); });
      if (at >= 0) input.setAttribute("aria-activedescendant", id + at); else input.removeAttribute("aria-activedescendant");
    }
    function close() { list.hidden = true; input.setAttribute("aria-expanded", "false"); choose(-1); }
    function go(at) {
      if (at < found.length && !found[at][1]) location.href = Rulings.href("search/index.html") + "?q=" + encodeURIComponent('card:"' + found[at][0] + '"');
      else if (at < found.length) location.href = Rulings.href("card/" + found[at][1] + "/index.html");
      else input.form.requestSubmit();
    }
    function show() {
      found = find(input.value);
      if (!found.length) { close(); return; }
      list.innerHTML = found.map(function (card, n) {
        var cut = input.value.trim().length, name = Rulings.escapeHtml(Rulings.typeset(card[0].slice(0, cut)));
        var bold = fold(card[0].slice(0, cut)) === fold(input.value) ? "<b>" + name + "</b>" + Rulings.escapeHtml(Rulings.typeset(card[0]).slice(cut)) : Rulings.escapeHtml(Rulings.typeset(card[0]));
        return '<li role="option" id="' + id + n + '"><span class="nm">' + bold + '</span><span class="cost">' + Rulings.prose(card[3]) + '</span><span class="n">' + card[2] + '<span class="vh"> rulings</span></span></li>';
      }).join("") + '<li role="option" class="all" id="' + id + found.length + '"><span class="nm">Search all rulings for “' + Rulings.escapeHtml(input.value) + "”</span><span></span><span></span></li>";
      list.hidden = false;
      input.setAttribute("aria-expanded", "true");
      choose(0);
    }
    input.addEventListener("input", show);
    input.addEventListener("keydown", function (event) {
      if (list.hidden) return;
      var step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (step) { event.preventDefault(); choose((chosen + (dock ? -step : step) + list.children.length) % list.children.length); }
      else if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); go(chosen); }
      else if (event.key === "Escape") { event.preventDefault(); close(); }
    });
    list.addEventListener("mousedown", function (event) { event.preventDefault(); });
    list.addEventListener("click", function (event) {
      var row = event.target.closest("[role=option]");
      if (row) go(Array.prototype.indexOf.call(list.children, row));
    });
    input.addEventListener("blur", close);
    Promise.all([Rulings.load("data/cards.js"), Rulings.load("assets/text.js")]).then(function () {
      cards = window.RULINGS_CARDS.map(function (card) { return card.slice(0, 4).concat([fold(card[0])]); });
      if (document.activeElement === input) show();
    });
  };
})();
