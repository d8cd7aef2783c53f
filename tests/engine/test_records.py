"""A record looks like a frozen dataclass, whether it was made by its constructor or of a game that
somebody watched.
"""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, astuple, fields, replace

import pytest

from fsm import TurnController
from fsm.engine import Record
from fsm.model import Model
from support.playing import quiet, through

NAMES = [field.name for field in fields(Record)]


@pytest.fixture(scope="module")
def heard(magic: Model) -> list[Record]:
    """The records of a game that goes where another one has gone, with other players."""
    through(TurnController(magic, ["Ann", "Ben", "Cem"]), 6)
    game, heard = TurnController(magic, ["Eve", "Dan", "Flo"]), list[Record]()
    game.watch(heard.append)
    through(game, 6)
    assert heard == game.trace.records[-len(heard) :]
    return heard


def by_name(record: Record) -> dict[str, object]:
    return {name: getattr(record, name) for name in NAMES}


def test_what_is_heard_is_what_a_game_without_a_memo_makes_fire(
    magic: Model, heard: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TurnController, "remembered", 0)
    game, alone = TurnController(magic, ["Eve", "Dan", "Flo"]), list[Record]()
    game.watch(alone.append)
    through(game, 6)
    assert [*map(astuple, alone)] == [*map(astuple, heard)]
    assert {record.turn for record in heard} >= {1, 2, 3, 4, 5}
    assert {record.active for record in heard} == {"Eve", "Dan", "Flo"}


def test_a_record_equals_one_that_is_made_of_its_fields(heard: list[Record]) -> None:
    for record in heard[::9]:
        made = Record(**by_name(record))  # type: ignore[arg-type]
        assert made == record == Record(*astuple(record))
        assert hash(made) == hash(record)
        assert repr(made) == repr(record)
        assert asdict(made) == asdict(record) == by_name(record)
        assert made != replace(record, turn=record.turn + 1) != record


def test_a_record_cannot_be_changed(heard: list[Record]) -> None:
    for record in (heard[0], Record(**by_name(heard[0]))):  # type: ignore[arg-type]
        for name in NAMES:
            with pytest.raises(FrozenInstanceError):
                setattr(record, name, getattr(record, name))
            with pytest.raises(FrozenInstanceError):
                delattr(record, name)
        with pytest.raises(AttributeError):
            record.other = 1  # type: ignore[attr-defined]


def test_a_record_is_copied_and_travels(heard: list[Record]) -> None:
    for record in heard[::9]:
        for again in (copy.copy(record), copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
            assert (again, type(again)) == (record, Record)


def test_a_record_is_matched_by_its_fields(heard: list[Record]) -> None:
    match heard[0]:
        case Record(machine, event, turn=turn):
            assert (machine, event, turn) == (heard[0].machine, heard[0].event, heard[0].turn)
        case _:
            pytest.fail("it does not match")


def test_the_constructor_says_what_it_takes(heard: list[Record]) -> None:
    signature = inspect.signature(Record)
    assert [*signature.parameters] == NAMES
    assert Record(*astuple(heard[0])[:13]) == replace(
        heard[0], extra_phase=False, extra_step=False, phase_id=0, step_id=0
    )
    with pytest.raises(TypeError, match="transition"):
        Record("turn", "next")  # type: ignore[call-arg]


def test_records_that_are_kept_stay_as_they_were(magic: Model) -> None:
    game, kept, seen = (
        TurnController(magic, ["Eve", "Dan"]),
        list[Record](),
        list[tuple[object, ...]](),
    )
    game.watch(kept.append)
    game.watch(lambda record: seen.append(astuple(record)))
    game.answer(quiet(game.request))
    through(game, 4)
    assert [*map(astuple, kept)] == seen
