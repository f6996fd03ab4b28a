"""Files of our own for the browser: style, scripts, icon, and the drawing library, made once."""

import hashlib
import threading
from functools import cache
from importlib import metadata
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response

from steelyard.display.figures.chart import SNIPPET, drawing_script
from steelyard.display.saving import write_whole
from steelyard.surfaces.web.pages.frame import PAGES

__all__ = ["prepare", "static_file"]

HERE = Path(__file__).parent / "static"
KINDS = {
    "app.css": "text/css",
    "app.js": "text/javascript",
    "door.js": "text/javascript",
    "campaigns.js": "text/javascript",
    "evaluate.js": "text/javascript",
    "plan.js": "text/javascript",
    "suites.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "vega.js": "text/javascript",
}
MAKING = threading.Lock()


def static_file(name: str, folder: Path) -> Response:
    """Give a file of a closed list; nothing else is ever read."""
    if name not in KINDS:
        raise HTTPException(404)
    if name == "vega.js":
        content = _drawing_library(folder)
    else:
        content = _style() if name == "app.css" else _own(name)
    return Response(content, media_type=KINDS[name])


def prepare(folder: Path) -> None:
    """Load the pages and make the drawing library while the browser still starts."""
    threading.Thread(target=_load_and_draw, args=(folder,), daemon=True).start()


def _load_and_draw(folder: Path) -> None:
    for page in PAGES.values():
        page.load()
    _drawing_library(folder)


@cache
def _own(name: str) -> bytes:
    return (HERE / name).read_bytes()


@cache
def _style() -> bytes:
    from steelyard.surfaces.report import page_style

    return f"{page_style()}\n".encode() + (HERE / "app.css").read_bytes()


@cache
def _drawing_library(folder: Path) -> bytes:
    """Make the library once for each version of its maker; that takes two seconds."""
    ours = hashlib.sha256(SNIPPET.encode()).hexdigest()[:8]
    kept = folder / f"vega-{metadata.version('vl-convert-python')}-{ours}.js"
    with MAKING:
        if kept.exists():
            return kept.read_bytes()
        script = drawing_script().encode()
        write_whole(kept, script)
        return script
