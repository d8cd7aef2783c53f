"""Texts for Mermaid, in which no code, tag, icon, formula or list is ever obeyed."""

from __future__ import annotations

import re
from collections.abc import Sequence

_UNFIT = re.compile(r"""["#&;<>`*_~%$@^|{}\\=]|(?<=\])\(""")
_LISTED = re.compile(r"^(\d*)([.)+-])(?=\s|$)")
_JOINED = re.compile(
    r"(?<=\bfa:)(?=fa-)|(?<=\bfa[bklrs]:)(?=fa-)|(?<=\$)(?=\$)|(?<=ﬂ)(?=°)|(?<=¶)(?=ß)"
)
_WORDS = re.compile(r"(?=style|classDef)(.)")
_LOOKALIKES = str.maketrans({"<": "‹", ">": "›", "&": "＆"})


def labelled(lines: Sequence[str], rule: str = "", between: str = "<br>") -> str:
    """A quoted label: the first line bold, the others as they are, the citation small; what is
    empty is left out.

    `between` stands between the last line and the citation.
    """
    first, *others = [escaped(line) for line in lines] or [""]
    said = "<br>".join([*([f"<b>{first}</b>"] if first else []), *filter(None, others)])
    cited = f"<small>{escaped(rule)}</small>" if rule else ""
    return f'"{between.join(filter(None, (said, cited))) or " "}"'


def escaped(text: str) -> str:
    """A text as part of a quoted label."""
    text = _UNFIT.sub(_code, _JOINED.sub("\N{WORD JOINER}", text))
    text = _LISTED.sub(lambda found: f"{found[1]}#{ord(found[2])};", text)
    return _WORDS.sub(_code, text)


def _code(found: re.Match[str]) -> str:
    return f"#{ord(found[0])};"


def titled(text: str) -> str:
    """A text as title: Mermaid takes tags out of it and knows no code for a bracket, so lookalikes
    stand in.
    """
    return text.translate(_LOOKALIKES)
