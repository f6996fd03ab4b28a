"""A gate as build servers and pull requests read it: JUnit XML and Markdown."""

from xml.etree import ElementTree as Xml

from steelyard.display.markup import markdown_table, markdown_text
from steelyard.display.text import clean_text
from steelyard.results.gate import ClaimCheck, Gate, GateCheck

__all__ = ["gate_junit", "gate_markdown"]

MARKS = {"passes": "✅", "fails": "❌", "undecided": "❔"}


def gate_junit(result: Gate) -> str:
    """Write one test case for each requirement: fails is a failure, undecided an error."""
    named: list[tuple[str, GateCheck | ClaimCheck]] = [
        *((check.requirement, check) for check in result.checks),
        *((check.claim, check) for check in result.claims),
    ]
    outcomes = [check.outcome for _, check in named]
    suite = Xml.Element(
        "testsuite",
        name="steelyard gate",
        tests=str(len(outcomes)),
        failures=str(outcomes.count("fails")),
        errors=str(outcomes.count("undecided")),
        skipped="0",
    )
    against = "" if result.baseline is None else f" against {result.baseline}"
    pair = clean_text(f"{result.candidate}{against}")
    for name, check in named:
        case = Xml.SubElement(
            suite, "testcase", classname=f"steelyard.gate: {pair}", name=clean_text(name)
        )
        _tell(case, check)
        Xml.SubElement(case, "system-out").text = clean_text(check.said())
    root = Xml.Element("testsuites")
    root.append(suite)
    Xml.indent(root)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"
    )


def _tell(case: Xml.Element, check: GateCheck | ClaimCheck) -> None:
    if check.outcome == "fails":
        Xml.SubElement(case, "failure", type="fails", message=clean_text(check.said()))
    elif check.outcome == "undecided":
        what = f"{getattr(check, 'unit', None) or 'item'}s"
        more = (
            check.reason if check.more is None else f"about {check.more:g} more {what} are needed"
        )
        message = clean_text(f"{check.said()}; {more}")
        Xml.SubElement(case, "error", type="undecided", message=message)


def gate_markdown(result: Gate) -> str:
    """Write a summary for a pull request; names from data never become markup."""
    notes = "\n".join(f"- {markdown_text(note)}" for note in result.notes())
    parts = [
        f"### {MARKS[result.outcome]} {markdown_text(result.headline())}",
        markdown_text(result.sentence()),
        *map(markdown_table, result.tables()),
        notes,
        "<details><summary>How it was found</summary>\n\n"
        + "\n".join(f"- {markdown_text(line)}" for line in result.details())
        + "\n\n</details>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"
