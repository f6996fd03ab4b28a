"""Turn formulas into MathML while the documentation is built, so that pages need no script.

Pages write ``$…$`` and ``$$…$$``, which pymdownx.arithmatex marks; docstrings write the ``:math:``
role and the ``.. math::`` directive, which reach the page as code.
"""

import html
import re
from re import Match

from latex2mathml.converter import convert

__all__ = ["on_page_content"]

INLINE = re.compile(r'<span class="arithmatex">\\\((?P<tex>.*?)\\\)</span>', re.DOTALL)
BLOCK = re.compile(r'<div class="arithmatex">\s*\\\[(?P<tex>.*?)\\\]\s*</div>', re.DOTALL)
ROLE = re.compile(r":math:<code>(?P<tex>.*?)</code>", re.DOTALL)
DIRECTIVE = re.compile(
    r"<p>\.\. math::\s*</p>\s*<div class=\"[^\"]*highlight[^\"]*\"><pre>(?P<tex>.*?)</pre></div>",
    re.DOTALL,
)
TAG = re.compile(r"<[^>]+>")
FUNCTION = re.compile(
    r"(?P<before></\w+>|<mrow>|<math[^>]*>)(?P<name><mi>(?:log|ln|exp|sin|cos|tan)</mi>)"
    r"(?P<after>(?=<(?:mi|mn|mfrac|msqrt|msub|msup|msubsup)\b))?"
)
"""The name of a function, with what stands before it and whether its argument follows bare."""
THIN = '<mspace width="0.17em"></mspace>'


def on_page_content(text: str, **_: object) -> str:
    """Replace every formula of a rendered page."""
    for pattern in (BLOCK, DIRECTIVE):
        text = pattern.sub(_block, text)
    for pattern in (INLINE, ROLE):
        text = pattern.sub(_inline, text)
    return text


def _inline(found: Match[str]) -> str:
    return _mathml(found, "inline")


def _block(found: Match[str]) -> str:
    return f'<div class="formula">{_mathml(found, "block")}</div>'


def _mathml(found: Match[str], display: str) -> str:
    tex = html.unescape(TAG.sub("", found["tex"])).strip()
    return FUNCTION.sub(_space, convert(tex, display=display))


def _space(found: Match[str]) -> str:
    """Part the name of a function from its neighbours, as TeX does: k log x, not klogx."""
    before = found["before"]
    left = THIN if before.startswith("</") and before != "</mo>" else ""
    return f"{before}{left}{found['name']}{THIN if found['after'] is not None else ''}"
