"""Write docs/explanation/bad-inputs.md: twenty bad inputs, the peers' answers and ours.

python scripts/bad_input_page.py PYTHON     PYTHON is an interpreter that has the peers installed
"""

import csv
import io
import json
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["main", "our_answers"]

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/explanation/bad-inputs.md"
START, END = "<!-- table -->", "<!-- end of the table -->"
ROWS = [(str(n), str(n % 2), f"{(n % 2) * 0.4 + (n * 7 % 20) / 40:.3f}") for n in range(40)]
WORDS = {"0": "car", "1": "ship"}


def main(python: str) -> None:
    """Ask the peers, ask ourselves, and put the table into the page."""
    versions: dict[str, str] = {}
    found: dict[tuple[str, str], str] = {}
    for row in _asked(python):
        versions[row["peer"]] = row["version"]
        found[row["peer"], row["case"]] = row["said"]
        print(f"{row['peer']}: {row['case']}: {row['said']}", flush=True)
    if not found:
        sys.exit(f"{python} has none of the peers. Type: make peers")
    names = [f"{peer} {version}" for peer, version in versions.items()]
    lines = [f"| input | {' | '.join(names)} | Steelyard |", f"|---|{'---|' * (len(names) + 1)}"]
    for case, said in our_answers().items():
        cells = [_cell(found.get((peer, case), "\u2013")) for peer in versions]
        lines.append(f"| {_plain(case)} | {' | '.join(cells)} | {_plain(said)} |")
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(START)
    table = "\n".join(lines)
    PAGE.write_text(f"{head}{START}\n\n{table}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")


def _asked(python: str) -> Iterator[dict[str, str]]:
    """Hand over the answers of the peers as they come."""
    command = [python, str(ROOT / "benchmarks" / "peer_inputs.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield json.loads(line)
    if process.returncode:
        sys.exit(f"{command[1]} ended with {process.returncode}; the page is as it was.")


def _cell(said: str) -> str:
    if not said.startswith("error: "):
        return _plain(said)
    return f"error ({_plain(said.split(': ')[1])})"


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def _file(folder: Path, rows: Any, header: tuple[str, ...]) -> str:  # noqa: ANN401
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows([header, *rows])
    (folder / "data.csv").write_text(made.getvalue(), encoding="utf-8")
    return str(folder / "data.csv")


def _scores(change: Callable[[list[list[str]]], Any], **roles: Any) -> Callable[[Path], Any]:  # noqa: ANN401
    import steelyard as sy

    def ask(folder: Path) -> Any:  # noqa: ANN401
        rows = [list(row) for row in ROWS]
        path = _file(folder, change(rows) or rows, ("id", "truth", "s"))
        return sy.evaluate(path, **{"positive": "1", "score": "s", **roles})

    return ask


def _calls(change: Callable[[list[list[str]]], Any], **roles: Any) -> Callable[[Path], Any]:  # noqa: ANN401
    import steelyard as sy

    def ask(folder: Path) -> Any:  # noqa: ANN401
        rows = [[n, WORDS[t], WORDS["1" if float(s) > 0.5 else "0"]] for n, t, s in ROWS]
        return sy.evaluate(_file(folder, change(rows) or rows, ("id", "truth", "a")), **roles)

    return ask


def _put(row: int, column: int, value: str) -> Callable[[list[list[str]]], None]:
    def change(rows: list[list[str]]) -> None:
        rows[row][column] = value

    return change


def _cafe(rows: list[list[str]]) -> None:
    for row in rows:
        row[1] = row[1].replace("ship", "caf\u00e9")
        row[2] = unicodedata.normalize("NFD", row[2].replace("ship", "caf\u00e9"))


def _vectors(first: str) -> Callable[[Path], Any]:
    import steelyard as sy

    rows = [[n, t, "0.5", "0.5"] for n, t, _ in ROWS]
    rows[0][2:] = first.split(",")
    return lambda folder: sy.evaluate(_file(folder, rows, ("id", "truth", "m.0", "m.1")))


def _trials(right: int, tested: int) -> Callable[[Path], Any]:
    import steelyard as sy

    return lambda folder: sy.Trials(correct={"a": right}, tested=tested, pairing="independent")


def _exported(name: str, look: Callable[[Any], bool]) -> Callable[[Path], str]:
    def ask(folder: Path) -> str:
        result = _calls(
            lambda rows: [[n, t.replace("ship", name), c.replace("ship", name)] for n, t, c in rows]
        )(folder)
        return "escaped" if look(result) else "not escaped"

    return ask


def _no_formula(result: Any) -> bool:  # noqa: ANN401
    cells = [cell for row in csv.reader(io.StringIO(result.to_csv())) for cell in row]
    return any("=cmd" in cell for cell in cells) and not any(c.startswith("=") for c in cells)


def our_answers() -> dict[str, str]:
    """Ask the same twenty things of ourselves."""
    asked: dict[str, Callable[[Path], Any]] = {
        "a score is NaN": _scores(_put(0, 2, "NaN")),
        "a score is infinite (ranks are defined)": _scores(_put(1, 2, "inf")),
        "a true class is missing": _calls(_put(0, 1, "")),
        "no positive class is named": _scores(lambda rows: [[n, WORDS[t], s] for n, t, s in rows], positive=None),  # noqa: E501
        "0/1 against '0'/'1'": _calls(lambda rows: [[n, str(int(t == "ship")), f"{int(c == 'ship')}"] for n, t, c in rows]),  # noqa: E501
        "one class only, area": _scores(lambda rows: [[n, "1", s] for n, _, s in rows]),
        "no items": _calls(list.clear),
        "lengths differ": lambda folder: __import__("steelyard").evaluate({"truth": ["x", "y"], "a": ["x"]}),  # noqa: E501
        "probabilities that do not sum to 1": _vectors("0.5,0.9"),
        "a probability of -0.1": _vectors("-0.1,1.1"),
        "a probability of 1.0001": _vectors("1.0001,-0.0001"),
        "constant scores": _scores(lambda rows: [[n, t, "0.5"] for n, t, _ in rows]),
        "an item appears twice": _calls(lambda rows: [*rows, rows[0]]),
        "caf\u00e9 composed and decomposed": _calls(_cafe),
        "a negative weight": lambda folder: __import__("steelyard").evaluate(
            _file(folder, [[n, t, t, "-5" if n == "0" else "1"] for n, t, _ in ROWS], ("id", "truth", "a", "weight"))  # noqa: E501
        ),
        "a called class that is never true": _calls(_put(0, 2, "plane")),
        "12 right out of 10": _trials(12, 10),
        "0 right out of 0": lambda folder: __import__("steelyard").compare(
            __import__("steelyard").Trials(correct={"a": 0, "b": 0}, tested=0, pairing="independent")  # noqa: E501
        ),
        "<script> in a class, to HTML": _exported(
            "<script>alert(1)</script>", lambda result: "<script>alert" not in result._repr_html_()
        ),
        "=cmd in a class, to CSV": _exported("=cmd|x", _no_formula),
    }  # fmt: skip
    return {case: _said(ask) for case, ask in asked.items()}


def _said(ask: Callable[[Path], Any]) -> str:
    """Say the answer, or the refusal in its own words."""
    from steelyard.errors import SteelyardError

    with tempfile.TemporaryDirectory() as folder:
        try:
            found = ask(Path(folder))
        except SteelyardError as error:
            return f"refused: {_first_words(str(error))}"
    return found if isinstance(found, str) else _first_words(found.sentence())


def _first_words(text: str) -> str:
    """Take whole sentences up to a hundred letters, and the first one in any case."""
    first, *others = text.splitlines()[0].split(". ")
    for other in others:
        if len(first) + len(other) > 100:
            return f"{first}."
        first = f"{first}. {other}"
    return first


if __name__ == "__main__":
    main(sys.argv[1])
