"""Our SQL, respelled for Spark: names, texts and the few words it spells in another way."""

import re

__all__ = ["respell", "spark_reason"]

TOKEN = re.compile(
    r"""(?P<text>'(?:[^']|'')*')|(?P<name>"(?:[^"]|"")*")|(?P<table>\{t\})"""
    r"""|(?P<word>[A-Za-z_][A-Za-z_0-9]*)|(?P<other>.)""",
    re.DOTALL,
)

EXCEPTION = re.compile(r"^(?:[A-Za-z_$][\w$]*\.)+[A-Z][\w$]*: ")
"""How Java names what was thrown, before it says why."""

WORDS = {
    "VARCHAR": "STRING",
    "HUGEINT": "DECIMAL(38, 0)",
    "regexp_matches": "regexp_like",
}
"""What we write in capitals or call by name, and how Spark calls it."""


def respell(sql: str) -> str:
    r"""Write one of our statements as Spark reads it, ready for ``session.sql(text, t=frame)``.

    A quoted name gets Spark's quotes. In a text, quotes and backslashes are escaped, since Spark
    takes backslashes for escapes and would glue two texts together at a doubled quote. A brace
    that is not our ``{t}`` is doubled, because Spark fills in braces.

    Examples
    --------
    >>> respell('SELECT "my col" FROM {t}')
    'SELECT `my col` FROM {t}'
    >>> print(respell("SELECT CAST(x AS VARCHAR) = 'it''s {t}' FROM {t}"))
    SELECT CAST(x AS STRING) = 'it\'s {{t}}' FROM {t}
    """
    return TOKEN.sub(_respelled, sql)


def spark_reason(error: Exception) -> str:
    r"""Find the line in which Spark says why; the first one often names only what was called.

    >>> spark_reason(ValueError("An error occurred while calling o1.read.\n: a.B: gone\n\tat x"))
    'gone'
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by:") for line in lines if line.startswith("Caused by:")]
    thrown = [line.removeprefix(":") for line in lines if line.startswith(": ")]
    said = [*causes[-1:], *thrown[:1], *lines[:1], type(error).__name__][0].strip()
    return EXCEPTION.sub("", said)[:300]


def _respelled(found: re.Match[str]) -> str:
    kind, token = found.lastgroup, found[0]
    if kind == "table":
        return token
    if kind == "text":
        plain = token[1:-1].replace("''", "'")
        return _braced("'" + plain.replace("\\", "\\\\").replace("'", "\\'") + "'")
    if kind == "name":
        plain = token[1:-1].replace('""', '"')
        return _braced("`" + plain.replace("`", "``") + "`")
    return WORDS.get(token, _braced(token))


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
