/* The fields of the query language: rulings/language/fields.py told again. */
(function () {
  class QueryError extends Error {
    constructor(message, query, column, hint) { super(message); this.query = query; this.column = column; this.hint = hint || ""; }
  }
  RS.QueryError = QueryError;
  const COMPARE = [":", ">=", "<=", ">", "<", "="], PLAIN = [":"];
  const IS = ["shared", "variant", "undated", "damaged"], STATUS = ["current", "superseded", "withdrawn"];
  const FIELDS = {
    card: [PLAIN, 'card:"Deadlock Trap" untapped'], topic: [PLAIN, "topic:energy"], rule: [PLAIN, "rule:608.2"], source: [PLAIN, "source:wotc"],
    date: [COMPARE, "date:2016"], year: [COMPARE, "year:2016"], "as-of": [PLAIN, "as-of:2019-06-01"], id: [PLAIN, "id:r-0pcdnc32"],
    set: [PLAIN, "set:kld"], type: [PLAIN, "type:planeswalker"], status: [PLAIN, "status:superseded"], is: [PLAIN, "is:shared"],
    cards: [COMPARE, "cards>=10"], oracle: [PLAIN, 'oracle:"can\'t be countered"']
  };
  RS.FIELDS = FIELDS;

  RS.unknownField = function (name, query, column) {
    const close = RS.closeMatches(name.toLowerCase(), Object.keys(FIELDS), 1, 0.6);
    const hint = close.length ? "did you mean " + close[0] + ":?" : "fields: " + Object.keys(FIELDS).join(", ");
    return new QueryError("there is no field " + name + ":", query, column, hint + " (as a word: put a space after the sign)");
  };
  const DATE = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/, RULE = /^(\d{3})(?:\.(\d{1,3}[a-z]?))?(\.?)$/, WHOLE = /^\d{1,6}$/;
  const ID = /^r-?([0-9a-z]{8}|[0-9a-z]{10})$/, DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  RS.parseId = function (text) {
    const found = ID.exec(RS.trim(text).toLowerCase());
    if (!found) return null;
    const digits = found[1].replace(/[il]/g, "1").replace(/o/g, "0");
    return Array.from(digits).every(function (d) { return DIGITS.includes(d); }) ? "r-" + digits : null;
  };

  RS.readField = function (name, operator, value, query, column, at) {
    const operators = FIELDS[name][0], example = FIELDS[name][1];
    if (!operators.includes(operator)) throw new QueryError(name + " knows only " + operators.join(" "), query, at - operator.length, example);
    if (operator === ":" && operators.length > 1) {
      for (const sign of [">=", "<=", ">", "<", "="]) {
        if (value.startsWith(sign)) { operator = sign; value = value.slice(sign.length); at += sign.length; break; }
      }
    }
    if (!RS.trim(value)) throw new QueryError(name + operator + " needs a value", query, at, "for example " + example);
    if (name === "date" || name === "year" || name === "as-of") return dates(name, operator, value, query, column, at);
    if (name === "cards") return count(operator, value, query, column, at);
    if (name === "rule") {
      const found = RULE.exec(value.toLowerCase());
      if (!found) throw new QueryError("a rule number looks like 608.2, 608.2b or 608", query, at, "for example rule:608.2b");
      return { kind: "rule", number: found[1] + (found[2] ? "." + found[2] : ""), alone: found[3] === ".", column: column };
    }
    if (name === "id") {
      const id = RS.parseId(value);
      if (!id) throw new QueryError(value + " is not the id of a ruling", query, at, "an id looks like r-0pcdnc32");
      return { kind: "field", field: name, value: id, column: column };
    }
    if (name === "is") return { kind: "field", field: name, value: oneOf(value, IS, query, at), column: column };
    if (name === "status") return { kind: "field", field: name, value: oneOf(value, STATUS, query, at), column: column };
    return { kind: "field", field: name, value: name === "card" ? RS.trim(value) : RS.fold(RS.trim(value)), column: column };
  };
  function oneOf(value, choices, query, at) {
    if (!choices.includes(value.toLowerCase())) throw new QueryError(value + " is none of " + choices.join(", "), query, at);
    return value.toLowerCase();
  }
  const two = function (n) { return (n < 10 ? "0" : "") + n; };
  function monthDays(year, month) {
    if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
    return [4, 6, 9, 11].includes(month) ? 30 : 31;
  }
  function span(text, name, query, at) {
    const found = DATE.exec(text);
    if (!found || (name === "year" && found[2])) {
      throw new QueryError((text || "nothing") + " is not a " + (name === "year" ? "year" : "date"), query, at, "write " + (name === "year" ? "2016" : "2016, 2016-09 or 2016-09-20"));
    }
    const year = Number(found[1]), month = Number(found[2] || 0), day = Number(found[3] || 0);
    if (found[2] && !(month >= 1 && month <= 12)) throw new QueryError("there is no month " + found[2], query, at + 5);
    const last = monthDays(Math.max(year, 1), month || 12);
    if (found[3] && !(day >= 1 && day <= last)) throw new QueryError(found[1] + "-" + found[2] + " has no day " + found[3], query, at + 8);
    return [found[1] + "-" + two(month || 1) + "-" + two(day || 1), found[1] + "-" + two(month || 12) + "-" + two(day || last)];
  }
  function shift(day, by) {
    let [year, month, d] = day.split("-").map(Number);
    if (year < 1) return day;
    d += by;
    if (d < 1) { month--; if (month < 1) { month = 12; year--; } d = monthDays(year, month); }
    if (d > monthDays(year, month)) { d = 1; month++; if (month > 12) { month = 1; year++; } }
    if (year < 1 || year > 9999) return day;
    return String(year).padStart(4, "0") + "-" + two(month) + "-" + two(d);
  }
  function dates(name, operator, value, query, column, at) {
    const range = function (low, high) { return { kind: "date", field: name, low: low, high: high, column: column }; };
    if (name === "as-of") return range(null, span(value, name, query, at)[1]);
    if (value.includes("..")) {
      if (operator !== ":" && operator !== "=") throw new QueryError("a range takes no sign", query, at, "write " + name + ":2016..2018");
      const cut = value.indexOf(".."), first = value.slice(0, cut), second = value.slice(cut + 2);
      if (!first && !second) throw new QueryError("a range needs an end", query, at, "write " + name + ":2016..2018, " + name + ":2016.. or " + name + ":..2018");
      const low = first ? span(first, name, query, at)[0] : null, high = second ? span(second, name, query, at + first.length + 2)[1] : null;
      if (low && high && low > high) throw new QueryError("the range runs backwards", query, at, "write " + name + ":" + second + ".." + first);
      return range(low, high);
    }
    const [low, high] = span(value, name, query, at);
    if (operator === ">=") return range(low, null);
    if (operator === "<=") return range(null, high);
    if (operator === ">") return range(shift(high, 1), null);
    if (operator === "<") return range(null, shift(low, -1));
    return range(low, high);
  }
  function count(operator, value, query, column, at) {
    const range = function (low, high) { return { kind: "count", low: low, high: high, column: column }; };
    const cut = value.indexOf(".."), parts = cut < 0 ? [value] : [value.slice(0, cut), value.slice(cut + 2)];
    for (const part of parts) {
      if (!WHOLE.test(part) && !(cut >= 0 && !part)) throw new QueryError((part || "nothing") + " is not a number of cards", query, at, "for example cards>=10");
    }
    if (cut >= 0) return range(parts[0] ? Number(parts[0]) : null, parts[1] ? Number(parts[1]) : null);
    const number = Number(value);
    if (operator === ">=") return range(number, null);
    if (operator === "<=") return range(null, number);
    if (operator === ">") return range(number + 1, null);
    if (operator === "<") return range(null, number - 1);
    return range(number, number);
  }
})();
