"""The examples of every module run and print what they show.

One test for a module, so that nothing is imported before it is its turn; ``pytest src/…`` runs the
examples one by one.
"""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
MODULES = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((SOURCE / "steelyard").rglob("*.py"))
    if ">>>" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_of_a_module_prints_what_it_shows(name, capsys):
    failed, tried = doctest.testmod(import_module(name))
    assert tried
    assert failed == 0, capsys.readouterr().out
