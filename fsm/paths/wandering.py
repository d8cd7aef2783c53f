"""Games at random, by a seed: every word, fact, order and signal that the Model knows; and games made shorter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from fsm.orders import AddPhase, AddStep, AddTurn, Order, Skip, SkipTurn
from fsm.paths.here import Here, Step, tried
from fsm.paths.replies import players_of
from fsm.requests import Answer, Over, Signal

ORDERS, SIGNALS, TELLS = 0.08, 0.04, 0.02


def wander(here: Here, random: Random, length: int, until: Callable[[Step], bool]) -> Iterator[Step]:
    """The steps of a random game from here, at most so many, the last being the first for which `until` holds."""
    for _ in range(length):
        if isinstance(here.controller.request, Over):
            return
        step = _step(here, random)
        if step is None:
            return
        yield step
        if until(step):
            return
        here = step.here


def _step(here: Here, random: Random) -> Step | None:
    for orders in (True, True, False, False):
        step = tried(here, any_answer(here, random, orders=orders))
        if step is not None:
            return step
    return None


def any_answer(here: Here, random: Random, *, orders: bool = True) -> Answer:
    """Some answer to what is asked here; it may be refused for its order or signal."""
    players = players_of(here) or ("",)
    state = here.controller._place.state
    words = state.words
    word = random.choice(words) if random.random() < 0.3 else words[-1]
    quiet, odd = here.ground.quiet, random.choice((0.1, 0.1, 0.5)) if here.spot.frame else 0.5
    facts = {name: (name in quiet) != (random.random() < odd) for name in here.ground.facts(*here.spot[:2])}
    facts.update((name, True) for name in here.ground.latched if random.random() < TELLS)
    some = random.random() < ORDERS
    given = tuple(any_order(here, random, players) for _ in range(random.choice((1, 1, 2)))) if some and orders else ()
    events = sorted(here.ground.signals)
    signal = None
    if events and random.random() < SIGNALS:
        event = random.choice(events)
        signal = Signal(event, random.choice(players) if event == "player_left" else "")
    return Answer(word, facts, given, signal)  # type: ignore[arg-type]


def any_order(here: Here, random: Random, players: Sequence[str]) -> Order:
    """Some order; the model may not know its kind, and refuse it."""
    model, choice = here.ground.model, random.choice
    steps = [s.name for s in model.of_kind("step")] or [""]
    families = [s.family or s.name for s in model.of_kind("phase")] or [""]
    step, other, family, player = choice(steps), choice(steps), choice(families), choice(players)
    makers: tuple[Callable[[], Order], ...] = (
        lambda: AddTurn(player),
        lambda: SkipTurn(player),
        lambda: AddPhase((family,)),
        lambda: AddStep(step),
        lambda: AddStep(step, before=other),
        lambda: AddStep(step, "current_phase"),
        lambda: Skip("step", step),
        lambda: Skip("phase", family),
    )
    return choice(makers)()


def shortened(start: Here, steps: Sequence[Step], still: Callable[[list[Step]], bool], most: int = 250) -> list[Step]:
    """Fewer and plainer answers from `start` for which `still` holds: pieces are left out as long as that succeeds.

    Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002).
    """
    best, size = list(steps), max(len(steps) // 2, 1)
    while size and most > 0:
        at = len(best) - size
        while at >= 0 and most > 0:
            most -= 1
            shorter = _played(start, [s.answer for s in (*best[:at], *best[at + size :])])
            if shorter and still(shorter):
                best = shorter
            at -= size
        size //= 2
    return _plainer(start, best, still)


def _plainer(start: Here, steps: list[Step], still: Callable[[list[Step]], bool]) -> list[Step]:
    for number, step in enumerate(steps):
        a = step.answer
        less = (((), None), (a.orders, None), ((), a.signal))
        for plain in (Answer(a.word, a.facts, orders, signal) for orders, signal in less):
            if (plain.orders, plain.signal) != (a.orders, a.signal):
                answers = [s.answer for s in steps]
                found = _played(start, [*answers[:number], plain, *answers[number + 1 :]])
                if found and still(found):
                    steps = found
                    break
    return steps


def _played(start: Here, answers: Sequence[Answer]) -> list[Step]:
    """The steps of these answers; nothing when one is refused."""
    here, steps = start, list[Step]()
    for answer in answers:
        step = None if isinstance(here.controller.request, Over) else tried(here, answer)
        if step is None:
            return []
        steps.append(step)
        here = step.here
    return steps
