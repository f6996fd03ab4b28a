"""The small print below an answer: six lines of it, and where the rest is."""

from collections.abc import Collection, Sequence

from steelyard.display.text import clean_text, display_width, wrap_sentence

__all__ = ["MOST_LINES", "short_print"]

MOST_LINES = 6
POINTER = "How this was found, and what was read: --details."
CUT = " …"


def short_print(
    notes: Sequence[str],
    details: Sequence[str],
    advice: Sequence[str] = (),
    *,
    first: Collection[str] = (),
    last: Collection[str] = (),
    width: int = 80,
) -> list[str]:
    r"""Choose what is said in six lines: every doubt, then what was understood, then the method.

    Doubts are never dropped for want of room but cut to a line each; ``first`` are the lines of
    ``details`` that go before the others, ``last`` those that go behind the advice.

    Examples
    --------
    >>> short_print(["few items"], ["By a test.", "Read a.csv."], width=40)
    ['note: few items', 'By a test.', 'Read a.csv.']
    >>> long = [f"This is line number {n} of the small print." for n in range(9)]
    >>> short_print([], long, first=[long[8]], width=60)[-2]
    'This is line number 8 of the small print.'
    """

    def wrap(text: str) -> str:
        return wrap_sentence(clean_text(text), width, indent="  ")

    doubts = [wrap(f"note: {note}") for note in notes]
    lines = [wrap(line) for line in (*details, *advice)]
    if _height([*doubts, *lines]) <= MOST_LINES:
        return [*doubts, *lines]
    room = MOST_LINES - 1  # the last line says where the rest is
    doubts = _fit(doubts, room, width)
    room -= _height(doubts)
    ranks = [2 * (line in last) - (line in first) for line in (*details, *advice)]
    ranks[len(details) :] = [1] * len(advice)
    taken: dict[int, str] = {}
    for place in sorted(range(len(lines)), key=lambda one: ranks[one]):
        line = lines[place]
        if 0 < room < _height([line]) and ranks[place] < 0:
            line = _cut(line, room, width)
        if _height([line]) <= room:
            taken[place] = line
            room -= _height([line])
    return [*doubts, *(taken[place] for place in sorted(taken)), POINTER]


def _height(blocks: Sequence[str]) -> int:
    return sum(block.count("\n") + 1 for block in blocks)


def _fit(doubts: Sequence[str], room: int, width: int) -> list[str]:
    """Cut doubts, the longest first, until all fit; beyond a line each they are counted."""
    heights = [_height([one]) for one in doubts]
    while sum(heights) > room and max(heights) > 1:
        heights[heights.index(max(heights))] -= 1
    fitted = [_cut(one, height, width) for one, height in zip(doubts, heights, strict=True)]
    if len(fitted) > room:
        left = len(fitted) - room + 1
        return [*fitted[: room - 1], f"note: and {left} more: --details"]
    return fitted


def _cut(block: str, height: int, width: int) -> str:
    """Keep the first lines of a block, and mark that there is more."""
    lines = block.split("\n")
    if len(lines) <= height:
        return block
    kept = lines[:height]
    while display_width(kept[-1] + CUT) > width and " " in kept[-1].strip():
        kept[-1] = kept[-1].rpartition(" ")[0]
    return "\n".join([*kept[:-1], kept[-1].rstrip(" ,;:") + CUT])
