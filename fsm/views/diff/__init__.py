"""The difference between two models, as data. `fsm diff` prints it in words, and
`fsm.views.drawing` draws it.

    from fsm.views.diff import diff
    for change in diff(a, b).transitions:
        print(change.sign, change.id)

States and facts are matched by name, and renamed ones are recognised. Transitions are matched by
their source.
"""

from __future__ import annotations

from fsm.views.diff.comparing import diff as diff
from fsm.views.diff.difference import Change as Change
from fsm.views.diff.difference import Difference as Difference
from fsm.views.diff.difference import Field as Field
from fsm.views.diff.difference import Order as Order
from fsm.views.diff.names import Rename as Rename

__all__ = ["Change", "Difference", "Field", "Order", "Rename", "diff"]
