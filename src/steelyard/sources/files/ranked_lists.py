"""TREC's runs and judgments, which are no answers yet."""

import re
from collections.abc import Sequence
from shlex import quote

from steelyard.errors import FileUnreadable, printable

__all__ = ["refuse_retrieval"]

MOST_GRADES = 12
"""More grades of relevance than this are something else."""


def refuse_retrieval(shown: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse TREC's runs (``1 Q0 doc 1 12.5 bm25``) and judgments (``1 0 doc 1``)."""
    whole = re.compile(r"-?\d+")
    run = all(len(row) == 6 and row[1] in {"Q0", "0"} and whole.fullmatch(row[3]) for row in rows)
    judged = all(len(row) == 4 and row[1] in {"0", "Q0"} for row in rows)
    grades = {row[3].strip() for row in rows} if judged else set()
    judged = bool(grades) and len(grades) < MOST_GRADES and all(map(whole.fullmatch, grades))
    if len(rows) < 3 or not (run or judged):
        return
    found = (
        "it ranks documents for each query, as TREC's runs do."
        if run
        else ("it says which documents are relevant to each query, as TREC's qrels do.")
    )
    files = ("qrels.txt", shown) if run else (shown, "RUN")
    fix = (
        "Pass what trec_eval prints for every query, a file for each run: "
        f"trec_eval -q {quote(printable(files[0]))} {quote(printable(files[1]))} > a.eval, "
        "likewise b.eval, then: steelyard compare a.eval b.eval"
    )
    raise FileUnreadable.for_file(shown, found, fix=fix, code="retrieval")
