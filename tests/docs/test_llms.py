"""The list of pages for machines holds every page of the site, with what it is about."""

import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from llms_hook import llms_text  # noqa: E402


def test_every_page_of_the_site_has_its_line_with_a_first_sentence():
    plain = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    site = yaml.safe_load(plain)
    text = llms_text(site["nav"], ROOT / "docs")
    lines = [line for line in text.splitlines() if line.startswith("- [")]
    pages = [line.strip(" -\n") for line in plain.splitlines() if line.strip().endswith(".md")]
    assert len(lines) == len(pages)
    silent = [line for line in lines if "): " not in line]
    assert len(silent) <= 4, silent
    assert "scripts/llms_hook.py" in site["hooks"]
