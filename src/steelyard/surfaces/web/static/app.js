"use strict";
// The frame of every page: its state is its address, its answers come as words, tables and drawings.
window.steelyard = (() => {
  const one = (id) => document.getElementById(id);
  const page = document.body.dataset.page;
  const token = document.querySelector('meta[name="steelyard-token"]').content;
  const NAMED = "select[name], input[name]";
  const ALONE = 960;
  const SHARED = ["data", "truth", "positive", "item", "systems"];
  const hooks = { shown: [], state: [] };
  let latest = 0, timer = 0, given = null;
  // Names of drawings may hold names from data, which an object would mix up with its own.
  const views = new Map();

  const headers = (more) => ({ "X-Steelyard-Token": token, ...more });

  // The state: pairs of names and texts, of the address at first and of the controls from then on.
  let state = [...new URLSearchParams(location.search)];
  const value = (name) => (state.find(([known]) => known === name) || [name, ""])[1];

  function say(name, values) {
    state = state.filter(([known]) => known !== name);
    for (const text of values) if (text !== "") state.push([name, text]);
    remember();
  }

  function remember() {
    const query = new URLSearchParams(state).toString();
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
    const shared = new URLSearchParams(state.filter(([name]) => SHARED.includes(name))).toString();
    for (const link of document.querySelectorAll("nav [data-nav]")) {
      const path = link.dataset.nav;
      const files = ["/evaluate", "/compare"].includes(path);
      link.setAttribute("href", files && shared ? `${path}?${shared}` : path);
    }
  }

  function read(control) {
    const { name } = control;
    if (control.type === "checkbox") {
      const ticked = document.querySelectorAll(`input[name="${CSS.escape(name)}"]:checked`);
      return [...ticked].map((tick) => tick.value);
    }
    return [control.value === control.dataset.usual ? "" : control.value.trim()];
  }

  function echo() {
    for (const output of document.querySelectorAll("output[data-shows]")) {
      const control = one(output.dataset.shows);
      const none = output.dataset.none && control.value === control.dataset.usual;
      output.textContent = none ? output.dataset.none : control.value;
    }
  }

  function changed(event) {
    const control = event.target.closest(NAMED);
    if (!control) return;
    echo();
    const soon = event.type === "input";
    if (soon && control.type !== "range") return;
    if (control.name === "data") state = [];
    if (control.name === "correct" || control.name === "tested") {
      if (control.value) say("data", []);
    }
    say(control.name, read(control));
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
    try {
      for (;;) {
        const answer = await fetch(`/answers/${page}`, {
          method: "POST", headers: headers({ "Content-Type": "application/json" }), body,
        });
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

  function show(found) {
    progress("");
    const refused = one("refused");
    refused.hidden = !found.refused;
    refused.textContent = found.refused || "";
    const focus = document.activeElement && document.activeElement.id;
    const opened = ["understanding", "more-roles"].filter((id) => one(id) && one(id).open);
    if (found.understood !== undefined) one("understood").innerHTML = found.understood;
    for (const id of opened) if (one(id)) one(id).open = true;
    if (found.refused) {
      one("answer").classList.toggle("stale", one("answer").innerHTML !== "");
      if (one("data") && found.code !== "bad-request") {
        one("answer").after(one("take"));
        one("answer").replaceChildren();
      }
    } else {
      given = found;
      replaceAnswer(found);
    }
    one("take").hidden = !given || !one("answer").innerHTML || given.mark === "";
    if (focus && one(focus) && document.activeElement !== one(focus)) one(focus).focus({ preventScroll: true });
    for (const link of document.querySelectorAll("[data-download]")) {
      const query = new URLSearchParams(state).toString();
      link.hidden = link.dataset.download === "report.html" && !value("data");
      link.setAttribute("href", `/download/${page}/${link.dataset.download}?${query}`);
    }
    document.body.dataset.ready = "true";
  }

  function replaceAnswer(found) {
    const heights = new Map();
    for (const box of document.querySelectorAll("[data-drawing]")) {
      heights.set(box.dataset.drawing, box.offsetHeight);
    }
    for (const view of views.values()) view.finalize();
    views.clear();
    one("answer").classList.remove("stale");
    one("answer").after(one("take"));
    one("answer").innerHTML = found.html;
    const sentence = one("answer").querySelector(".answer");
    if (sentence) sentence.after(one("take"));
    for (const box of document.querySelectorAll("[data-drawing]")) {
      const high = heights.get(box.dataset.drawing);
      if (high) box.style.minHeight = `${high}px`;
    }
    for (const hook of hooks.shown) hook(found);
    document.body.dataset.drawn = "false";
    draw(found);
  }

  async function draw(found) {
    while (!window.steelyardEmbed) await new Promise((done) => setTimeout(done, 30));
    for (const chart of found.charts) {
      const box = document.querySelector(`[data-drawing="${CSS.escape(chart.name)}"]`);
      if (found !== given || !box) return;
      // A drawing alone in its row takes the row, within reason.
      if (box.closest(".full")) chart.spec.width = Math.min(box.clientWidth, ALONE);
      const made = await window.steelyardEmbed(box, chart.spec, {
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
    const text = kind === "link" ? location.href : given[kind];
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

  function upload(file) {
    progress(`Sending ${file.name} …`);
    document.body.dataset.ready = "false";
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
      if (request.status !== 200) { show({ refused: answer.refused || "The file was not taken." }); return; }
      take(answer);
    });
    request.addEventListener("error", () => show({ refused: "The server does not answer." }));
    request.send(file);
  }

  function take(kept) {
    const chooser = one("data");
    if (![...chooser.options].some((option) => option.value === kept.data)) {
      chooser.add(new Option(kept.name, kept.data));
    }
    chooser.value = kept.data;
    state = [];
    say("data", [kept.data]);
    ask(0);
  }

  async function forget(key) {
    const answer = await fetch(`/files/${key}`, { method: "DELETE", headers: headers({}) });
    if (!answer.ok) return;
    one("data").querySelector(`option[value="${CSS.escape(key)}"]`).remove();
    one("data").value = "";
    state = [];
    given = null;
    one("answer").after(one("take"));
    one("answer").replaceChildren();
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
        if (event.target.files.length) upload(event.target.files[0]);
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
        if (event.dataTransfer.files.length) upload(event.dataTransfer.files[0]);
      });
    }
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

  window.addEventListener("DOMContentLoaded", begin);
  return { one, say, value, ask, hooks, remember, headers };
})();
