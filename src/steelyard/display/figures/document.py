"""One chart as a page of its own: no request, no eval, no markup from data."""

import base64
import hashlib
import json
from html import escape
from typing import Any

__all__ = ["chart_document", "script_hash", "script_json"]

HARMLESS = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
START = """\
"use strict";
const box = document.getElementById("chart");
const tip = document.getElementById("tip");
const spec = JSON.parse(document.getElementById("spec").textContent);
function show(handler, event, item, value) {
  if (value === null || value === undefined || value === "") { tip.hidden = true; return; }
  const parts = typeof value === "object" ? Object.entries(value) : [["", value]];
  tip.textContent = parts.map(([name, one]) => (name ? name + ": " : "") + one).join("\\n");
  tip.hidden = false;
  const room = document.documentElement.clientWidth - tip.offsetWidth - 12;
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, room)) + "px";
  tip.style.top = event.clientY + 14 + "px";
}
window.steelyardEmbed(box, spec, {
  ast: true, actions: false, renderer: "svg", tooltip: show, defaultStyle: false,
  loader: { http: false, file: false },
}).then(() => { document.body.dataset.drawn = "true"; });
"""
STYLE = """\
body{margin:0;padding:16px;background:PAPER;color:INK;font:15px/1.5 FONT}
main{max-width:100%;overflow-x:auto}
#tip{position:fixed;white-space:pre;background:INK;color:PAPER;padding:6px 10px;\
border-radius:6px;font-size:13px;pointer-events:none}
#tip[hidden]{display:none}
"""


def script_json(value: Any) -> str:  # noqa: ANN401
    r"""Write JSON that no ``<script>`` element can be closed or broken by.

    Examples
    --------
    >>> script_json({"name": "</script>"})
    '{"name":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for character, written in HARMLESS.items():
        text = text.replace(character, written)
    return text


def script_hash(text: str) -> str:
    """Give the word by which a content security policy allows exactly this script or style."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def chart_document(title: str, summary: str, spec: dict[str, Any], bundle: str) -> str:
    """Write the page; ``bundle`` is the JavaScript that draws."""
    config = spec["config"]
    style = (
        STYLE.replace("PAPER", config["background"])
        .replace("INK", config["title"]["color"])
        .replace("FONT", config["font"])
    )
    policy = (
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"style-src {script_hash(style)}; "
        f"script-src {script_hash(bundle)} {script_hash(START)}"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        '<link rel="icon" href="data:,">\n'
        f"<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f'<div id="chart" role="img" aria-label="{escape(summary)}"></div>\n</main>\n'
        '<div id="tip" hidden></div>\n'
        f'<script type="application/json" id="spec">{script_json(spec)}</script>\n'
        f"<script>{bundle}</script>\n<script>{START}</script>\n</body>\n</html>\n"
    )
