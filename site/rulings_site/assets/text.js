/* The publisher's text as HTML, as the pages have it: curly quotes, drawn symbols, found words. Needs symbols.js. */
(function () {
  "use strict";
  var Rulings = (window.Rulings = window.Rulings || {});
  var escapeHtml = function (t) { return t.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;"); };
  var OPENS = " \t\n\u00a0([{—–-/“‘\"'";

  Rulings.typeset = function (text) {
    if (!/['"]/.test(text)) return text;
    text = text.replace(/'(?=(?:til|tis|twas|em|n)\b|\d\ds\b)/gi, "’");
    var out = text.split("");
    for (var at = 0; at < out.length; at++) {
      if (out[at] !== "'" && out[at] !== '"') continue;
      var opens = at === 0 || OPENS.indexOf(out[at - 1]) >= 0;
      var next = text[at + 1];
      if (opens && (next === undefined || /\s/.test(next))) opens = false;
      out[at] = out[at] === '"' ? (opens ? "“" : "”") : opens ? "‘" : "’";
    }
    return out.join("");
  };

  function image(code) {
    var found = window.RULINGS_SYMBOLS && window.RULINGS_SYMBOLS[code];
    if (!found) return null;
    need(found);
    var kind = code === "E" ? "s-bolt" : "s-disc";
    return '<svg class="' + kind + '" viewBox="' + found[1] + '" aria-hidden="true"><use href="#' + found[0] + '"/></svg>';
  }
  function need(found) {
    if (document.getElementById(found[0])) return;
    var sprite = document.querySelector("svg.sprite");
    if (!sprite) {
      sprite = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      sprite.setAttribute("class", "sprite");
      sprite.setAttribute("aria-hidden", "true");
      document.body.insertBefore(sprite, document.body.firstChild);
    }
    var holder = document.createElement("div");
    holder.innerHTML = '<svg><symbol id="' + found[0] + '" viewBox="' + found[1] + '">' + found[2] + "</symbol></svg>";
    sprite.appendChild(holder.firstChild.firstChild);
  }
  var NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
  function label(codes) {
    if (codes.length > 1 && codes.every(function (c) { return c === "E"; })) return (NUMBERS[codes.length] || codes.length) + " energy";
    return codes.map(function (c) { return window.RULINGS_SYMBOLS[c][3]; }).join(" ");
  }

  /** `marks`: [start, end) ranges of `text` to mark, sorted, none overlapping. */
  Rulings.prose = function (text, marks) {
    var shown = Rulings.typeset(text);
    var out = "", on = false, at = 0, n = 0;
    marks = marks || [];
    var run = /(?:\{[^{}\s]{1,12}\})+/g, found = run.exec(shown);
    while (at < shown.length) {
      while (n < marks.length && marks[n][1] <= at) n++;
      var mark = marks[n], want = Boolean(mark) && mark[0] <= at;
      if (want !== on) { out += want ? "<mark>" : "</mark>"; on = want; }
      if (found && found.index === at) {
        var codes = found[0].slice(1, -1).split("}{").map(function (c) { return c.toUpperCase(); });
        var images = codes.map(image);
        out += images.every(Boolean)
          ? '<span class="sym" role="img" aria-label="' + escapeHtml(label(codes)) + '"><span class="sym-t">' + escapeHtml(found[0]) + "</span>" + images.join("") + "</span>"
          : escapeHtml(found[0]);
        at += found[0].length;
        found = run.exec(shown);
      } else {
        var next = Math.min(found ? found.index : shown.length, mark ? mark[want ? 1 : 0] : shown.length);
        out += escapeHtml(shown.slice(at, next));
        at = next;
      }
    }
    return out + (on ? "</mark>" : "");
  };

  /** An ISO date in words: `short` gives 20 Sep 2016. */
  var MONTHS = "January February March April May June July August September October November December".split(" ");
  Rulings.date = function (iso, short) {
    if (!iso) return "undated";
    var parts = iso.split("-");
    var month = MONTHS[Number(parts[1]) - 1];
    return Number(parts[2]) + " " + (short ? month.slice(0, 3) : month) + " " + parts[0];
  };
})();
