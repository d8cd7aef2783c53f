"""The scripts of the explorer share one scope, in which a name is declared once."""

from __future__ import annotations

import re

from fsm.views.explorer.parts import MACHINE, PAGE, part


def test_no_two_scripts_declare_one_name() -> None:
    names = [*(f"machine/{name}.js" for name in MACHINE), *(f"page/{name}.js" for name in PAGE)]
    scripts = "\n".join(map(part, names))
    declared = re.findall(r"^(?:const|let|class|function) (\w+)", scripts, re.M)
    assert [name for name in set(declared) if declared.count(name) > 1] == []
