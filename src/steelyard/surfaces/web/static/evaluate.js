"use strict";
// The slider over thresholds: every stop was written out by the server, moving it only looks up.
(() => {
  const { one, say, ask, value, hooks } = window.steelyard;
  const SVG = "http://www.w3.org/2000/svg";
  const marks = new Map();
  let slider = null, methods = new Map(), timer = 0;

  const add = (box, kind, name) => {
    const made = document.createElementNS(SVG, kind);
    made.setAttribute("class", name);
    box.append(made);
    return made;
  };
  const set = (node, values) => {
    for (const [name, value] of Object.entries(values)) node.setAttribute(name, value);
  };

  hooks.shown.push((found) => {
    slider = found.slider;
    marks.clear();
    methods = new Map(Object.entries(slider ? slider.methods : {}));
    if (!slider) return;
    one("why").textContent = slider.why;
    one("stop").value = slider.start;
    one("stop").addEventListener("input", () => { move(); keep(); });
    for (const button of document.querySelectorAll("[data-method]")) {
      button.addEventListener("click", () => {
        one("stop").value = methods.get(button.dataset.method);
        move();
        keep();
      });
    }
    move();
  });

  hooks.drawn.push((name, view, box) => {
    if (!["roc", "scores", "thresholds"].includes(name) || !slider) return;
    const group = box.querySelector("svg > g > g");
    const frame = { x: view.scale("x"), y: view.scale("y"), wide: view.width(), high: view.height() };
    marks.set(name, name === "roc"
      ? { ...frame, across: add(group, "line", "guide"), down: add(group, "line", "guide"), dot: add(group, "circle", "marker") }
      : { ...frame, line: add(group, "line", "cut") });
    if (name === "roc") touch(view, box);
    move();
  });

  function move() {
    const place = Number(one("stop").value);
    const stop = slider.stops[place];
    one("at").textContent = stop.said;
    one("of").textContent = slider.system;
    one("from").textContent = stop.said;
    one("stop").setAttribute("aria-valuetext", stop.said);
    stop.counts.forEach((text, cell) => { one(`count-${cell}`).textContent = text; });
    stop.parts.forEach((text, cell) => { one(`part-${cell}`).textContent = text; });
    stop.values.forEach(([value, ends], cell) => {
      one(`share-${cell}`).textContent = value;
      one(`ends-${cell}`).textContent = ends;
    });
    for (const button of document.querySelectorAll("[data-method]")) {
      const chosen = methods.get(button.dataset.method) === place;
      button.setAttribute("aria-pressed", String(chosen));
    }
    for (const [name, mark] of marks) point(name, mark, stop);
  }

  function point(name, mark, stop) {
    if (name === "roc") {
      const x = mark.x(stop.x), y = mark.y(stop.y);
      set(mark.dot, { cx: x, cy: y, r: 7 });
      set(mark.across, { x1: 0, x2: x, y1: y, y2: y });
      set(mark.down, { x1: x, x2: x, y1: y, y2: mark.high });
    } else {
      const x = mark.x(stop.at);
      set(mark.line, { x1: x, x2: x, y1: 0, y2: mark.high });
    }
  }

  function touch(view, box) {
    const svg = box.querySelector("svg");
    const nearest = (event) => {
      const frame = svg.getBoundingClientRect(), origin = view.origin();
      const x = view.scale("x").invert(event.clientX - frame.left - origin[0] - view.padding().left);
      const y = view.scale("y").invert(event.clientY - frame.top - origin[1] - view.padding().top);
      let best = 0, least = Infinity;
      slider.stops.forEach((stop, place) => {
        const away = (stop.x - x) ** 2 + (stop.y - y) ** 2;
        if (away < least) { least = away; best = place; }
      });
      one("stop").value = best;
      move();
      keep();
    };
    svg.addEventListener("pointerdown", nearest);
    svg.addEventListener("pointermove", (event) => { if (event.buttons) nearest(event); });
  }

  // The address follows once the slider rests; the voice of a screen reader, too.
  function keep() {
    clearTimeout(timer);
    timer = setTimeout(follow, 250);
  }

  function follow() {
    clearTimeout(timer);
    timer = 0;
    const stop = slider.stops[Number(one("stop").value)];
    if (value("at") === String(stop.at)) return;
    say("at", [String(stop.at)], true);
    say("shown", [one("shown").value]);
    one("live").textContent = `${slider.system}, threshold ${stop.said}: recall ${stop.values[0][0]}, ` +
      `precision ${stop.values[1][0]}`;
  }

  // What is copied or saved right after a step has that step, and not the one at which it rested.
  document.addEventListener("click", (event) => {
    if (timer && event.target.closest("[data-copy],[data-download]")) follow();
  }, true);

  // Two fields, one text: fn=5,fp=1.
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-cost]")) return;
    const fields = [...document.querySelectorAll("[data-cost]")];
    const said = fields.some((field) => field.value !== "");
    const text = fields.map((field) => `${field.dataset.cost}=${field.value || 1}`).join(",");
    say("cost", said ? [text] : [], true);
    ask(0);
  });

  // A threshold that was chosen goes into what is copied; its number is the only part that moves.
  hooks.copied = (kind, text) => {
    if (!slider || !value("at") || !slider[kind]) return text;
    return slider[kind].join(value("at"));
  };

  hooks.state.push((control) => { if (control.name === "shown") say("at", []); });
})();
