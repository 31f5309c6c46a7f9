/* Runs before the page is drawn: what must not change after that. */
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("js");
  if (/[?&]q=[^&]/.test(location.search)) root.classList.add("asked");  // results will come: room for them
  try {
    var scheme = localStorage.getItem("scheme");
    if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;
  } catch (e) { /* no storage: the device decides */ }
})();
