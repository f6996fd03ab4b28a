"""SVG as it leaves the renderer, made fit to stand in a page: same bytes, own ids, a name."""

import re
from xml.etree import ElementTree

from steelyard.errors import RequestError

__all__ = ["Frame", "frame_of", "tidy_svg"]

SPACE = "http://www.w3.org/2000/svg"
ALLOWED = frozenset(
    {"svg", "g", "path", "rect", "line", "circle", "text", "tspan", "defs", "clipPath", "title"}
)
SPOKEN = ("aria-label", "aria-roledescription", "aria-hidden", "role")
REFERENCE = re.compile(r"^url\(#([\w-]+)\)$")
BOX = re.compile(r"^M[\d.]+,[\d.]+h([\d.]+)v([\d.]+)h-")
MOVE = re.compile(r"^translate\((-?[\d.]+),(-?[\d.]+)\)$")
LONG = re.compile(r"-?\d+\.\d{3,}")

Frame = tuple[float, float, float, float]
"""Left, top, width and height of the plot inside the picture."""

ElementTree.register_namespace("", SPACE)


def tidy_svg(text: str, *, label: str, prefix: str) -> str:
    """Number the ids from 1, name the picture for those who cannot see it, drop what draws nothing.

    The renderer counts its ids over the life of the process; here they start with ``prefix`` and
    count from 1, so that the same chart gives the same bytes and two charts fit in one page.
    """
    root = ElementTree.fromstring(text)
    _refuse_strangers(root)
    _quieten(root)
    _renumber(root, prefix)
    _share_font(root)
    frame = root.find(".//*[@class='background']")
    for parent in root.iter():
        for child in [one for one in parent if one is not frame and _draws_nothing(one)]:
            parent.remove(child)
    root.set("role", "img")
    root.set("aria-label", label)
    return ElementTree.tostring(root, encoding="unicode")


def frame_of(text: str) -> Frame:
    """Find where the plot lies in the picture, so that a script can point at values in it."""
    root = ElementTree.fromstring(text)
    outer = root.find(f"{{{SPACE}}}g")
    frame = None if outer is None else outer.find(".//*[@class='background']")
    moved = None if outer is None else MOVE.match(outer.get("transform", ""))
    box = None if frame is None else BOX.match(frame.get("d", ""))
    panels = [] if outer is None else outer.findall(".//*[@class='background']")
    if box is None and len(panels) > 1:
        # Small multiples have many plots, so that places are told in the whole picture.
        return 0.0, 0.0, float(root.get("width", "1")), float(root.get("height", "1"))
    if moved is None or box is None:
        message = "The picture has no frame; only charts with axes have one."
        raise RequestError(message, code="no-frame")
    return float(moved[1]), float(moved[2]), float(box[1]), float(box[2])


def _refuse_strangers(root: ElementTree.Element) -> None:
    found = {element.tag.removeprefix(f"{{{SPACE}}}") for element in root.iter()} - ALLOWED
    if found:
        message = f"The picture holds {sorted(found)[0]!r}, which no chart of ours draws."
        raise RequestError(message, code="strange-picture")


def _quieten(root: ElementTree.Element) -> None:
    """Leave one name for the whole; shorten numbers beyond what can be seen."""
    for element in root.iter():
        for name in SPOKEN:
            element.attrib.pop(name, None)
        element.attrib.pop("pointer-events", None)
        if element.get("opacity") == "1":
            del element.attrib["opacity"]
        for name in ("d", "opacity", "transform", "x", "y", "x2", "y2", "width", "height"):
            value = element.get(name)
            if value is not None:
                element.set(name, LONG.sub(lambda found: _short(found[0]), value))


def _share_font(root: ElementTree.Element) -> None:
    """Name the font once, where every text has the same."""
    texts = [element for element in root.iter() if element.get("font-family")]
    fonts = {element.get("font-family", "") for element in texts}
    if len(fonts) == 1:
        for element in texts:
            del element.attrib["font-family"]
        root.set("font-family", fonts.pop())


def _short(number: str) -> str:
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def _renumber(root: ElementTree.Element, prefix: str) -> None:
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    fresh = {old: f"{prefix}-{number}" for number, old in enumerate(ids, 1)}
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            found = REFERENCE.match(value)
            if name == "id":
                element.set(name, fresh[value])
            elif found and found[1] in fresh:
                element.set(name, f"url(#{fresh[found[1]]})")


def _draws_nothing(element: ElementTree.Element) -> bool:
    if element.get("display") == "none" or element.get("opacity") == "0":
        return True
    if element.tag != f"{{{SPACE}}}path":
        return False
    painted = element.get("stroke") or element.get("fill")
    return not element.get("d") or (bool(element.get("class")) and not painted)
