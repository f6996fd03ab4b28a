"""The same question in other words: as a command to type, as Python to paste."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.display.text import clean_text
from steelyard.journey.options import Verb, options_of, spell

__all__ = ["as_command", "as_python", "python_text", "write_value"]


def as_command(verb: Verb, files: Sequence[str], arguments: Mapping[str, Any]) -> str:
    """Write what to type in a terminal for the same answer.

    Examples
    --------
    >>> as_command("compare", ["my file.csv"], {"systems": ["a", "b"], "prior": (1.0, 2.0)})
    "steelyard compare 'my file.csv' --systems a,b --prior 1:2"
    """
    words = ["steelyard", verb, *map(clean_text, files)]
    known = options_of(verb, "cli")
    for name, value in arguments.items():
        flag = spell(verb, name)
        if isinstance(value, bool):
            words += [flag] * value
        elif name in known and known[name].kind == "each" and isinstance(value, list):
            words += [word for one in value for word in (flag, clean_text(str(one)))]
        else:
            words += [flag, write_value(name, value)]
    return shlex.join(words)


def write_value(name: str, value: Any) -> str:  # noqa: ANN401
    """Write a value as it is typed after its option."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}={write_value(name, one)}" for key, one in value.items())
    if isinstance(value, tuple):
        return ":".join(f"{one:g}" for one in value)
    if isinstance(value, list):
        return ",".join(f"{one:g}" if isinstance(one, float) else clean_text(one) for one in value)
    return f"{value:.12g}" if isinstance(value, float) else clean_text(str(value))


def as_python(verb: str, data: Any, arguments: Mapping[str, Any]) -> str:  # noqa: ANN401
    """Write what to type in Python for the same answer.

    Examples
    --------
    >>> print(as_python("evaluate", "a.csv", {"positive": "1"}))
    import steelyard as sy
    <BLANKLINE>
    result = sy.evaluate("a.csv", positive="1")
    print(result)
    """
    first = [] if data is None else [python_text(data)]
    named = [f"{name}={python_text(value)}" for name, value in arguments.items()]
    call = f"result = sy.{verb}({', '.join([*first, *named])})"
    return f"import steelyard as sy\n\n{call}\nprint(result)"


def python_text(value: Any) -> str:  # noqa: ANN401
    """Write a value as Python source; texts in double quotes, escaped."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{python_text(key)}: {python_text(one)}" for key, one in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list | tuple):
        inner = ", ".join(python_text(one) for one in value)
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, str):
        quoted = ascii(value) if not value.isprintable() else repr(value)
        return f'"{value}"' if quoted == f"'{value}'" and '"' not in value else quoted
    return repr(value)
