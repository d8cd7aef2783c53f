"""The fleet's game in its earlier editions (`examples/fleet`), as games of it may be stored."""

from __future__ import annotations

from fleet.rules import HARBOUR

from fsm.rulesets import Phase, Step, Table, Window

_DAWN, _, _DUSK = HARBOUR.phases
FIRST = Table("harbour", _DAWN, Phase("day", Step("trade", Window())), _DUSK, edition="1").build()
SECOND = Table("harbour", _DAWN, Phase("day", Step("market", Window())), _DUSK, edition="2").build()
