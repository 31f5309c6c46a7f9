/* /r/#<id>: leads to the ruling. People mistype i, l and o; the hyphen and capitals are forgiven. */
(function () {
  "use strict";
  function go() {
    var said = document.getElementById("resolve");
    var typed = decodeURIComponent(location.hash.slice(1)).trim().toLowerCase();
    var found = /^(?:r-?)?([0-9a-z]{8}|[0-9a-z]{10})$/.exec(typed);
    if (!found) { said.textContent = typed ? "This is no id of a ruling." : "Write an id after the sign #, such as r-0pcdnc32."; return; }
    var id = "r-" + found[1].replace(/[il]/g, "1").replace(/o/g, "0");
    location.replace(window.Rulings.href("r/" + id + "/index.html"));
  }
  addEventListener("hashchange", go);
  go();
})();
