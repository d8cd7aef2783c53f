"""Lists the rules that a model cites, and where.

A citation of several rules ("500.4, 500.6") counts for each of them, as in the coverage criterion
"rules".
"""

from __future__ import annotations

from collections.abc import Iterator

from fsm.model import Model


def split(citation: str) -> tuple[str, ...]:
    """Return the rules of a citation: "500.4, 500.6" names two."""
    return tuple(filter(None, map(str.strip, citation.split(","))))


def cited(model: Model) -> dict[str, tuple[str, ...]]:
    """Return every rule that the model and its window cite, each with the parts that cite it.

    A part is written like "state upkeep_step" or "fact first_turn".
    """
    found: dict[str, dict[str, None]] = {}
    for machine in model.machines.values():
        for citation, part in parts_of(machine):
            for rule in split(citation):
                found.setdefault(rule, {})[part] = None
    return {rule: tuple(by) for rule, by in found.items()}


def parts_of(model: Model) -> Iterator[tuple[str, str]]:
    """Yield every part of one machine that can cite a rule, as its citation and what it is."""
    for kind in ("state", "transition", "fact", "duration", "setting"):
        for part in getattr(model, f"{kind}s"):
            yield part.rule, f"{kind} {part.id if hasattr(part, 'id') else part.name}"
