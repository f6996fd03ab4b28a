"use strict";
(() => {
  const curves = JSON.parse(document.getElementById("steelyard-curves").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const one = (id) => document.getElementById(id);
  const system = one("system"), slider = one("stop");
  const drawings = (name) => [...document.querySelectorAll(`[data-picture="${name}"] [data-frame]`)];
  const add = (svg, kind, name) => {
    const made = document.createElementNS(SVG, kind);
    made.setAttribute("class", name);
    svg.append(made);
    return made;
  };
  const set = (node, values) => {
    for (const [name, value] of Object.entries(values)) node.setAttribute(name, value);
  };
  const roc = drawings("roc").map((box) => {
    const svg = box.querySelector("svg");
    const frame = box.dataset.frame.split(" ").map(Number);
    return {
      svg, frame, across: add(svg, "line", "guide"), down: add(svg, "line", "guide"),
      dot: add(svg, "circle", "marker"),
    };
  });
  const scores = curves.map((_, place) => drawings(`scores-${place}`).map((box) => {
    const svg = box.querySelector("svg");
    return { frame: box.dataset.frame.split(" ").map(Number), line: add(svg, "line", "cut") };
  }));

  function show() {
    const curve = curves[Number(system.value)];
    const stop = curve.stops[Number(slider.value)];
    for (const id of ["at", "from"]) one(id).textContent = stop.said;
    one("of").textContent = curve.system;
    one("why").textContent = curve.why;
    slider.setAttribute("aria-valuetext", stop.said);
    stop.counts.forEach((text, place) => { one(`count-${place}`).textContent = text; });
    stop.parts.forEach((text, place) => { one(`part-${place}`).textContent = text; });
    stop.shares.forEach(([value, ends], place) => {
      one(`share-${place}`).textContent = value;
      one(`ends-${place}`).textContent = ends;
    });
    for (const { frame: [left, top, wide, high], dot, across, down } of roc) {
      const x = left + 0.5 + wide * stop.x, y = top + 0.5 + high * (1 - stop.y);
      set(dot, { cx: x, cy: y, r: 7 });
      set(across, { x1: left, x2: x, y1: y, y2: y });
      set(down, { x1: x, x2: x, y1: y, y2: top + high });
    }
    const [low, high] = curve.range;
    const share = high > low ? (stop.at - low) / (high - low) : 0.5;
    for (const { frame: [left, top, wide, tall], line } of scores[Number(system.value)]) {
      const x = left + 0.5 + wide * share;
      set(line, { x1: x, x2: x, y1: top, y2: top + tall });
    }
    one("live").textContent = `${curve.system}, threshold ${stop.said}: detection rate ` +
      `${stop.shares[0][0]}, false-alarm rate ${stop.shares[1][0]}`;
  }

  function choose() {
    const curve = curves[Number(system.value)];
    slider.max = curve.stops.length - 1;
    slider.value = curve.start;
    for (const box of document.querySelectorAll(".scores")) {
      box.hidden = box.dataset.system !== system.value;
    }
    show();
  }

  function point(drawing, event) {
    const { svg, frame: [left, top, wide, high] } = drawing;
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const x = ((event.clientX - box.left) * scale - left) / wide;
    const y = 1 - ((event.clientY - box.top) * scale - top) / high;
    const stops = curves[Number(system.value)].stops;
    let best = 0, least = Infinity;
    stops.forEach((stop, place) => {
      const away = (stop.x - x) ** 2 + (stop.y - y) ** 2;
      if (away < least) { least = away; best = place; }
    });
    slider.value = best;
    show();
  }

  for (const drawing of roc) {
    drawing.svg.addEventListener("pointerdown", (event) => point(drawing, event));
    drawing.svg.addEventListener("pointermove", (event) => {
      if (event.buttons) point(drawing, event);
    });
  }
  system.addEventListener("change", choose);
  slider.addEventListener("input", show);
  one("controls").hidden = false;
  choose();
})();
