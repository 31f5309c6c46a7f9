/* On the page for addresses that do not exist, of a site without a page for each ruling: `/r/<id>/`, as citations have
   it, goes on to where the ruling stands. */
(function () {
  "use strict";
  var found = /^(.*)\/r\/(r-[0-9a-z]{8,10})(?:\/|\/index\.html|\.json)?$/.exec(location.pathname);
  if (found) location.replace(found[1] + "/r/#" + found[2]);
})();
