"""What stands before an answer on every surface: columns that were taken for their names."""

from steelyard.results import Result
from steelyard.sources.roles.declared import BY_NAME, LEFT_ASIDE, say_by_name

__all__ = ["first_caveats", "first_lines"]


def first_caveats(result: Result) -> list[str]:
    """Say which columns have a part in the answer, or none, for their name or values alone."""
    record = getattr(result, "provenance", None)
    understood = record.understood if record else ()
    said = [say_by_name(role) for key, role in understood if key == BY_NAME]
    return said + [f"{LEFT_ASIDE}: {what}" for key, what in understood if key == LEFT_ASIDE]


def first_lines(result: Result) -> list[str]:
    """Say the same as sentences, which stand before the answer."""
    return [f"{one[:1].upper()}{one[1:]}." for one in first_caveats(result)]
