"""The scripts of the explorer share one scope, in which a name is declared once."""

from __future__ import annotations

import re

from fsm.views.explorer import part, scripts


def test_no_two_scripts_declare_one_name() -> None:
    source = "\n".join(map(part, [*scripts("machine"), *scripts("page")]))
    declared = re.findall(r"^(?:const|let|class|function) (\w+)", source, re.M)
    assert [name for name in set(declared) if declared.count(name) > 1] == []
