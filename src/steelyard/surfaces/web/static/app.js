"use strict";
// The frame of every page: its state is its address, its answers come as words, tables and drawings.
window.steelyard = (() => {
  const one = (id) => document.getElementById(id);
  const page = document.body.dataset.page;
  const token = document.querySelector('meta[name="steelyard-token"]').content;
  const NAMED = "select[name], input[name], textarea[name]";
  const ALONE = 960;
  const FILES = ["/evaluate", "/compare", "/calibration", "/targeting", "/agreement", "/gate"];
  const SHARED = [
    "data", "truth_file", "truth", "positive", "item", "systems",
    "outcome", "score", "called", "vector", "value", "judge", "errors", "per", "lower_is_better", "higher_is_better", "range",
  ];
  const hooks = { shown: [], state: [], copied: null };
  let latest = 0, timer = 0, given = null, touched = "";
  // Names of drawings may hold names from data, which an object would mix up with its own.
  const views = new Map();

  const headers = (more) => ({ "X-Steelyard-Token": token, ...more });

  // The state: pairs of names and texts, of the address at first and of the controls from then on.
  let state = [...new URLSearchParams(location.search)];
  const value = (name) => (state.find(([known]) => known === name) || [name, ""])[1];

  // A step of its own in the history is what Back undoes; all else changes the present one.
  function say(name, values, step = false) {
    state = state.filter(([known]) => known !== name);
    for (const text of values) if (text !== "") state.push([name, text]);
    remember(step);
  }

  function remember(step = false) {
    const query = new URLSearchParams(state).toString();
    const address = query ? `?${query}` : location.pathname;
    if (step && query !== new URLSearchParams(location.search).toString()) {
      history.pushState(null, "", address);
    } else {
      history.replaceState(null, "", address);
    }
    for (const link of document.querySelectorAll("[data-download]")) {
      link.hidden = link.dataset.download === "report.html" && (!value("data") || value("tested") !== "");
      link.setAttribute("href", `/download/${page}/${link.dataset.download}?${query}`);
    }
    const shared = new URLSearchParams(state.filter(([name]) => SHARED.includes(name))).toString();
    for (const link of document.querySelectorAll("[data-nav]")) {
      const path = link.dataset.nav;
      const files = FILES.includes(path);
      link.setAttribute("href", files && shared ? `${path}?${shared}` : path);
    }
  }

  function read(control) {
    const { name } = control;
    if (control.type === "checkbox") {
      const ticked = document.querySelectorAll(`input[name="${CSS.escape(name)}"]:checked`);
      return [...ticked].map((tick) => tick.value);
    }
    if (control.type === "textarea") return control.value.split("\n").map((line) => line.trim());
    const several = document.querySelectorAll(`select[name="${CSS.escape(name)}"]`);
    if (several.length > 1) return [...several].map((each) => each.value);
    return [control.value === control.dataset.usual ? "" : control.value.trim()];
  }

  function echo() {
    for (const output of document.querySelectorAll("output[data-shows]")) {
      const control = one(output.dataset.shows);
      const none = output.dataset.none && control.value === control.dataset.usual;
      output.textContent = none ? output.dataset.none : control.value;
    }
  }

  // A slider that is drawn tells of every value on its way; together they are one step.
  let drawn = false;
  function isStep(event) {
    const first = !drawn;
    drawn = event.type === "input";
    return first;
  }

  function changed(event) {
    let control = event.target.closest(NAMED);
    if (event.target.dataset.all && event.type === "change") {
      const ticks = document.querySelectorAll(`input[name="${CSS.escape(event.target.dataset.all)}"]`);
      for (const tick of ticks) tick.checked = event.target.checked;
      control = ticks[0];
    }
    if (!control) return;
    echo();
    const soon = event.type === "input";
    if (soon && control.type !== "range" && event.inputType !== "insertLineBreak") return;
    const step = isStep(event);
    touched = control.name;
    if (control.name === "data") { state = []; one("truth_file").value = ""; }
    // Another file has other columns.
    if (control.name === "truth_file") state = state.filter(([known]) => known !== "truth");
    const without = ["correct", "paired", "confusion"].includes(control.name) && control.value ? "data" : "";
    state = state.filter(([known]) => known !== without);
    // A judge's columns stand in the order of what people labelled: another list, other columns.
    if (["value", "outcome"].includes(control.name)) state = state.filter(([known]) => known !== "judge");
    say(control.name, read(control), step);
    for (const hook of hooks.state) hook(control);
    ask(soon ? 160 : 0);
  }

  const width = () => {
    const room = one("main").clientWidth - (window.innerWidth > 640 ? 56 : 28);
    return Math.floor(window.innerWidth > 900 ? (room - 18) / 2 - 42 : room - 36);
  };

  function ask(wait) {
    clearTimeout(timer);
    timer = setTimeout(asked, wait);
  }

  async function asked() {
    const turn = ++latest;
    const body = JSON.stringify({ state, width: width() });
    document.body.dataset.ready = "false";
    age(given ? "old" : "");
    try {
      for (;;) {
        const answer = await fetch(`/answers/${page}`, {
          method: "POST", headers: headers({ "Content-Type": "application/json" }), body,
        });
        if (answer.status >= 500) {
          show({ refused: "Steelyard failed on this, which is no fault of the file. The terminal that it was started from shows what happened." });
          return;
        }
        const found = await answer.json();
        if (turn !== latest) return;
        if (!found.job) { show(found); return; }
        progress(found.said);
        if (!(await finished(found.job, turn))) return;
      }
    } catch {
      if (turn === latest) {
        show({ refused: "The server does not answer. Start it again: steelyard serve. This link keeps its state." });
      }
    }
  }

  async function finished(job, turn) {
    const query = new URLSearchParams(state).toString();
    for (;;) {
      await new Promise((done) => setTimeout(done, 400));
      if (turn !== latest) return false;
      const answer = await fetch(`/answers/${page}/${job}?${query}`);
      if (!answer.ok) return true;
      const found = await answer.json();
      if (found.ready) return true;
      progress(found.said);
    }
  }

  function progress(text) {
    one("working").hidden = !text;
    one("working").textContent = text || "";
  }

  // An answer to an earlier question stays in sight, and says that it is one.
  function age(how) {
    for (const id of ["verdict", "answer"]) {
      one(id).classList.toggle("old", how === "old");
      one(id).classList.toggle("kept", how === "kept");
      one(id).setAttribute("aria-busy", String(how === "old"));
    }
  }

  // What was refused is the control that the words name, else the one that was touched last.
  function blame(refused, field) {
    for (const control of document.querySelectorAll("[aria-invalid]")) {
      control.removeAttribute("aria-invalid");
      control.removeAttribute("aria-describedby");
    }
    for (const said of document.querySelectorAll(".why-not")) said.remove();
    const name = field || touched;
    const control = refused && name && document.querySelector(`[name="${CSS.escape(name)}"]`);
    if (!control) return;
    // What the columns mean is not asked where another field is.
    if (one("understanding") && !control.closest("#understanding") && !given) one("understanding").open = false;
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", "refused");
    for (let box = control.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    // Far down the page the words stand at the field, too.
    if (one("refused").getBoundingClientRect().bottom < 0 && control.closest(".field")) {
      const said = document.createElement("span");
      said.className = "why-not";
      said.textContent = refused;
      control.closest(".field").append(said);
    }
  }

  function forgetAnswer() {
    given = null;
    one("answer").after(one("take"));
    one("verdict").replaceChildren();
    one("answer").replaceChildren();
  }

  function show(found) {
    progress("");
    const refused = one("refused");
    refused.hidden = !found.refused;
    refused.textContent = found.refused || "";
    offer(refused, found.offers || []);
    const focus = document.activeElement && document.activeElement.id;
    const answered = Boolean(given);
    const opened = ["understanding", "more-roles", "more-answers", "more-values", "more-judge"].filter((id) => one(id) && one(id).open);
    if (found.understood !== undefined) one("understood").innerHTML = found.understood;
    // What was opened to be asked closes once it is answered; what was opened after stays open.
    const stay = found.refused || answered;
    for (const id of opened) if (one(id) && (stay || id !== "understanding")) one(id).open = true;
    if (found.refused) {
      if (given && given.data !== value("data")) forgetAnswer();
    } else {
      given = found;
      given.data = value("data");
      replaceAnswer(found);
      touched = "";
    }
    age(found.refused && given ? "kept" : "");
    document.body.classList.toggle("answered", Boolean(one("verdict").firstChild));
    blame(found.refused, found.field);
    one("take").hidden = !given || !one("answer").innerHTML || given.mark === "";
    const back = focus && one(focus);
    const hidden = back && back.closest("details:not([open])");
    const target = hidden ? hidden.querySelector("summary") : back;
    if (target && document.activeElement !== target) target.focus({ preventScroll: true });
    document.body.dataset.ready = "true";
  }

  // What a refusal spells whole is one click away.
  function offer(box, offers) {
    if (!offers.length) return;
    const row = document.createElement("span");
    row.className = "offers";
    for (const { words, say: said } of offers) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `Set ${words}`;
      button.addEventListener("click", () => {
        for (const [name, values] of said) {
          say(name, values, name === said[0][0]);
          const control = one(name);
          if (control && control.type !== "checkbox") control.value = values[0];
        }
        echo();
        ask(0);
      });
      row.append(button);
    }
    box.append(row);
  }

  // A table is filtered where it stands: nothing is asked again.
  document.addEventListener("input", (event) => {
    const box = event.target.dataset && event.target.dataset.filter;
    if (!box) return;
    const wanted = event.target.value.trim().toLowerCase();
    for (const row of one(box).querySelectorAll("tbody tr")) {
      row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
    }
  });

  function replaceAnswer(found) {
    const heights = new Map();
    for (const box of document.querySelectorAll("[data-drawing]")) {
      heights.set(box.dataset.drawing, box.offsetHeight);
    }
    for (const view of views.values()) view.finalize();
    views.clear();
    one("answer").after(one("take"));
    one("answer").innerHTML = found.html;
    // The verdict stands above all that it can be changed with.
    one("verdict").replaceChildren(
      ...one("answer").querySelectorAll(":scope > .taken, :scope > .headline, :scope > .answer"));
    if (one("verdict").firstChild) one("verdict").append(one("take"));
    // A way on stands with the other buttons.
    for (const link of one("answer").querySelectorAll(":scope > .next")) one("verdict").append(link);
    for (const label of document.querySelectorAll(".dials .field")) {
      const control = label.querySelector("[name]");
      if (found.hidden && control) {
        label.hidden = found.hidden.includes(control.name) && !value(control.name);
      }
    }
    for (const box of document.querySelectorAll("[data-drawing]")) {
      const high = heights.get(box.dataset.drawing);
      if (high) box.style.minHeight = `${high}px`;
    }
    remember();
    for (const hook of hooks.shown) hook(found);
    document.body.dataset.drawn = "false";
    draw(found);
  }

  // A drawing alone in its row takes the row, within reason; panels have widths of their own.
  function fit(chart, box) {
    if (box.clientWidth - width() < 24) return chart.spec;
    const spec = chart.alone || chart.spec;
    if (!spec.spec) spec.width = Math.min(box.clientWidth, ALONE);
    return spec;
  }

  async function draw(found) {
    while (!window.steelyardEmbed) await new Promise((done) => setTimeout(done, 30));
    for (const chart of found.charts) {
      const box = document.querySelector(`[data-drawing="${CSS.escape(chart.name)}"]`);
      if (found !== given || !box) return;
      const spec = fit(chart, box);
      const made = await window.steelyardEmbed(box, spec, {
        ast: true, actions: false, renderer: "svg", tooltip: tip, defaultStyle: false,
        loader: { http: false, file: false },
      });
      if (found !== given) { made.view.finalize(); return; }
      box.style.minHeight = "";
      // The box has words for the whole; a name for each mark would be noise.
      for (const part of box.querySelectorAll("svg, svg *")) {
        for (const name of ["role", "aria-label", "aria-roledescription"]) part.removeAttribute(name);
      }
      views.set(chart.name, made.view);
      for (const hook of hooks.drawn) hook(chart.name, made.view, box);
    }
    document.body.dataset.drawn = "true";
  }
  hooks.drawn = [];

  function tip(handler, event, item, text) {
    const box = one("tip");
    if (text === null || text === undefined || text === "") { box.hidden = true; return; }
    const parts = typeof text === "object" ? Object.entries(text) : [["", text]];
    box.textContent = parts.map(([name, said]) => (name ? `${name}: ` : "") + said).join("\n");
    box.hidden = false;
    const room = document.documentElement.clientWidth - box.offsetWidth - 12;
    box.style.left = `${Math.max(4, Math.min(event.clientX + 14, room))}px`;
    box.style.top = `${event.clientY + 14}px`;
  }

  async function copy(kind) {
    const said = kind === "link" ? location.href : given[kind];
    const text = hooks.copied ? hooks.copied(kind, said) : said;
    const box = one("copied");
    box.textContent = text;
    box.hidden = false;
    try {
      await navigator.clipboard.writeText(text);
      one("live").textContent = "Copied.";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(box);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      one("live").textContent = "Selected; copy it with the keyboard.";
    }
  }

  // Files that are dropped together are read together: a system each, or shards of one table.
  async function upload(files) {
    document.body.dataset.ready = "false";
    const kept = [];
    for (const file of files) {
      const answer = await send(file);
      if (answer.refused) { show(answer); return; }
      kept.push(answer);
      list(answer);
    }
    take(kept);
  }

  const send = (file) => new Promise((done) => {
    progress(`Sending ${file.name} …`);
    const request = new XMLHttpRequest();
    request.open("POST", "/files");
    request.setRequestHeader("X-Steelyard-Token", token);
    request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) {
        progress(`Sending ${file.name} … ${Math.floor((100 * event.loaded) / event.total)} %`);
      }
    });
    request.addEventListener("load", () => {
      const answer = JSON.parse(request.responseText || "{}");
      done(request.status === 200 ? answer : { refused: answer.refused || "The file was not taken." });
    });
    request.addEventListener("error", () => done({ refused: "The server does not answer." }));
    request.send(file);
  });

  function list(kept, ids = ["data", "truth_file"]) {
    for (const chooser of ids.map(one)) {
      if (![...chooser.options].some((option) => option.value === kept.data)) {
        chooser.add(new Option(kept.name, kept.data));
      }
    }
  }

  function take(kept) {
    const data = [...new Set(kept.map((each) => each.data))].join("~");
    list({ data, name: kept.map((each) => each.name).join(", ") }, ["data"]);
    one("data").value = data;
    one("truth_file").value = "";
    state = [];
    touched = "data";
    say("data", [data], true);
    ask(0);
  }

  async function forget(key) {
    const answer = await fetch(`/files/${key}`, { method: "DELETE", headers: headers({}) });
    if (!answer.ok) return;
    const gone = key.split(/[~!]/);
    for (const option of document.querySelectorAll("#data option, #truth_file option")) {
      if (option.value.split("~").some((each) => gone.includes(each))) option.remove();
    }
    one("data").value = "";
    one("truth_file").value = "";
    state = [];
    forgetAnswer();
    remember();
    ask(0);
  }

  function begin() {
    document.addEventListener("change", changed);
    document.addEventListener("input", changed);
    document.addEventListener("click", (event) => {
      const copied = event.target.closest("[data-copy]");
      if (copied) copy(copied.dataset.copy);
      if (event.target.id === "forget") forget(event.target.dataset.key);
    });
    if (one("upload")) {
      one("upload").addEventListener("change", (event) => {
        if (event.target.files.length) upload([...event.target.files]);
        event.target.value = "";
      });
      document.addEventListener("dragover", (event) => {
        event.preventDefault();
        one("drop").classList.add("over");
      });
      document.addEventListener("dragleave", () => one("drop").classList.remove("over"));
      document.addEventListener("drop", (event) => {
        event.preventDefault();
        one("drop").classList.remove("over");
        if (event.dataTransfer.files.length) upload([...event.dataTransfer.files]);
      });
    }
    const here = document.querySelector("nav [aria-current]");
    if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - 40;
    let last = width();
    window.addEventListener("resize", () => {
      if (Math.abs(width() - last) < 24) return;
      last = width();
      ask(250);
    });
    echo();
    remember();
    ask(0);
  }

  // Back and forward: the address is the state, and the server fills the controls from it.
  window.addEventListener("popstate", () => location.reload());
  window.addEventListener("DOMContentLoaded", begin);
  return { one, say, value, ask, hooks, remember, headers, isStep };
})();
