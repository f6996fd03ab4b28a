"""``llms.txt``: what each page is about, one line each, for machines that read the site."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["first_sentence", "llms_text", "on_post_build"]

ABOUT = (
    "Steelyard answers, from files of answers or bare counts, how good recognition systems and "
    "other models are, which is better and how sure that is, with intervals whose coverage is "
    "certified. Type `steelyard --help`; agents call the verbs by `steelyard mcp FOLDER`."
)
SKIPPED = re.compile(r"^(?:#|```|>|\||!|<|:|-{3}|\$\$|\* |\d+\. |    )")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def on_post_build(config: Any) -> None:  # noqa: ANN401
    """Write the file beside the pages of the site."""
    text = llms_text(config["nav"], Path(config["docs_dir"]))
    Path(config["site_dir"], "llms.txt").write_text(text, encoding="utf-8")


def llms_text(nav: Iterable[Any], docs: Path) -> str:
    """Write the sections of the site, each page with its title and its first sentence."""
    lines = ["# Steelyard", "", f"> {ABOUT}"]
    for section, pages in _sections(nav):
        lines += ["", f"## {section}", ""]
        for page in pages:
            # Notebooks become pages when the site is built; they have a title and no sentence.
            path = docs / page
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            title = re.search(r"^# (.+)$", text, re.MULTILINE)
            name = title[1].strip() if title else path.stem.replace("-", " ")
            about = first_sentence(text)
            link = f"[{name}]({Path(page).with_suffix('.html').as_posix()})"
            lines.append(f"- {link}{f': {about}' if about else ''}")
    return "\n".join([*lines, ""])


def first_sentence(text: str) -> str:
    r"""Give the first sentence of a page, without its links.

    >>> first_sentence("# Title\n\nIt [weighs](a.md) two. And more.")
    'It weighs two.'
    """
    for part in re.split(r"\n\s*\n", text):
        block = part.strip()
        if block and not SKIPPED.match(block):
            plain = " ".join(LINK.sub(r"\1", block).split())
            return re.split(r"(?<=[.?!])\s", plain)[0]
    return ""


def _sections(nav: Iterable[Any]) -> Iterator[tuple[str, list[str]]]:
    first = [entry for entry in nav if isinstance(entry, str)]
    if first:
        yield "Start", first
    for entry in nav:
        if isinstance(entry, dict):
            for name, pages in entry.items():
                yield name, [page for page in pages if isinstance(page, str)]
