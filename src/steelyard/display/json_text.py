"""JSON as people may see it on a terminal: what would reorder or hide text is escaped."""

import json
import re
from typing import Any

__all__ = ["json_text"]

UNSEEN = re.compile(
    r"[\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff]"
)


def json_text(value: Any, *, indent: int | None = None) -> str:  # noqa: ANN401
    r"""Write JSON in which letters stay letters; what steers a terminal is written as its number.

    Examples
    --------
    >>> json_text({"café": "a\u202eb"})
    '{"café": "a\\u202eb"}'
    """
    text = json.dumps(value, indent=indent, allow_nan=False, ensure_ascii=False)
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
