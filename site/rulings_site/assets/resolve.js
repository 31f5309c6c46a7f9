/* /r/#<id>: leads to the ruling. People mistype i, l and o; the hyphen and capitals are forgiven. */
(function () {
  "use strict";
  function go() {
    var said = document.getElementById("resolve");
    var typed = decodeURIComponent(location.hash.slice(1)).trim().toLowerCase();
    var found = /^(?:r-?)?([0-9a-z]{8}|[0-9a-z]{10})$/.exec(typed);
    if (!found) { said.textContent = typed ? "This is no id of a ruling." : "Write an id after the sign #, such as r-0pcdnc32."; return; }
    var id = "r-" + found[1].replace(/[il]/g, "1").replace(/o/g, "0");
    if (said.dataset.compact === undefined) { location.replace(window.Rulings.href("r/" + id + "/index.html")); return; }
    var shard = id.charAt(2);
    window.Rulings.load("r/data/" + shard + ".js").then(function () { lead(id, window.RULINGS_AT[shard][id]); }, function () { lead(id, null); });
  }
  /** `found`: the page and the id there; several pairs where an id means several rulings; "" and a reason if withdrawn. */
  function lead(id, found) {
    var said = document.getElementById("resolve");
    if (!found) { said.textContent = "No ruling has the id " + id + " here."; return; }
    if (!found[0]) { said.textContent = found[1] === id ? id + " stands on no card." : id + " was withdrawn: " + found[1]; return; }
    if (found.length === 2) { location.replace(window.Rulings.href(found[0]) + "#" + found[1]); return; }
    said.textContent = id + " means several rulings: ";
    for (var at = 0; at < found.length; at += 2) {
      var link = document.createElement("a");
      link.href = window.Rulings.href(found[at]) + "#" + found[at + 1];
      link.textContent = found[at + 1];
      said.append(link, " ");
    }
  }
  addEventListener("hashchange", go);
  go();
})();
