"""Does an answer fit what was asked? Nothing is changed here; whatever is wrong raises AnswerError."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsm.engine.requests import Answer
from fsm.errors import AnswerError, shown
from fsm.model import Fact, Model, State
from fsm.model.fieldtypes import misfit
from fsm.model.model import per_model
from fsm.state.orders import MOST, MOST_WAITING, Interruption, Order, Signal, Waiting
from fsm.state.run import Run

_KINDS: tuple[tuple[str, type | tuple[type, ...], str], ...] = (
    ("facts", Mapping, "a mapping of names to true or false"),
    ("orders", (tuple, list), "a tuple of orders"),
    ("signal", (Signal, type(None)), "a Signal or None"),
)


def checked(run: Run, state: State, answer: Answer) -> Answer:
    """A copy of the answer, which its giver cannot change any more.

    Raises AnswerError unless it is an answer to what `state` asks. Its orders are checked as they
    are carried out.
    """
    _check_kinds(answer)
    signal = answer.signal and Signal(answer.signal.event, answer.signal.player)
    copy = Answer(answer.word, dict(answer.facts), tuple(answer.orders), signal)
    _check(run, state, copy)
    return copy


def _check(run: Run, state: State, answer: Answer) -> None:
    if state.kind == "final":
        raise AnswerError("the game is over: there is nothing to answer", kind="game-over")
    if answer.word == "":
        _check_between(answer)
    elif answer.word not in state.words:
        right = " or ".join(map(repr, state.words))
        text = f"{state.id!r} was asked for; answer {right}, not {shown(answer.word)}"
        raise AnswerError(text, kind="wrong-word", place="answer.word", found=answer.word)
    _check_count(answer.orders)
    _check_facts(run.model, state.tells if answer.word else (), state.id, answer.facts)
    for interruption in answer.interruptions:
        _check_interruption(run, state, interruption)


@per_model
def game_facts(model: Model) -> Mapping[str, Fact]:
    """The facts that the game tells, of the model and of its window, by name."""
    return {f.name: f for m in model.machines.values() for f in m.facts if f.owner == "game"}


@per_model
def quiet_facts(model: Model) -> tuple[str, ...]:
    """Return the game facts that are true while everybody passes and nothing happens. All others
    are false.
    """
    return tuple(name for name, fact in game_facts(model).items() if fact.is_quietly)


def latched_facts(model: Model) -> frozenset[str]:
    """The names of the facts that stay true once the game has told them."""
    return frozenset(fact.name for fact in game_facts(model).values() if fact.timing == "latched")


def latches(facts: Mapping[str, bool], latched: frozenset[str]) -> frozenset[str]:
    """Those of an answer's facts that stay true; `latched` are the model's `latched_facts`."""
    return frozenset(name for name in facts if facts[name] and name in latched)


def take_facts(run: Run, facts: Mapping[str, bool], latched: frozenset[str]) -> None:
    """Take in what an answer tells, and those of it that stay true. What was noticed before is
    over.
    """
    run.expired = run.triggered = ()
    run.told = facts
    if latched:
        run.latched |= latched


def _check_kinds(answer: object) -> None:
    if not isinstance(answer, Answer):
        raise AnswerError(f"an answer must be an Answer, not a {type(answer).__name__}")
    for name, kind, right in _KINDS:
        if not isinstance(getattr(answer, name), kind):
            raise AnswerError(
                f"an answer's {name} must be {right}, not {shown(getattr(answer, name))}"
            )


def _check_between(answer: Answer) -> None:
    """An answer without a word has orders, and interrupts nothing: that needs something that
    resolves or happens.
    """
    for interruption in answer.interruptions:
        raise AnswerError(
            f"{interruption} comes with an answer, not between two answers: something must resolve"
        )
    if not answer.orders:
        raise AnswerError("no order was given")


def _check_count(orders: Sequence[Order]) -> None:
    if len(orders) <= MOST:
        return
    others = sum(not isinstance(order, Waiting) for order in orders)
    if others > MOST:
        raise AnswerError(
            f"an answer carries at most {MOST} orders besides effects and triggers, not {others}"
        )
    if len(orders) > MOST_WAITING:
        raise AnswerError(f"an answer carries at most {MOST_WAITING} orders, not {len(orders)}")


def _check_facts(model: Model, tells: Sequence[str], state: str, facts: Mapping[str, bool]) -> None:
    known = game_facts(model)
    for name, value in facts.items():
        if name not in known:
            raise AnswerError(
                f"fact {shown(name)} is not one the game tells in {model.name}",
                kind="unknown-fact",
                place="answer.facts",
                found=name,
                known=known,
            )
        if not isinstance(value, bool):
            raise AnswerError(
                f"fact {name!r} must be true or false, not {shown(value)}",
                kind="wrong-value",
                place=f"answer.facts.{name}",
                found=value,
            )
    for name in tells:
        if name not in facts:
            raise AnswerError(
                f"the answer to {state!r} must tell the fact {name!r} ({known[name].doc})",
                kind="missing-fact",
                place=f"answer.facts.{name}",
            )


def _check_interruption(run: Run, state: State, signal: Interruption) -> None:
    model, agenda = run.model, run.agenda
    wrong = misfit(signal)
    if wrong:
        raise AnswerError(wrong)
    if signal.event not in model.signals:
        text, known = f"{model.name} knows no signal {signal.event!r}", model.signals
        if not isinstance(signal, Signal):
            text, known = f"{text}: leave the order out", ()
        raise AnswerError(text, kind="unknown-event", found=signal.event, known=known)
    if signal.event != model.leaving:
        return
    players = agenda.players
    if signal.player not in players:
        raise AnswerError(
            f"player {signal.player!r} is not in this game",
            kind="unknown-player",
            found=signal.player,
            known=players,
        )
    if signal.player in agenda.left:
        raise AnswerError(f"player {signal.player!r} has left the game already")
