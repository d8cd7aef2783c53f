"""Random games of any Model. Hypothesis makes them, and shrinks those that fail.

    @given(fsm.testing.games("magic"))
    def test_a_game(game):
        assert fsm.testing.broken(game) == ""

An example is a list of numbers. Each becomes an answer, and 0 is the answer with which nothing
happens. So the smallest example is the shortest game in which least happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from json import dumps, loads

from fsm.checks.surroundings import accepted, every_order
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Priority, Word
from fsm.engine.semantics import semantics_of
from fsm.engine.trace import Trace
from fsm.errors import FsmError, OrderError
from fsm.model import Model
from fsm.model.model import ModelLike, as_model
from fsm.state.orders import (
    ControlNextTurn,
    Effect,
    Leave,
    Order,
    ReverseTurnOrder,
    SkipStep,
    StandingTrigger,
)
from fsm.state.run import StartAt
from fsm.testing.generating import Path
from fsm.testing.searching import Start, interruptions, starts

try:
    import hypothesis
    from hypothesis import strategies as st
    from hypothesis.strategies import DrawFn, SearchStrategy
except ImportError:
    raise FsmError(
        "random games need Hypothesis, which is in the extra 'test': "
        "run pip install 'turn-fsm[test]'"
    ) from None

_RARELY = 16
"""Something happens with one of so many answers."""
_Numbers = tuple[int, int, int]
_ACTED = 7
_FACTS = st.just(0) | st.just(0) | st.integers(1, 4095)
_ACTS = st.integers(0, _ACTED)
Invariant = Callable[[TurnController], str]
"""Returns what is wrong with a game that waits for an answer, or ""."""


class _Answers:
    """Turns numbers into the answers of games of one Model with one set-up."""

    def __init__(self, model: Model, start: Start) -> None:
        self.model, self.start, self.semantics = model, start, semantics_of(model)
        told = self.semantics.facts
        self.latched = sorted(name for name in self.semantics.latching if not told[name].last)
        players = start.players
        leaving = map(Leave, players if model.leaving else ())
        orders = (*every_order(model, players), *_more_orders(model, players))
        orders = accepted(model, players, orders)
        self.happens: list[Order] = [*interruptions(model), *leaving, *orders]

    def numbers(self) -> SearchStrategy[_Numbers]:
        """Return a strategy for the numbers of one answer."""
        return st.tuples(_FACTS, st.integers(0, _RARELY * len(self.happens)), _ACTS)

    def answer(self, game: TurnController, numbers: _Numbers) -> Answer:
        """Return the answer to the request of a game that these numbers mean."""
        bits, event, acts = numbers
        request, facts, quiet = game.request, dict[str, bool](), self.semantics.quiet
        orders = self.happens[event - 1 : event] if event else []
        if orders:  # which can lead to any guard
            facts = {name: quiet[name] for name in self.semantics.live}
        for place, name in enumerate(dict.fromkeys((*request.facts, *self.latched))):
            if bits >> place & 1 or name in request.facts:
                facts[name] = quiet[name] != bool(bits >> place & 1)
        acted = isinstance(request, Priority) and acts == _ACTED
        word: Word = "acted" if acted else request.quietly.word
        return Answer(word, facts, tuple(orders))

    def taken(self, game: TurnController, numbers: _Numbers) -> Answer:
        """Return the same answer, without its order if the game refuses that."""
        answer = self.answer(game, numbers)
        try:
            game.fork().answer(answer)
        except OrderError:
            return Answer(answer.word, answer.facts)
        except Exception:  # what fails is found again where the game is played
            return answer
        return answer

    def game(self, at: StartAt | None, drawn: Iterable[_Numbers]) -> Path:
        """Return the game that these numbers mean. An answer that fails is its last one."""
        start, answers = replace(self.start, at=at), list[Answer]()
        with suppress(Exception):  # what fails is found again where the game is played
            game = start.controller(self.model)
            for numbers in drawn:
                if isinstance(game.request, Over):
                    break
                answers.append(self.taken(game, numbers))
                game.answer(answers[-1])
        return Path(self.model, start, tuple(answers))


def _more_orders(model: Model, players: Sequence[str]) -> Iterator[Order]:
    """Yield orders of the kinds that proofs leave out."""
    player = players[-1]
    yield ReverseTurnOrder()
    yield ControlNextTurn(player, players[0])
    yield from (Effect("effect", player, duration.name) for duration in model.durations)
    for step in dict.fromkeys(state.name for state in model.of_kind("step")):
        yield StandingTrigger("standing", step, "each")
        yield SkipStep(step, player, "this_turn")


def games(model: ModelLike, *, most: int = 150) -> SearchStrategy[Path]:
    """Return a Hypothesis strategy for games of a model.

    Parameters
    ----------
    model
        The Model, or what names or makes one.
    most
        The largest number of answers.

    Returns
    -------
    SearchStrategy[Path]
        The strategy. `run` plays a game, `answers` has its answers. A game that cannot go on ends
        with the answer after which it cannot.

    Raises
    ------
    FsmError
        If there is no such model, or if Hypothesis is not installed.
    """
    made = as_model(model)
    return _games([_Answers(made, start) for start in starts(made)], _places(made), most)


def _places(model: Model) -> list[StartAt | None]:
    """Return the beginning of a game, and the steps with which a game can start in turn 2."""
    found: list[StartAt | None] = [None]
    for step in dict.fromkeys(state.name for state in model.of_kind("step")):
        at = StartAt(step, 2)
        with suppress(FsmError):
            Start(at=at).controller(model)
            found.append(at)
    return found


@st.composite
def _games(
    draw: DrawFn, setups: Sequence[_Answers], places: Sequence[StartAt | None], most: int
) -> Path:
    """Draw a game. Two of three are long."""
    answers, at = draw(st.sampled_from(setups)), draw(st.sampled_from(places))
    numbers = answers.numbers()
    long = st.lists(numbers, min_size=most // 2, max_size=most)
    return answers.game(at, draw(st.lists(numbers, max_size=most) | long | long))


def answers(game: TurnController) -> SearchStrategy[Answer]:
    """Return a Hypothesis strategy for the answers to the request of a game.

    Parameters
    ----------
    game
        The game. It is not answered.

    Returns
    -------
    SearchStrategy[Answer]
        The strategy. Each answer fits the request.
    """
    made = _Answers(game.model, Start(game.players))
    return made.numbers().map(lambda numbers: made.taken(game, numbers))


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that breaks an invariant, and what is wrong."""

    what: str
    game: Path


def play(model: ModelLike, count: int) -> Failure | None:
    """Play random games, and return the smallest one that breaks an invariant, or None.

    Parameters
    ----------
    model
        The Model, or what names or makes one.
    count
        How many games are played.

    Returns
    -------
    Failure | None
        The game and what is wrong, or None.

    Raises
    ------
    FsmError
        If there is no such model.
    """
    found = list[Failure]()

    @hypothesis.seed(0)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=False,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )
    @hypothesis.given(games(model))
    def plays(game: Path) -> None:
        what = broken(game)
        if what:
            found.append(Failure(what, game))
            raise AssertionError(what)

    try:
        plays()
    except AssertionError:
        return found[-1]  # Hypothesis plays the smallest one last
    return None


# what is true of every game -----------------------------------------------------------------------


def broken(game: Path, invariants: Iterable[Invariant] = ()) -> str:
    """Play a game, and hold the invariants at each request.

    Parameters
    ----------
    game
        The game.
    invariants
        Invariants of your own. Each takes the controller and returns what is wrong, or "".

    Returns
    -------
    str
        The first thing that is wrong, with the place. "" if nothing is.
    """
    every, number, place = (*INVARIANTS, *invariants), 0, ""
    try:
        played = game.start.controller(game.model, trace=True)
        wrong = _first(every, played)
        while not wrong and number < len(game.answers):
            place = f" ({played.position}, {played.request.state!r})"
            wrong = _answered(played, game.answers[number]) or _first(every, played)
            number += 1
        wrong = wrong or _replays(played)
    except FsmError as error:
        wrong = str(error)
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    return f"{wrong}; after {number} answers{place}" if wrong else ""


def _first(invariants: Iterable[Invariant], game: TurnController) -> str:
    return next(filter(None, (invariant(game) for invariant in invariants)), "")


def is_in_its_step(game: TurnController) -> str:
    """The state of the turn belongs to the step under way, or between steps to the phase."""
    at, model = game.request.at, game.model
    homes = {state.kind: state.name for state in model.path(at.stage)}
    step, phase = homes.get("step", ""), homes.get("phase", "")
    if step == at.step if step else phase in ("", at.phase):
        return ""
    return f"{at.stage!r} belongs to {step or phase!r}, but {at.step or at.phase!r} is under way"


def who_left_is_not_asked(game: TurnController) -> str:
    """Priority goes to a player, and nobody who has left is asked for anything."""
    request = game.request
    if isinstance(request, Priority) and not request.player:
        return "priority is given to nobody"
    gone = {*request.by} & {game.players[seat] for seat in game.run.left}
    return f"{', '.join(sorted(gone))} has left, and is asked" if gone else ""


INVARIANTS = (is_in_its_step, who_left_is_not_asked)


def _answered(game: TurnController, answer: Answer) -> str:
    """Give an answer to a game, its fork and a copy restored from its snapshot. All go on alike."""
    turn, run, saved = game.turn, copy(game.run), loads(dumps(game.snapshot()))
    restored = TurnController.restore(game.model, saved)
    copies = (("a fork", game.fork()), ("the game restored from its snapshot", restored))
    game.answer(answer)
    for name, twin in copies:
        if twin.run != run:
            return f"{name} is another game"
        twin.answer(answer)
        if twin.request != game.request or twin.run != game.run:
            return f"{name} goes on in another way"
    return "" if game.turn >= turn else "the number of the turn went down"


def _replays(game: TurnController) -> str:
    assert game.trace is not None, "the game is recorded"
    replayed = Trace.read(game.trace.lines()).replay(game.model)
    same = replayed.snapshot() == game.snapshot()
    return "" if same else "the replay of its trace is another game"
