"""What only one rulebook needs of the scripted game. Each module registers its words, and what they
do.
"""

from __future__ import annotations

from fsm.scenarios.gameparts import GameParts
from fsm.scenarios.games.grand_archive import GRAND_ARCHIVE
from fsm.scenarios.games.magic import MAGIC
from fsm.scenarios.games.magic_combat import COMBAT

GAMES: tuple[GameParts, ...] = (COMBAT, GRAND_ARCHIVE, MAGIC)
