"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const NEAR = 32;
  const tip = document.getElementById("hint");
  const rings = new WeakMap();

  function ring(svg) {
    if (!rings.has(svg)) {
      const made = document.createElementNS(SVG, "circle");
      made.setAttribute("class", "ring");
      made.setAttribute("r", "6");
      svg.append(made);
      rings.set(svg, made);
    }
    return rings.get(svg);
  }

  function hide(svg) {
    tip.hidden = true;
    ring(svg).setAttribute("visibility", "hidden");
  }

  function show(drawing, [x, y, words]) {
    const { svg, frame: [left, top, wide, high] } = drawing;
    const at = [left + 0.5 + wide * x, top + 0.5 + high * y];
    const made = ring(svg);
    made.setAttribute("cx", at[0]);
    made.setAttribute("cy", at[1]);
    made.setAttribute("visibility", "visible");
    const box = svg.getBoundingClientRect();
    const scale = box.width / svg.viewBox.baseVal.width;
    tip.textContent = words;
    tip.hidden = false;
    const across = box.left + at[0] * scale, down = box.top + at[1] * scale;
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(8, Math.min(across + 14, room))}px`;
    const below = down + 16 + tip.offsetHeight > document.documentElement.clientHeight;
    tip.style.top = `${below ? Math.max(4, down - tip.offsetHeight - 12) : down + 16}px`;
  }

  function nearest(drawing, hints, event) {
    const { svg, frame: [left, top, wide, high] } = drawing;
    const box = svg.getBoundingClientRect();
    const scale = box.width / svg.viewBox.baseVal.width;
    const x = (event.clientX - box.left) / scale, y = (event.clientY - box.top) / scale;
    let best = null, least = NEAR ** 2;
    for (const one of hints) {
      const away = (left + wide * one[0] - x) ** 2 + (top + high * one[1] - y) ** 2;
      if (away < least) { least = away; best = one; }
    }
    return best;
  }

  function follow(drawing, hints) {
    const { svg, box } = drawing;
    let place = -1;
    svg.addEventListener("pointermove", (event) => {
      const found = nearest(drawing, hints, event);
      if (found) show(drawing, found); else hide(svg);
    });
    svg.addEventListener("pointerleave", () => hide(svg));
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `${drawing.title}: arrow keys read the values`);
    box.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") { hide(svg); return; }
      if (!step) return;
      event.preventDefault();
      place = (place + step + hints.length) % hints.length;
      show(drawing, hints[place]);
    });
    box.addEventListener("blur", () => hide(svg));
  }

  for (const kept of document.querySelectorAll("script.hints")) {
    const hints = JSON.parse(kept.textContent);
    const figure = kept.closest("figure");
    const title = figure.querySelector("figcaption").textContent;
    for (const box of figure.querySelectorAll("[data-frame]")) {
      const frame = box.dataset.frame.split(" ").map(Number);
      const svg = box.querySelector("svg");
      if (frame.length === 4) follow({ svg, box, frame, title }, hints);
    }
  }
  window.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
})();
