"""What NIST's sclite writes: words and errors (``-o sgml``), or verdicts (``-o pra``)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import FileUnreadable, NotComparable, counted, listing
from steelyard.sources.files.formats import open_bytes
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow

__all__ = [
    "FORMATS",
    "Alignment",
    "Segment",
    "Utterance",
    "check_common",
    "read_alignment",
    "segments_of",
    "tells_alignment",
]

SENTENCE = re.compile(r"^id: \((?P<id>[^)]*)\)\s*$", re.MULTILINE)
SCORES = re.compile(r"^Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)\s*$", re.MULTILINE)

SYSTEM = re.compile(r"<SYSTEM\b([^>]*)>")
PART = re.compile(
    r"<SPEAKER(?P<speaker>\s[^>]*)>|<PATH(?P<path>\s[^>]*)>(?P<steps>[^<]*(?:<(?!/PATH>)[^<]*)*)</PATH>"
)
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
WORD = re.compile(
    r"""
    \s*([CSDIU])                       # correct, substituted, deleted, inserted, unaligned
    ,("(?:[^"\\]|\\.)*")?              # reference word
    ,("(?:[^"\\]|\\.)*")?              # word of the system
    (?:,[^:"]*)*                       # times, weights, confidence
    \s*(?::|$)
    """,
    re.VERBOSE,
)
BOUNDARY = 2
"""Words that both have right in a row end a segment, and belong to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One utterance: a letter for each step of its alignment, C, S, D or I, in order.

    ``word_cnt`` of the file counts steps, insertions too; ``words`` counts the reference.
    """

    id: str
    speaker: str
    steps: str

    @property
    def words(self) -> int:
        """Words of the reference: right, substituted or deleted."""
        return len(self.steps) - self.steps.count("I")

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions."""
        return len(self.steps) - self.steps.count("C")


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """All utterances of one system, by their ids."""

    system: str
    utterances: Mapping[str, Utterance]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of one utterance with errors, between words that both systems have right."""

    utterance: str
    speaker: str
    words: int
    first_errors: int
    second_errors: int


def tells_alignment(start: bytes) -> bool:
    """Tell the first bytes of a file that sclite wrote with ``-o sgml``.

    >>> tells_alignment(b'<SYSTEM title="alpha" ref_fname="ref.trn">'), tells_alignment(b"a,b")
    (True, False)
    """
    return re.match(rb"\s*<SYSTEM\s[^>]*title=", start) is not None


def read_alignment(path: Path, name: str | None = None) -> Alignment:
    """Read what ``sclite -o sgml`` wrote of one system.

    Utterances without words and without steps are kept, with neither words nor errors.
    """
    shown = name or path.name
    try:
        with open_bytes(path) as file:
            text = file.read().decode("utf-8", "replace")
    except OSError as failure:
        found = f"{failure.strerror or failure}."
        raise FileUnreadable.for_file(shown, found, fix="Check the path.") from None
    return _parse_alignment(text, shown)


def segments_of(first: Alignment, second: Alignment) -> tuple[Segment, ...]:
    """Cut common utterances into the segments of the matched-pair test (MAPSSWE).

    A segment begins two words before an error of either system (or with the utterance) and ends
    when both have two words right in a row (or with the utterance); those two words may begin the
    next one too. Stretches without errors are no segments.

    Parameters
    ----------
    first, second : Alignment
        Of two systems against the same reference: the same utterances with the same words.

    References
    ----------
    .. [1] Gillick & Cox (1989), ICASSP, 532-535, doi:10.1109/ICASSP.1989.266481.

    Examples
    --------
    >>> def aligned(steps):
    ...     only = Utterance(id="u", speaker="s", steps=steps)
    ...     return Alignment(system="", utterances={"u": only})
    >>> found = segments_of(aligned("CCCDSCCCCC"), aligned("CSCCCCCCDC"))
    >>> [(part.words, part.first_errors, part.second_errors) for part in found]
    [(7, 2, 1), (4, 0, 1)]
    """
    check_common(first, second)
    found: list[Segment] = []
    for key, one in first.utterances.items():
        spots = _spots(one.steps, second.utterances[key].steps)
        for start, end in _stretches(spots):
            part = spots[start:end]
            found.append(
                Segment(
                    utterance=key,
                    speaker=one.speaker,
                    words=sum(spot.word for spot in part),
                    first_errors=sum(spot.errors[0] for spot in part),
                    second_errors=sum(spot.errors[1] for spot in part),
                )
            )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Spot:
    """A word of the reference, or a gap between two with what was inserted there."""

    word: bool
    errors: tuple[int, int]


def _spots(first: str, second: str) -> list[_Spot]:
    """Lay two alignments over the words of their reference; gaps where nothing is stay out."""
    gaps, words = zip(*(_gaps_and_words(steps) for steps in (first, second)), strict=True)
    spots = []
    for place in range(len(gaps[0])):
        if gaps[0][place] or gaps[1][place]:
            spots.append(_Spot(word=False, errors=(gaps[0][place], gaps[1][place])))
        if place < len(words[0]):
            wrong = (int(words[0][place] != "C"), int(words[1][place] != "C"))
            spots.append(_Spot(word=True, errors=wrong))
    return spots


def _gaps_and_words(steps: str) -> tuple[list[int], str]:
    """Count insertions before every word and after the last; list the steps of the words."""
    gaps = [len(part) for part in re.split("[^I]", steps)]
    return gaps, steps.replace("I", "")


def _stretches(spots: Sequence[_Spot]) -> Iterator[tuple[int, int]]:
    """Find where segments begin and end."""
    start, right = None, 0
    for place, spot in enumerate(spots):
        if any(spot.errors):
            if start is None:
                start = max(0, place - BOUNDARY)
            right = 0
        else:
            right += 1
            if start is not None and right == BOUNDARY:
                yield start, place + 1
                start = None
    if start is not None:
        yield start, len(spots)


def _parse_alignment(text: str, shown: str) -> Alignment:
    titles = [dict(ATTRIBUTE.findall(found)).get("title", shown) for found in SYSTEM.findall(text)]
    if len(titles) > 1:
        found = "it holds alignments of several systems."
        raise _unreadable(shown, found, fix="Write one file for each system.")
    utterances: dict[str, Utterance] = {}
    speaker = ""
    for part in PART.finditer(text):
        given = dict(ATTRIBUTE.findall(part["speaker"] or part["path"]))
        key = given.get("id", "").strip("()")
        if part["speaker"]:
            speaker = key
            continue
        if key in utterances:
            found = f"the utterance {key!r} stands in it twice."
            raise _unreadable(shown, found, fix="Give every utterance an id of its own.")
        steps = _steps(part["steps"].strip(), key, shown)
        utterances[key] = Utterance(id=key, speaker=speaker, steps=steps)
    if not titles or len(utterances) != text.count("<PATH ") or not utterances:
        found = "it holds no whole alignment of sclite."
        raise _unreadable(shown, found, fix="Write it with: sclite ... -o sgml")
    return Alignment(system=titles[0], utterances=utterances)


def _steps(line: str, key: str, shown: str) -> str:
    """List the letters of an alignment; words may hold colons, commas and quoted quotes."""
    steps, place = [], 0
    while place < len(line):
        word = WORD.match(line, place)
        if word is None or word.end() == place:
            found = f"the alignment of {key!r} is not understood at {line[place : place + 30]!r}."
            raise _unreadable(shown, found, fix="Write it with: sclite ... -o sgml")
        steps.append(word.group(1))
        place = word.end()
    if "U" in steps:
        found = f"the alignment of {key!r} has unaligned words."
        raise _unreadable(shown, found, fix="Align whole utterances, without time marks.")
    return "".join(steps)


def check_common(first: Alignment, second: Alignment) -> None:
    """Refuse alignments to different references."""
    apart = sorted(first.utterances.keys() ^ second.utterances.keys())
    if apart:
        message = (
            f"{first.system} and {second.system} share no common list of utterances: "
            f"{counted(len(apart), 'id')} only one of them has, such as {listing(apart, most=3)}. "
            "Align both to the same reference."
        )
        raise NotComparable(message, code="utterances-differ")
    unlike = [
        key for key, one in first.utterances.items() if one.words != second.utterances[key].words
    ]
    if unlike:
        message = (
            f"{first.system} and {second.system} were aligned to references of different length: "
            f"{listing(unlike, most=3)}. Align both to the same reference."
        )
        raise NotComparable(message, code="utterances-differ")


def _unreadable(shown: str, found: str, *, fix: str) -> FileUnreadable:
    return FileUnreadable.for_file(shown, found, fix=fix, code="alignment")


def _tells(head: Head) -> bool:
    return b"\nScores: (#C #S #D #I)" in head.start and b"\nid: (" in head.start


def _read(path: Path, name: str) -> Log:
    with open_bytes(path) as file:
        text = file.read().decode("utf-8", "replace")
    starts = list(SENTENCE.finditer(text))
    rows = []
    words = wrong = 0
    for place, start in enumerate(starts):
        end = starts[place + 1].start() if place + 1 < len(starts) else len(text)
        scores = SCORES.search(text, start.end(), end)
        if scores is None:
            found = f"the sentence {start['id']!r} has no line of scores (#C #S #D #I)."
            fix = "Expected alignments as sclite writes them with -o pra."
            raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
        right, changed, left, added = map(int, scores.groups())
        words += right + changed + left
        wrong += changed + left + added
        rows.append(
            LogRow(
                item=start["id"],
                system=name.partition(".")[0],
                values={"sentence": float(changed + left + added == 0)},
                facts={"speaker": re.split(r"[-_]", start["id"])[0]},
            )
        )
    rate = f"; {wrong:,} word errors in {words:,} words, {wrong / words:.2%}" if words else ""
    return Log(rows=rows, default="sentence", notes=(f"a sentence is right as a whole{rate}",))


FORMATS = (
    LogFormat(
        name="sclite alignments (.pra)",
        tells=_tells,
        read=_read,
        item="id of the sentence",
        repeats="none",
        traps="word errors are not verdicts: a sentence is right as a whole",
        provenance="unverified",
    ),
)
