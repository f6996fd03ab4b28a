"""Everything this stands on is pinned, and no pin says where it comes from."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "constraints.txt").read_text(encoding="utf-8")
HASH = re.compile(r" \\\n    --hash=sha256:[0-9a-f]{64}")
LINES = HASH.sub("", TEXT).splitlines()


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_line_is_one_version_of_one_package_without_an_address():
    for line in LINES:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+( ; .+)?", line), line


def test_every_version_is_known_by_the_hashes_of_its_files():
    packages = re.split(r"\n(?=\S)", TEXT.strip())
    assert len(packages) == len(LINES)
    for package in packages:
        assert HASH.search(package), package.partition("\n")[0]


def test_what_the_project_names_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    # inspect is run in an environment of its own (make test-tools)
    named = [one for name, some in extras.items() if name != "inspect" for one in some]
    names = {
        plain(re.match(r"[A-Za-z0-9._-]+", one)[0]) for one in (*project["dependencies"], *named)
    }
    assert names - {"steelyard"} <= {plain(line.partition("==")[0]) for line in LINES}


def test_no_page_hands_pip_hashes_together_with_a_checkout_which_has_none():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    for page in pages:
        for line in page.read_text(encoding="utf-8").splitlines():
            if "constraint" in line and "constraints.txt" in line and "pip install" in line:
                assert "uv pip install" in line, f"{page}: {line}"


def test_what_an_installation_brings_is_imported_somewhere():
    named = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    modules = {"vl-convert-python": "vl_convert"}
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    for one in named["dependencies"]:
        name = re.match(r"[A-Za-z0-9._-]+", one)[0]
        module = modules.get(name, name.replace("-", "_"))
        assert re.search(rf"^\s*(import|from) {module}\b", source, re.MULTILINE), name
