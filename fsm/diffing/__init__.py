"""What differs between two models, as data; its words are for `fsm diff`, its picture for `fsm.drawing`.

    from fsm.diffing import compare
    for change in compare(a, b).transitions:
        print(change.sign, change.id)

States and facts are matched by name, renamed ones recognised; transitions by where they start.
"""

from __future__ import annotations

from fsm.diffing.comparing import compare as compare
from fsm.diffing.difference import Change as Change
from fsm.diffing.difference import Difference as Difference
from fsm.diffing.difference import Field as Field
from fsm.diffing.difference import Order as Order
from fsm.diffing.names import Rename as Rename

__all__ = ["Change", "Difference", "Field", "Order", "Rename", "compare"]
