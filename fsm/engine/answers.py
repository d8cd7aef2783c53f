"""Whether an answer fits what a state asks. Orders are checked as they are given."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fsm.engine.requests import Answer
from fsm.errors import AnswerError, shown
from fsm.model import Fact, Model, State
from fsm.state.orders import Interruption
from fsm.state.scheduling import MOST_WAITING


def key_of(answer: Answer) -> object:
    """Return what a well-formed answer without orders says, as a key, or None for any other."""
    plain = answer.__class__ is Answer and not answer.orders and isinstance(answer.word, str)
    if not plain or answer.facts.__class__ is not MappingProxyType:
        return None
    told = answer.facts.items()
    if any(value.__class__ is not bool for _, value in told):  # 1 equals True
        return None
    return (answer.word, *told)


def check(answer: Answer, model: Model, state: State, known: Mapping[str, Fact]) -> None:
    """Raise AnswerError unless this answers what the state asks. Facts of these names are known."""
    if not isinstance(answer, Answer):
        raise AnswerError(f"an answer must be an Answer, not a {type(answer).__name__}")
    if state.kind == "final":
        raise AnswerError("the game is over: there is nothing to answer", kind="game-over")
    orders: object = answer.orders
    if not isinstance(orders, tuple) or len(orders) > MOST_WAITING:
        given = len(orders) if isinstance(orders, tuple) else shown(orders)
        text = f"an answer carries a tuple of at most {MOST_WAITING} orders, not {given}"
        raise AnswerError(text, place="answer.orders")
    check_facts(answer.facts, model, known, "answer.facts")
    if answer.word == "":
        _check_between(answer)
    else:
        _check_word(answer, state, known)


def _check_between(answer: Answer) -> None:
    """An answer without a word has orders, and interrupts nothing: for that, something resolves."""
    for order in answer.orders:
        if isinstance(order, Interruption):
            raise AnswerError(
                f"{order!r} comes with an answer, not between two answers: something must resolve"
            )
    if not answer.orders:
        raise AnswerError("no order was given")


def _check_word(answer: Answer, state: State, known: Mapping[str, Fact]) -> None:
    if answer.word not in state.words:
        right, word = " or ".join(map(repr, state.words)), answer.word
        text = f"{state.id!r} was asked for; answer {right}, not {shown(word)}"
        raise AnswerError(text, kind="wrong-word", place="answer.word", found=word)
    for name in state.tells:
        if name not in answer.facts:
            doc, place = known[name].doc, f"answer.facts.{name}"
            text = f"the answer to {state.id!r} must tell the fact {name!r} ({doc})"
            raise AnswerError(text, kind="missing-fact", place=place)


def check_facts(facts: object, model: Model, known: Mapping[str, Fact], place: str) -> None:
    """Raise AnswerError unless the game tells these facts, and each of them is true or false."""
    if not isinstance(facts, Mapping):
        right = "a mapping of names to true or false"
        raise AnswerError(f"facts must be {right}, not {shown(facts)}", place=place)
    for name, value in facts.items():
        if name not in known:
            text = f"fact {shown(name)} is not one the game tells in {model.name}"
            raise AnswerError(text, kind="unknown-fact", place=place, found=name, known=known)
        if not isinstance(value, bool):
            text, place = f"fact {name!r} must be true or false", f"{place}.{name}"
            text = f"{text}, not {shown(value)}"
            raise AnswerError(text, kind="wrong-value", place=place, found=value)
