"use strict";
// A cell that is chosen becomes part of the address; a run that was repeated is shown anew.
(() => {
  const { one, say, ask, hooks, value } = window.steelyard;
  const EVERY = 5000;
  let mark = null, moved = false;

  function choose(algorithm, problem) {
    say("algorithm", algorithm ? [algorithm] : [], true);
    say("problem", problem ? [problem] : []);
    moved = Boolean(algorithm);
    ask(0);
  }

  hooks.shown.push((found) => {
    mark = found.mark;
    if (moved && one("cell-detail")) one("cell-detail").scrollIntoView({ block: "nearest" });
    moved = false;
  });
  hooks.state.push((control) => {
    if (control.name === "suite") {
      const query = new URLSearchParams({ suite: control.value });
      location.assign(`/suites?${query}`);
    }
    if (control.name === "run") { say("algorithm", []); say("problem", []); }
  });

  async function look() {
    if (!document.hidden && mark && document.body.dataset.ready === "true") {
      try {
        const answer = await fetch(`/marks/suites?${new URLSearchParams(location.search)}`);
        const found = answer.ok ? await answer.json() : null;
        if (found && found.mark !== mark) ask(0);
      } catch { /* The server is away; the page stays as it is until it is back. */ }
    }
    setTimeout(look, EVERY);
  }

  window.addEventListener("DOMContentLoaded", () => {
    if (!one("suite")) return;
    if (!value("suite")) say("suite", [one("suite").value]);
    document.addEventListener("click", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) choose(cell.dataset.algorithm, cell.dataset.problem);
      if (event.target.id === "cell-close") choose("", "");
    });
    setTimeout(look, EVERY);
  });
})();
