// "Check a text": where the service of `rulings serve` answers beside the pages, a text can be pasted and checked.
// Everything that comes back is put in as text, never as markup: it quotes a stranger's words.
"use strict";
(function () {
  const box = document.getElementById("paste");
  if (!box || !location.protocol.startsWith("http")) return;
  const api = new URL("../api/v1/", location.href);
  const state = document.getElementById("paste-state"), found = document.getElementById("paste-found");
  const WORST = ["altered-dangerous", "wrong-card", "outdated", "altered", "older-wording", "unknown", "moved", "removed"];

  function line(tag, name, text) {
    const element = document.createElement(tag);
    element.className = name;
    element.textContent = text;
    return element;
  }
  function place(finding) {
    const at = WORST.indexOf(finding.verdict);
    return at < 0 ? WORST.length : at;
  }
  function show(answer) {
    found.textContent = "";
    const rows = answer.findings.slice().sort((a, b) => place(a) - place(b) || a.start - b.start);
    state.textContent = rows.length ? rows.length + (rows.length === 1 ? " reference" : " references") + " found."
      : "Nothing in it quotes or cites a ruling or a rule.";
    for (const row of rows) {
      const bad = place(row) < 4;
      const note = line("div", bad ? "note bad" : "note", "");
      note.append(line("b", "", row.verdict.replace(/-/g, " ") + ". "), document.createTextNode(row.message || ""));
      note.append(line("blockquote", "", row.text));
      found.append(note);
    }
  }
  async function check() {
    const text = document.getElementById("paste-text").value;
    if (!text.trim()) { state.textContent = "Paste a text first."; return; }
    state.textContent = "Checking.";
    try {
      const answer = await fetch(new URL("lookup", api), { method: "POST", body: text });
      const data = await answer.json();
      if (answer.ok) show(data); else state.textContent = data.error + " " + (data.hint || "");
    } catch (error) {
      state.textContent = "The service does not answer.";
    }
  }
  fetch(new URL("status", api)).then(function (answer) {
    if (!answer.ok || !(answer.headers.get("Content-Type") || "").includes("json")) return;
    box.hidden = false;
    document.getElementById("paste-check").addEventListener("click", check);
  }, function () { /* a static host: the page says which command to run */ });
})();
