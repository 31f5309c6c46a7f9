/* The cite menu: on the page of a ruling, and (in a site without such pages) under a ruling in a list. What it copies
   is what `rulings cite` prints: the strings, or what they are made of, are in the page, or in a script beside it. */
(function () {
  "use strict";
  var Rulings = window.Rulings;
  var NAMES = ["Plain", "Markdown", "Discord", "Reddit", "HTML", "Short", "Link"];
  var $ = function (selector, from) { return (from || document).querySelector(selector); };
  var $$ = function (selector, from) { return Array.prototype.slice.call((from || document).querySelectorAll(selector)); };
  function slugIn(address) { return (/\/card\/([a-z0-9-]+)\//.exec(address) || [])[1]; }

  /** All strings for the card at that place in the data, put together from the pattern of its wording. */
  function strings(data, at) {
    var card = data.cards[at], special = card[3] || {};
    if (Array.isArray(special)) return special;
    return data.patterns[card[1]].map(function (pattern, style) {
      var name = special[""] || data.names[at], kind = data.styles[style];
      name = kind === "html" ? Rulings.escapeHtml(name) : special[kind] || name;
      return pattern.split("zqcardqz").join(name).split("zqdateqz").join(data.days[card[0]][0]).split("zqshortqz").join(card[2]);
    });
  }

  // On the page of a ruling.
  var menu = $("#cite");
  if (menu) {
    var raw = $("#cite-data");
    listen(menu);
    if (raw) {
      var data = JSON.parse(raw.textContent), links = $$("[data-cards] a");
      data.names = links.map(function (link) { return link.textContent.replace(/[‘’]/g, "'").replace(/[“”]/g, '"'); });
      data.slugs = links.map(function (link) { return slugIn(link.href); });
      choose(menu, data);
    } else if (menu.dataset.from) {
      Rulings.load(menu.dataset.from).then(function () { choose(menu, window.RULINGS_CITE[menu.dataset.id]); }, function () { /* the strings for the whole stay */ });
    }
  }

  /** Lets a person choose the card as which the ruling is cited; the address may have chosen one. */
  function choose(menu, data) {
    var select = $("#as"), wanted = new URLSearchParams(location.search).get("on");
    select.closest(".cite-as").hidden = false;
    data.names.forEach(function (name, at) {
      var option = document.createElement("option");
      option.textContent = name + ", " + data.days[data.cards[at][0]][1];
      option.selected = wanted !== null && data.slugs[at] === wanted;
      select.appendChild(option);
    });
    function put() {
      var at = select.selectedIndex - 1, chosen = at < 0 ? data.whole : strings(data, at);
      $$("button[data-style]", menu).forEach(function (button, n) { $("code", button).textContent = chosen[n]; reset(button); });
    }
    select.addEventListener("change", put);
    put();
  }

  // Under a ruling in a list.
  var opened = null, raws = $("#cite-list"), list = raws ? JSON.parse(raws.textContent) : null;
  $$("[data-cite-of]").forEach(function (link) {
    link.setAttribute("role", "button");
    link.setAttribute("aria-expanded", "false");
  });
  document.addEventListener("click", function (event) {
    var link = list && event.target.closest && event.target.closest("[data-cite-of]");
    if (!link) return;
    event.preventDefault();
    var again = opened && opened.link === link;
    if (opened) { opened.menu.remove(); opened.link.setAttribute("aria-expanded", "false"); opened = null; }
    if (again) return;
    opened = { link: link, menu: under(link.closest("li"), link.dataset.citeOf) };
    link.setAttribute("aria-expanded", "true");
  });
  /** All strings for a ruling in the list: written out, or put together from a pattern. */
  function inList(id) {
    var entry = list.rulings[id];
    if (typeof entry[0] === "string") return entry;
    var marks = [["zqcardqz", list.card], ["zqtextqz", entry[1]], ["zqdateqz", entry[2]], ["zqidqz", id], ["zqshortqz", entry[3]], ["zqrulesqz", entry[4]]];
    return list.patterns[entry[0]].map(function (pattern, style) {
      var kind = list.styles[style];
      return marks.reduce(function (text, mark) {
        var value = mark[1];
        if (typeof value === "object") value = kind in value ? value[kind] : kind === "html" ? Rulings.escapeHtml(value[""]) : value[""];
        return text.split(mark[0]).join(value);
      }, pattern);
    });
  }
  function under(item, id) {
    var texts = inList(id), menu = document.createElement("div"), list = document.createElement("ul");
    menu.setAttribute("role", "group");
    menu.setAttribute("aria-label", "Cite " + id);
    menu.className = "cite-here";
    list.className = "cite";
    texts.forEach(function (text, style) {
      var entry = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.dataset.style = style;
      [["span", NAMES[style], ""], ["code", text, ""], ["span", "Copy", "do"]].forEach(function (part) {
        var node = document.createElement(part[0]);
        node.textContent = part[1];
        node.className = part[2];
        button.appendChild(node);
      });
      entry.appendChild(button);
      list.appendChild(entry);
    });
    menu.appendChild(list);
    item.appendChild(menu);
    listen(menu);
    return menu;
  }

  // --- copying

  function listen(menu) {
    menu.addEventListener("click", function (event) {
      var button = event.target.closest("button[data-style]");
      if (button) copy(button, $("code", button).textContent);
    });
  }
  function reset(button) {
    button.classList.remove("done");
    $(".do", button).textContent = "Copy";
  }
  function copy(button, text) {
    toClipboard(text).then(function () {
      button.classList.add("done");
      $(".do", button).textContent = "Copied";
      Rulings.announce(button.firstElementChild.textContent + " copied");
      setTimeout(function () { reset(button); }, 2000);
    }, function () {
      $(".do", button).textContent = "Select and copy";
      var range = document.createRange();
      range.selectNodeContents($("code", button));
      var selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      Rulings.announce("Could not copy. The text is selected.");
    });
  }
  function toClipboard(text) {
    if (navigator.clipboard && window.isSecureContext) {
      return navigator.clipboard.writeText(text).catch(function () { return oldWay(text); });
    }
    return oldWay(text);
  }
  function oldWay(text) {
    var area = document.createElement("textarea");
    area.value = text;
    area.className = "vh";
    document.body.appendChild(area);
    area.select();
    var done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : Promise.reject(new Error("copy"));
  }
})();
