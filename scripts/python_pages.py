"""Pages of the Python reference, made while the documentation is built: nothing of them is kept.

Each name of ``import steelyard as sy`` has a page of its own, a verb's with all its roles and
settings from the table of options; what else is public stands on a page for each chapter of a room.
"""

import importlib
import importlib.util
import inspect
import re
from re import Match
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

__all__ = ["chapters", "link_names", "on_config", "on_files", "on_page_content", "pages"]

FOLDER = "reference/python"
ROOMS = (
    "journey",
    "sources",
    "tally",
    "counts",
    "measures",
    "comparison",
    "planning",
    "uncertainty",
    "campaigns",
    "suites",
    "results",
    "display",
    "errors",
)
FEWEST = 10
"""A chapter with fewer names stands on the page of its room."""
FIRST = ("Question", "Roles")
"""Groups of options that a reader looks for first."""
ROLE = re.compile(r":(?:func|class|mod|data|meth|attr|exc):<code>~?(?P<name>[\w.]+)</code>")


def pages() -> dict[str, str]:
    """Write every page, by its place: the overview, the names of ``sy``, the chapters."""
    made = {"index.md": _overview()}
    made |= {f"{name}.md": _page(name, found) for name, found in _names().items()}
    for chapter, places in chapters().items():
        module = importlib.import_module(f"steelyard.{chapter}")
        directives = "\n\n".join(f"::: {place}" for place in places)
        title = f"# steelyard.{chapter}\n\n{_first_line(module)}"
        made[f"rooms/{chapter}.md"] = f"{title}\n\n{directives}\n"
    return made


def chapters() -> dict[str, list[str]]:
    """Give what the rooms hand out and ``sy`` does not: the places of its names, by chapter."""
    seen = {_place(found) for found in _names().values()}
    made: dict[str, list[str]] = {}
    for room in ROOMS:
        offered: dict[str, list[str]] = {}
        for module in _with_figures(importlib.import_module(f"steelyard.{room}")):
            for found in (getattr(module, name) for name in module.__all__):
                if _is_ours(found) and (place := _place(found)) not in seen:
                    seen.add(place)
                    offered.setdefault(_chapter(place, room), []).append(place)
        small = [name for name in offered if name != room and len(offered[name]) < FEWEST]
        own = [*offered.pop(room, []), *(place for name in small for place in offered.pop(name))]
        made |= ({room: own} if own else {}) | offered
    return made


def on_config(config: "MkDocsConfig") -> "MkDocsConfig":
    """Put the pages into the list of pages, where it says ``reference/python``."""
    names = [{f"sy.{name}": f"{FOLDER}/{name}.md"} for name in sorted(_names(), key=str.swapcase)]
    rooms = [{name: f"{FOLDER}/rooms/{name}.md"} for name in chapters()]
    reference = next(part["Reference"] for part in config.nav or [] if "Reference" in part)
    place = reference.index({"Python": FOLDER})
    reference[place] = {"Python": [f"{FOLDER}/index.md", *names, {"Rooms": rooms}]}
    return config


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Hand the pages to the build."""
    from mkdocs.structure.files import File

    for place, text in pages().items():
        files.append(File.generated(config, f"{FOLDER}/{place}", content=text))
    return files


def on_page_content(html: str, **_: object) -> str:
    """Turn the roles of docstrings, which a page would show as they are written, into links."""
    return link_names(html)


def link_names(html: str) -> str:
    """Link every name that a docstring mentions to its entry, and show its last part alone."""
    return ROLE.sub(_link, html)


def _link(found: Match[str]) -> str:
    name = found["name"]
    shown = name if _is_module(name) else name.rpartition(".")[2]
    return f'<autoref identifier="{_real_place(name)}" optional><code>{shown}</code></autoref>'


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ModuleNotFoundError, ValueError):
        return False


def _real_place(name: str) -> str:
    """Find where a name is defined that a package only hands on."""
    package, _, last = name.rpartition(".")
    if not package.startswith("steelyard") or not _is_module(package):
        return name
    found = getattr(importlib.import_module(package), last, None)
    return _place(found) if _is_ours(found) else name


def _overview() -> str:
    lines = [
        "# Python",
        "",
        "`import steelyard as sy` gives these names; it loads no engine, no chart and no web "
        "library until one is used.",
        "",
        "| name | what it is |",
        "|---|---|",
    ]
    lines += [
        f"| [`sy.{name}`]({name}.md) | {_first_line(found)} |" for name, found in _names().items()
    ]
    lines += ["", "What else is public, by room and chapter:", "", "| room | what it holds |"]
    lines += ["|---|---|"]
    for chapter in chapters():
        about = _first_line(importlib.import_module(f"steelyard.{chapter}"))
        lines += [f"| [`steelyard.{chapter}`](rooms/{chapter}.md) | {about} |"]
    return "\n".join(lines) + "\n"


def _page(name: str, found: object) -> str:
    title = f"sy.{name}"
    lines = ["---", f"title: {title}", "---", "", f"::: {_place(found)}", "    options:"]
    settings = {"heading": title, "toc_label": title, "heading_level": 1, "show_overloads": "false"}
    lines += [f"      {key}: {value}" for key, value in settings.items()]
    return "\n".join(lines) + f"\n{_keywords(name)}"


def _keywords(verb: str) -> str:
    """List every role and setting of a verb, in the groups of the table of options."""
    from steelyard.journey.options import GROUPS, Verb, options_of

    if verb not in get_args(Verb):
        return ""
    rows = options_of(verb, "python").values()  # type: ignore[arg-type]
    lines = ["", "## Every role and setting", ""]
    lines += ["All of them are passed by keyword."]
    for group in sorted(GROUPS, key=lambda group: group not in FIRST):
        own = [row for row in rows if row.group == group]
        if own:
            lines += [
                "",
                f"### {group}",
                "",
                "| keyword | what it says | default |",
                "|---|---|---|",
            ]
            lines += [_keyword_row(row) for row in own]
    return "\n".join(lines) + "\n"


def _keyword_row(row: Any) -> str:  # noqa: ANN401
    default = row.shown_default or ""
    cells = (f"`{row.name}`", row.words, str(default))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _names() -> dict[str, Any]:
    package = importlib.import_module("steelyard")
    offered = {name: getattr(package, name) for name in package.__all__}
    return {name: found for name, found in offered.items() if _is_ours(found)}


def _with_figures(module: ModuleType) -> list[ModuleType]:
    """Give the room, and after ``display`` the figures, which it does not hand on."""
    if module.__name__ != "steelyard.display":
        return [module]
    return [module, importlib.import_module("steelyard.display.figures")]


def _chapter(place: str, room: str) -> str:
    """Say in which chapter a name stands: the folder of its module below the room."""
    parts = place.split(".")
    inner = ".".join(parts[1:3])
    return inner if len(parts) > 4 or inner == "display.figures" else room


def _is_ours(found: object) -> bool:
    documented = inspect.isclass(found) or inspect.isfunction(found)
    return documented and str(getattr(found, "__module__", "")).startswith("steelyard.")


def _place(found: object) -> str:
    return f"{getattr(found, '__module__', '')}.{getattr(found, '__qualname__', '')}"


def _first_line(found: object) -> str:
    return (inspect.getdoc(found) or "").partition("\n")[0].replace("|", "\\|")
