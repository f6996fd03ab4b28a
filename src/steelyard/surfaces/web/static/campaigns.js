"use strict";
// A campaign that others write to: looked at again and again, and new results by hand.
(() => {
  const { one, ask, hooks, headers, say, value } = window.steelyard;
  const EVERY = 2000;
  let mark = null, chosen = null;

  hooks.shown.push((found) => { mark = found.mark; });

  async function look() {
    if (!document.hidden && mark && document.body.dataset.ready === "true") {
      try {
        const query = new URLSearchParams({ campaign: one("campaign").value });
        const answer = await fetch(`/marks/campaigns?${query}`);
        const found = answer.ok ? await answer.json() : null;
        if (found && found.mark !== mark) ask(0);
      } catch { /* The server is away; the page stays as it is until it is back. */ }
    }
    setTimeout(look, EVERY);
  }

  function choose(file) {
    chosen = file;
    const text = one("batch-text").value.trim();
    one("batch-send").disabled = !chosen && !text;
    one("batch-what").textContent = chosen ? chosen.name : text ? "The rows above." : "Nothing chosen yet.";
  }

  const names = (text) => text.split(",").map((name) => name.trim()).filter(Boolean);

  function roles() {
    const pairs = [["item", one("batch-item").value.trim()], ["truth", one("batch-truth").value.trim()]];
    for (const name of names(one("batch-outcome").value)) pairs.push(["outcome", name]);
    for (const name of names(one("batch-classes").value)) pairs.push(["classes", name]);
    return pairs.filter(([, text]) => text);
  }

  function tell(said, refused) {
    one("batch-said").textContent = said;
    one("batch-refused").textContent = refused;
    one("batch-refused").hidden = !refused;
  }

  async function post(path, more, body) {
    const answer = await fetch(path, { method: "POST", headers: headers(more), body });
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.refused || "This was not taken.");
    return found;
  }

  async function send() {
    const text = one("batch-text").value.replace(/^\s+|\s+$/g, "");
    const name = chosen ? chosen.name : text.includes("\t") ? "pasted.tsv" : "pasted.csv";
    one("batch-send").disabled = true;
    tell("Recording …", "");
    try {
      const kept = await post("/files", { "X-File-Name": encodeURIComponent(name) }, chosen || `${text}\n`);
      const state = [["campaign", one("campaign").value], ["data", kept.data], ...roles()];
      const found = await post("/campaigns/batch", { "Content-Type": "application/json" },
        JSON.stringify({ state, adds: one("batch-adds").value }));
      tell(found.recorded, "");
      one("batch-text").value = "";
      one("batch-file").value = "";
      choose(null);
      ask(0);
    } catch (error) {
      const away = error instanceof TypeError;
      tell("", away ? "The server does not answer. Nothing is lost: send it again; sent twice it counts once." : error.message);
      one("batch-send").disabled = false;
    }
  }

  window.addEventListener("DOMContentLoaded", () => {
    if (!one("campaign")) return;
    if (!value("campaign")) say("campaign", [one("campaign").value]);
    one("batch-file").addEventListener("change", (event) => choose(event.target.files[0] || null));
    one("batch-text").addEventListener("input", () => choose(chosen));
    one("batch-send").addEventListener("click", send);
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
    const zone = one("batch-drop");
    zone.addEventListener("dragover", () => zone.classList.add("over"));
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      zone.classList.remove("over");
      if (event.dataTransfer.files.length) choose(event.dataTransfer.files[0]);
    });
    setTimeout(look, EVERY);
  });
})();
