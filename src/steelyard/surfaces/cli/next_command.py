"""The command to type next: what was typed, with the first switches that a refusal offers."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

__all__ = ["keep_typed_names", "next_command"]

VALUE = r"(?:'(?:[^']|'\"'\"')*'|[\w@%+=:,./-]+)"
SPELLED = rf"\w+=(?:True \((--[a-z][a-z-]*)\)|[^()]*? \((--[a-z][a-z-]* {VALUE})\))"
OFFER = re.compile(rf"{SPELLED}(?: and {SPELLED})?(?: and {SPELLED})?|\((--[a-z][a-z-]* {VALUE})\)")
"""How ``steelyard.errors.switch`` spells a setting; those joined by ``and`` are typed together."""

NAMELESS = re.compile(r"\b(?:COLUMNS?|NAMES?|CLASS|FILE|N)\b|\.\.\.|…")
"""Words that stand for a name which nobody but the user knows."""

WHOLE = re.compile(r"\bsteelyard [a-z]+ |\bType:|\bType once:")
"""A message that holds a command of its own needs none from here."""

THEN = re.compile(r" && steelyard [a-z]+ (?P<file>[\w.-]+)(?P<more>(?: --[a-z][^;&|]*)?)$")
"""What a message says to type once a file is mended."""

WRITING = frozenset("--output --out --save --report --html --json --ledger --style".split())
"""A message may quote data, so that no option is repeated from it that names a file to write."""

HOLDING = ("--called", "--score", "--outcome", "--value", "--vector")

KNOWN = ("one-system", "folder", "raters-alone")

EACH = re.compile(
    r"(evaluate|compare) --group \S+(?: --measure (?P<measure>'[^']+'|\w+))? (?:shows|compares)"
)
"""What answers for each group, in a refusal of groups."""

EITHER = ("better-unknown",)
"""Refusals that offer two meanings, of which nobody but the user knows the right one."""

LONGEST = 560
"""A command fills at most seven lines; of a longer one only what is new is spelled."""


def next_command(message: str, code: str, words: Sequence[str]) -> str | None:
    """Give the command that answers what a refusal asks, where it holds its switches.

    >>> said = "None was named as the positive one. For example: positive='1' (--positive 1)."
    >>> next_command(said, "no-positive", ["evaluate", "a.csv"])
    'steelyard evaluate a.csv --positive 1'
    >>> next_command("Leave it out; evaluate --group g --measure AUC shows each.", "grouped",
    ...              ["roc", "a.csv", "--group", "g"])
    'steelyard evaluate a.csv --group g --measure AUC'
    >>> next_command("Pass truth='COLUMN' (--truth COLUMN).", "no-truth", ["evaluate", "a.csv"])
    """
    if code == "grouped" and (line := _ask_each_group(message, words)) is not None:
        return line
    if code in KNOWN and not (code == "one-system" and OFFER.search(message)):
        return _find_answer(message, code, words)
    if WHOLE.search(message) or not words or code in EITHER:
        return None
    return _take_offer(message, code, words)


def _take_offer(message: str, code: str, words: Sequence[str]) -> str | None:
    """Add the first switches of a message that somebody could mean to what was typed."""
    for found in OFFER.finditer(message):
        offered = [part for part in found.groups() if part is not None]
        if any(NAMELESS.search(part) or _is_said_otherwise(part, words) for part in offered):
            continue
        verb = _verb_that_takes(offered, code, words[0])
        if verb is None:
            continue
        if all(_is_typed(shlex.split(part), words) for part in offered):
            continue  # what was typed is only named again
        typed = (_name_files(words) if code == "whose-rows" else None) or list(words)
        typed[0] = verb
        for part in offered:
            typed = _put_option(typed, shlex.split(part))
        return _line(typed, offered) if typed != list(words) else None
    return None


def _find_answer(message: str, code: str, words: Sequence[str]) -> str | None:
    """Give the command for refusals whose answer is another verb, or other files."""
    if code == "one-system":
        files = words[:1] == ["compare"] and any(Path(word).exists() for word in words[1:])
        return _line(_name_files(words) or ["evaluate", *words[1:]]) if files else None
    if code == "folder":
        inside = re.search(r"for example '([^']+)'", message)
        if inside is None:
            return None
        folder = str(Path(inside[1]).parent)
        named = [inside[1] if str(Path(word)) == folder else word for word in words]
        return _line(named) if any(Path(folder).glob(Path(inside[1]).name)) else None
    return _line(["agreement", *words[1:]])


def _ask_each_group(message: str, words: Sequence[str]) -> str | None:
    """Give the command that answers for each group, where it takes all that was typed."""
    from steelyard.journey.options import verbs_with

    found = EACH.search(message)
    names = [word.partition("=")[0] for word in words if word.startswith("--")]
    if found is None or any(found[1] not in (verbs_with(name) or [found[1]]) for name in names):
        return None
    asked = shlex.split(found["measure"] or "")
    more = ["--measure", *asked] if asked and asked != ["NAME"] else []
    return _line([found[1], *words[1:], *more])


def _is_typed(option: Sequence[str], words: Sequence[str]) -> bool:
    size = len(option)
    return any([*option] == [*words[at : at + size]] for at in range(len(words)))


def _verb_that_takes(offered: Sequence[str], code: str, verb: str) -> str | None:
    """Find the command that takes these options, this one or ``compare``; None for neither."""
    from steelyard.journey.options import verbs_with

    layout = any(part.startswith("--layout") for part in offered)
    asks = code == "reader-rows" or (layout and verb not in {"compare", "report"})
    meant = "compare" if asks else verb
    takers = [verbs_with(part.split()[0]) for part in offered]
    return meant if all(not verbs or meant in verbs for verbs in takers) else None


def _is_said_otherwise(part: str, words: Sequence[str]) -> bool:
    """Tell what a column holds, offered where the column was said to hold something else."""
    name, *values = shlex.split(part)
    others = [other for other in HOLDING if other != name]
    said = {
        column
        for option, value in zip(words, [*words[1:], ""], strict=True)
        if option in others
        for column in value.split(",")
    }
    return name in HOLDING and bool(said & {*",".join(values).split(",")})


def keep_typed_names(message: str, words: Sequence[str]) -> str:
    """Name files in the commands of a message by the path that was typed, not by their name alone.

    A command that reads the mended file goes on as it was typed, with its options.

    >>> keep_typed_names("Type: sed '2,3d' o.tab > plain.csv", ["evaluate", "in/o.tab"])
    "Type: sed '2,3d' in/o.tab > plain.csv"
    >>> keep_typed_names("Type: sed 2d o.csv > plain.csv && steelyard evaluate plain.csv",
    ...                  ["compare", "o.csv", "--value", "a,b"])
    'Type: sed 2d o.csv > plain.csv && steelyard compare plain.csv --value a,b'
    """
    before, mark, command = message.partition("ype: ")
    for word in words[1:] if mark else ():
        path = word.rpartition("=")[2]
        name = Path(path).name
        if name and name != path and Path(path).name not in {".", ".."}:
            alone = rf"(?<=[ '])({re.escape(name)}|{re.escape(shlex.quote(name))})(?=[ ')]|$)"
            command = re.sub(alone, shlex.quote(path).replace("\\", r"\\"), command)
    return f"{before}{mark}{_go_on_as_typed(command, words) if mark else command}"


def _go_on_as_typed(command: str, words: Sequence[str]) -> str:
    """Let the last command of several be the one that was typed, of the file that they write."""
    found = THEN.search(command)
    if found is None:
        return command
    files = [word for word in words[1:] if shlex.quote(word) in command[: found.start()].split()]
    if len(files) != 1:
        return command
    typed = [found["file"] if word == files[0] else word for word in words]
    more = shlex.split(found["more"])
    if len(more) % 2:
        return command
    for place in range(0, len(more), 2):
        typed = _put_option(typed, more[place : place + 2])
    line = _line(typed)
    return command if line is None else f"{command[: found.start()]} && {line}"


def _put_option(words: list[str], option: list[str]) -> list[str]:
    """Add an option, in the place of one of the same name."""
    name, *values = option
    if name in WRITING:
        return words
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
            continue
        skip = word == name and bool(values)
        if word != name and not word.startswith(f"{name}="):
            kept.append(word)
    if name == "--truth" and values:  # the file that holds the truth is none of answers any more
        holder = values[0].rpartition(":")[0]
        kept = [word for word in kept if not holder or word.rpartition("=")[2] != holder]
    return [*kept, *option]


def _name_files(words: Sequence[str]) -> list[str] | None:
    """Name each of several files of answers as the system that it holds."""
    files = [word for word in words[1:] if not word.startswith("-") and Path(word).is_file()]
    named = {word: Path(word).stem for word in files}
    if len({*named.values()}) < len(files):  # runs are kept in folders of their own
        named = {word: Path(word).parent.name for word in files}
    if len(files) < 2 or len({*named.values()}) < len(files):
        return None
    return [f"{named[word]}={word}" if word in files else word for word in words]


def _line(words: Sequence[str], new: Sequence[str] = ()) -> str | None:
    line = shlex.join(["steelyard", *words])
    if len(line) > LONGEST and new:  # three points for what was typed
        line = f"steelyard {shlex.quote(words[0])} ... {' '.join(new)}"
    return line if len(line) <= 2 * LONGEST and line.isprintable() else None
