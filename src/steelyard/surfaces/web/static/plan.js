"use strict";
// The rates under their sliders become one text in the address: A=0.9,B=0.88.
(() => {
  const { one, say, ask, hooks, value, isStep } = window.steelyard;
  const MOST = 8;

  function rows() { return [...one("rates").querySelectorAll(".rate")]; }

  function tell(wait, step = false) {
    const single = ["width", "accept"].includes(one("question").value);
    rows().forEach((row, place) => { row.hidden = single && place > 0; });
    const parts = rows().filter((row) => !row.hidden).map((row) => {
      const name = row.querySelector(".name").value.replace(/[=,]/g, " ").trim();
      const rate = row.querySelector(".value").value;
      row.querySelector(".said").textContent = Number(rate).toFixed(3);
      row.querySelector(".value").setAttribute("aria-label", `Rate of ${name}`);
      row.querySelector(".drop-rate").setAttribute("aria-label", `Remove ${name}`);
      return `${name}=${rate}`;
    });
    say("rates", [parts.join(",")], step);
    one("add-rate").disabled = single || parts.length >= MOST;
    for (const row of rows()) row.querySelector(".drop-rate").disabled = parts.length < 2;
    ask(wait);
  }

  function add() {
    const last = rows()[rows().length - 1];
    const row = last.cloneNode(true);
    const used = rows().map((known) => known.querySelector(".name").value);
    const free = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !used.includes(letter));
    row.querySelector(".name").value = free;
    one("rates").append(row);
    row.querySelector(".name").focus();
    tell(0, true);
  }

  function needed() {
    const chosen = one("question").selectedOptions[0];
    const needs = chosen.dataset.needs.split(" ");
    for (const dial of document.querySelectorAll("[data-dial]")) {
      const used = needs.includes(dial.dataset.dial);
      dial.hidden = !used;
      const control = dial.querySelector("select, input");
      if (!used) say(control.name, []);
      else require(control);
    }
    const paired = one("design").value === "paired" && needs.includes("design");
    document.querySelector('[data-dial="discordance"]').hidden = !paired;
    if (!paired) say("discordance", []);
  }

  // A width and a lead have no usual value: what the slider shows is what is asked.
  function require(control) {
    if (["width", "delta"].includes(control.name) && !value(control.name)) say(control.name, [control.value]);
  }

  window.addEventListener("DOMContentLoaded", () => {
    for (const name of ["width", "delta"]) delete one(name).dataset.usual;
    one("rates").addEventListener("input", (event) =>
      tell(event.target.type === "range" ? 160 : 400, isStep(event)));
    one("rates").addEventListener("change", isStep);
    one("rates").addEventListener("click", (event) => {
      const button = event.target.closest(".drop-rate");
      if (!button) return;
      button.closest(".rate").remove();
      tell(0, true);
      one("add-rate").focus();
    });
    one("add-rate").addEventListener("click", add);
    hooks.state.push((control) => { needed(); if (control.name === "question") tell(0); });
    needed();
    tell(0);
  });
})();
