"""The words of a rule, freed of what says nothing: quotes, dashes, spaces, and the numbers of other
rules.
"""

from __future__ import annotations

import re
import unicodedata

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    }
)
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_DASHES = re.compile(r" ?[-\u2010-\u2015\u2212]+ ?")
_NUMBER = r"\d+(?:\.\d+)*(?:[a-z](?![a-z]))?"
_AND = r"(?:, and |, or | and | or | to | through |, |-)"
_REFERENCE = re.compile(
    rf"\b(?:[Rr]ules?|[Ss]ections?) {_NUMBER}(?:{_AND}{_NUMBER})*|\b\d{{3}}\.\d+(?:[a-z](?![a-z]))?"
)
_ONE = re.compile(_NUMBER)
MASK = "#"


def normalised(text: str) -> str:
    """Return the same words with plain quotes, dashes without spaces around them, and single
    spaces.

    Capitals stay as they are.
    """
    text = unicodedata.normalize("NFKC", text.translate(_UNSEEN)).translate(_QUOTES)
    return _DASHES.sub("-", " ".join(text.split()))


def masked(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a normalised text with a mask for each number of a rule that it refers to, and these
    numbers.
    """
    found: list[str] = []

    def hide(number: re.Match[str]) -> str:
        found.append(number[0])
        return MASK

    def hide_all(reference: re.Match[str]) -> str:
        return _ONE.sub(hide, reference[0])

    return _REFERENCE.sub(hide_all, text), tuple(found)
