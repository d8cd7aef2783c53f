"""Snapshots: exact at every waiting point; what was cut, edited or taken elsewhere is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import fields
from itertools import chain
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fsm
from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    Answer,
    Appoint,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    Over,
    Perform,
    Priority,
    ReverseTurnOrder,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    TurnController,
)
from fsm.engine.codec import decode, encode
from fsm.errors import AnswerError, FsmError, OrderError, SnapshotError
from fsm.model import Model
from fsm.orders import Order
from fsm.state.agenda import Agenda
from support.amounts import amount
from support.playing import (
    act,
    attack,
    leaves,
    quiet,
    resolving,
    signal,
    started,
    through,
    to,
    until,
)

MAGIC = fsm.load("magic")
Play = Callable[[Model], TurnController]

# runs whose every waiting point is tried ----------------------------------------------------------


def fight(model: Model) -> TurnController:
    game = started(model)
    attack(game)
    to(game, "declare_blockers")
    act(game)
    while game.position.step == "declare_blockers":
        game.answer(quiet(game.request, {"first_strike_in_combat": True}))
    return through(game, 2)


def extras(model: Model) -> TurnController:
    game = started(model, "ABC")
    resolving(
        game,
        "upkeep",
        AddStep("draw"),
        AddStep("upkeep", before="end"),
        AddPhase(("combat", "main"), after="main"),
    )
    resolving(
        game, "beginning_of_combat", AddStep("upkeep", "current_phase", count=2), AddTurn("B")
    )
    attack(game)
    resolving(
        game,
        "combat_damage",
        AddPhase(("combat",)),
        SkipStep("draw", scope="all_next_turn"),
        SkipTurn("C"),
    )
    resolving(game, "postcombat_main", AddTurn("A", id="x"), SkipStep("draw", within="x"))
    return through(game, 4)


def calendar(model: Model) -> TurnController:
    orders = [Effect(d.name, "A", d.name) for d in model.durations]
    game = started(
        model,
        orders=[
            *orders,
            StandingTrigger("s", "upkeep", "B", True),
            ControlNextTurn("B", "A", True),
        ],
    )
    resolving(
        game,
        "end",
        ReverseTurnOrder(),
        DelayedTrigger("n", "end"),
        DelayedTrigger("y", "draw", "A", "your_next_turn"),
    )
    return through(game, 4)


def endings(model: Model) -> TurnController:
    game = started(model, "ABC")
    attack(game)
    resolving(game, "combat_damage", AddPhase(("combat",)), signal=signal("end_phase"))
    to(game, "declare_attackers", iteration=2)
    game.answer(quiet(game.request, signal=leaves("A")))
    resolving(game, "postcombat_main", AddTurn("B"), signal=signal("end_turn"))
    through(game, 2)
    return_to = to(game, "draw", turn=3)
    assert isinstance(return_to, Priority)
    game.answer(quiet(game.request, signal=leaves("C")))
    return game


def cleanups(model: Model) -> TurnController:
    game = started(model, "ABCD", teams=[["A", "C"], ["B", "D"]])
    until(game, lambda r: r.at.step == "cleanup" and "triggers_waiting" in r.facts)
    game.answer(quiet(game.request, {"triggers_waiting": True}))
    return through(game, 2)


def combat_inside_main(model: Model) -> TurnController:
    game = through(started(model), 1)
    until(game, lambda r: isinstance(r, Priority) and r.at.stage == "main_window")
    game.answer(quiet(game.request, word="acted", signal=Signal("attack")))
    game.answer(quiet(game.request, {"attack_declared": True}))
    return through(game, 2)


def one_defender(model: Model) -> TurnController:
    game = started(model, "ABC")
    game.answer(quiet(to(game, "beginning_of_combat", Perform), orders=[Appoint("defending", "C")]))
    return through(game, 1)


def clean_ups(model: Model) -> TurnController:
    game = started(model)
    until(game, lambda r: r.at.stage == "end_recheck")
    game.answer(quiet(game.request, {"sba_performed": True}))
    return through(game, 1)


RUNS: list[Play] = [fight, extras, calendar, endings, cleanups]


@pytest.mark.parametrize("play", RUNS, ids=lambda p: p.__name__)
def test_a_snapshot_at_every_waiting_point_leads_to_the_same_run(magic: Model, play: Play) -> None:
    """Each restored game is asked the same, and after the same answer is the same again."""
    whole = play(magic)
    game = _from_the_start(magic, whole)
    for answer in whole.trace.answers:
        restored = TurnController.restore(magic, json.loads(json.dumps(game.snapshot())))
        assert restored.request == game.request
        assert restored.snapshot() == game.snapshot()
        before = len(game.trace.entries)
        assert game.answer(answer) == restored.answer(answer)
        assert restored.snapshot() == game.snapshot()
        assert restored.trace.entries == game.trace.entries[before:]
    assert game.snapshot() == whole.snapshot()
    assert TurnController.restore(magic, whole.snapshot()).request == whole.request


@pytest.mark.parametrize("play", RUNS, ids=lambda p: p.__name__)
def test_a_restored_game_goes_on_to_the_end_as_the_other_would_have(
    magic: Model, play: Play
) -> None:
    whole = play(magic)
    answers = whole.trace.answers
    for cut in range(0, len(answers), 23):
        game = _from_the_start(magic, whole)
        for answer in answers[:cut]:
            game.answer(answer)
        restored = TurnController.restore(magic, game.snapshot())
        for answer in answers[cut:]:
            restored.answer(answer)
        assert restored.snapshot() == whole.snapshot()
        assert [*game.trace.records, *restored.trace.records] == whole.trace.records


def test_a_snapshot_keeps_all_that_a_game_remembers() -> None:
    """Each field of the agenda has something in it at some request of these games, but for what is
    about to begin: it has begun, or is left out, before the next request.
    """
    kept = set[str]()
    archive = fsm.load("grand-archive")
    games = chain(
        _standing(MAGIC, *RUNS, one_defender), _standing(archive, combat_inside_main, clean_ups)
    )
    for game in games:
        restored = TurnController.restore(game.model, game.snapshot())
        assert (restored.agenda, restored.calendar, restored.facts) == (
            game.agenda,
            game.calendar,
            game.facts,
        )
        bare = Agenda(())
        kept |= {
            f.name for f in fields(Agenda) if getattr(game.agenda, f.name) != getattr(bare, f.name)
        }
    assert {f.name for f in fields(Agenda)} - kept == {"candidate_phase", "candidate_step"}


def _standing(model: Model, *plays: Play) -> Iterator[TurnController]:
    """These games, at every request."""
    for play in plays:
        whole = play(model)
        game = _from_the_start(model, whole)
        for answer in whole.trace.answers:
            yield game
            game.answer(answer)


def _from_the_start(model: Model, played: TurnController) -> TurnController:
    head = played.trace.head
    return TurnController(
        model, head.players, teams=head.teams, settings=head.settings, orders=head.orders
    )


def test_restoring_twice_makes_two_independent_games(magic: Model) -> None:
    data = started(magic).snapshot()
    one, other = TurnController.restore(magic, data), TurnController.restore(magic, data)
    one.answer(quiet(one.request, orders=[AddTurn("A")]))
    assert other.snapshot() == data
    assert one.snapshot() != data


def test_a_snapshot_is_plain_json_and_small(magic: Model) -> None:
    data = fight(magic).snapshot()
    text = json.dumps(data)
    assert json.loads(text) == data
    assert len(text) < 2048, "the design's bar"


# what is refused ----------------------------------------------------------------------------------


def refused(model: Model, data: object, *words: str) -> str:
    with pytest.raises(SnapshotError) as error:
        TurnController.restore(model, data)
    message = str(error.value)
    assert "\n" not in message
    assert len(message) < 400
    for word in words:
        assert word in message
    return message


@pytest.mark.parametrize("data", [None, 7, [], {}, {"format": "fsm-snapshot-0"}, {"format": None}])
def test_what_is_no_snapshot_of_this_version_is_refused(magic: Model, data: object) -> None:
    refused(magic, data, "not a snapshot of this version: \"format\" must be 'fsm-snapshot-1'")


def test_a_snapshot_of_another_model_is_refused(magic: Model) -> None:
    other = fsm.load("magic?extra_draw_on_first_turn=false")
    refused(
        other,
        started(magic).snapshot(),
        magic.fingerprint,
        other.fingerprint,
        "restore it with the model",
    )


def test_a_snapshot_of_a_model_changed_by_one_row_is_refused(magic: Model) -> None:
    refused(magic.without(magic.transitions[0].id), started(magic).snapshot(), "not with magic")


@pytest.mark.parametrize("key", ["head", "run", "checksum", "model"])
def test_a_snapshot_that_was_cut_is_refused(magic: Model, key: str) -> None:
    data = started(magic).snapshot()
    del data[key]
    refused(magic, data, "has been changed or cut since it was taken")


EDITS: list[tuple[list[str], object]] = [
    (["run", "state"], "upkeep_end"),
    (["run", "agenda", "turn"], 9),
    (["run", "agenda", "active"], "B"),
    (["run", "latched"], ["attackers_declared"]),
    (["head", "players"], ["A", "C"]),
    (["model"], "magik"),
    (["checksum"], "0"),
    (["extra"], 1),
]


def edited(data: Any, path: list[str], value: object) -> Any:
    copied = deepcopy(data)
    holder = copied
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return copied


@pytest.mark.parametrize(("path", "value"), EDITS, ids=[".".join(e[0]) for e in EDITS])
def test_a_snapshot_that_was_edited_is_refused(
    magic: Model, path: list[str], value: object
) -> None:
    refused(
        magic,
        edited(started(magic).snapshot(), path, value),
        "has been changed or cut since it was taken",
    )


def reordered(data: Any) -> Any:
    """The same with its keys in another order, as a database may keep them."""
    return json.loads(json.dumps(data, sort_keys=True))


@pytest.mark.parametrize("play", RUNS, ids=lambda p: p.__name__)
def test_the_order_of_its_keys_does_not_matter(magic: Model, play: Play) -> None:
    data = play(magic).snapshot()
    assert json.dumps(reordered(data)) != json.dumps(data)
    assert TurnController.restore(magic, reordered(data)).snapshot() == data


@pytest.mark.parametrize(("path", "value"), EDITS, ids=[".".join(e[0]) for e in EDITS])
def test_a_snapshot_that_was_edited_is_refused_in_any_order(
    magic: Model, path: list[str], value: object
) -> None:
    refused(
        magic,
        edited(reordered(started(magic).snapshot()), path, value),
        "has been changed or cut since",
    )


def signed(data: Any) -> Any:
    """The data with a checksum that fits, as a forger would make it."""
    rest = {k: v for k, v in data.items() if k != "checksum"}
    text = json.dumps(rest, separators=(",", ":"))
    return {**rest, "checksum": f"{crc32(text.encode()):08x}"}


FORGED: list[tuple[list[str], object, str]] = [
    (["run"], 3, "does not describe a game"),
    (["run", "state"], "nowhere", "'nowhere' is not in magic"),
    (["run", "state"], 3, "Run.state cannot be 3"),
    (["run", "state"], "untap_begin", "'untap_begin' asks for nothing"),
    (["run", "state"], "upkeep_window", "'upkeep_window' asks for nothing"),
    (["run", "frame"], "nowhere", "cannot be 'nowhere'"),
    (["run", "weather"], "fine", "Run has no field 'weather'"),
    (["run", "agenda"], 5, "Run.agenda cannot be 5"),
    (["run", "agenda"], {"is": "Calendar"}, "Run.agenda cannot be Calendar"),
    (["run", "agenda"], {"is": "os.system"}, "Run.agenda cannot be os.system"),
    (["run", "agenda", "turn"], "many", "Agenda.turn cannot be 'many'"),
    (["run", "agenda", "turn"], True, "Agenda.turn cannot be True"),
    (["run", "agenda", "turn"], -1, "Agenda.turn cannot be -1"),
    (["run", "agenda", "occurrences"], -1, "Agenda.occurrences cannot be -1"),
    (["run", "agenda", "players"], ["A", "C"], "players"),
    (["run", "agenda", "turns_taken"], [1, 2, 3], "Agenda.turns_taken cannot be [1, 2, 3]"),
    (["run", "agenda", "own_turns"], [1, -1], "Agenda.own_turns cannot be [1, -1]"),
    (["head", "players"], [], "players must be one or more different names"),
    (["head", "players"], ["A", "A"], "players must be one or more different names"),
    (["head", "players"], ["B", "C"], "players who are not in its game"),
    (["head", "teams"], [["A", "B"], []], "teams must be groups of different players"),
    (["head", "teams"], [["A", "Z"]], "'Z' is no player"),
    (["run", "agenda", "active"], "Z", "players who are not in its game"),
    (["run", "agenda", "decider"], "Z", "players who are not in its game"),
    (["run", "agenda", "decider"], "", "players who are not in its game"),
    (["run", "passed"], [""], "players who are not in its game"),
    (["run", "agenda", "appointed"], [["defending", ""]], "players who are not in its game"),
    (["run", "agenda", "left"], ["Z"], "players who are not in its game"),
    (["run", "agenda", "extras"], [{"is": "PendingTurn", "side": "A"}], "Agenda.extras cannot be"),
    (["run", "agenda", "colour"], 1, "Agenda has no field 'colour'"),
    (["run", "calendar"], {"is": "Calendar", "lasting": [1]}, "Calendar.lasting cannot be"),
    (["run", "latched"], 4, "does not describe a game"),
    (["run", "holder"], "Z", "players who are not in its game"),
    (
        ["run", "frame"],
        "sba",
        "no window is open in 'untap_phasing', so that the window's state cannot be 'sba'",
    ),
    (["run", "state"], "upkeep_window", "'upkeep_window' asks for nothing"),
    (["run", "agenda", "turn"], 10**4000, "Agenda.turn cannot be 1000"),
    (["run", "agenda", "turns_taken"], [10**4000, 1], "Agenda.turns_taken cannot be"),
    (["run", "agenda", "current_turn", "id"], 10**4000, "Occurrence.id cannot be 1000"),
    (["head", "players"], ["A", ""], "each a string that is not empty"),
    (["head"], 3, "does not describe"),
    (
        ["head"],
        {"is": "GameHeader", "model": "magic", "fingerprint": "x", "players": "AB"},
        "GameHeader.players cannot be 'AB'",
    ),
]


@pytest.mark.parametrize(
    ("path", "value", "words"), FORGED, ids=[f"{'.'.join(f[0])}={f[1]}" for f in FORGED]
)
def test_a_forged_snapshot_is_refused_in_one_sentence(
    magic: Model, path: list[str], value: object, words: str
) -> None:
    """The checksum finds accidents; whoever computes it anew still gets an error of ours, or a
    game.
    """
    refused(magic, signed(edited(started(magic).snapshot(), path, value)), words)


def test_a_number_of_5000_digits_is_refused(magic: Model) -> None:
    """Python refuses to write one, so that no checksum can be computed of it."""
    refused(
        magic,
        edited(started(magic).snapshot(), ["run", "agenda", "turn"], 10**5000),
        "changed or cut",
    )


def test_a_window_that_is_open_stands_in_a_state_of_its_own(magic: Model) -> None:
    game = started(magic)
    to(game, "upkeep")
    data = game.snapshot()
    refused(magic, signed(edited(data, ["run", "frame"], "closed")), "'closed' asks for nothing")
    refused(
        magic,
        signed(edited(data, ["run", "state"], "draw_step")),
        "no window is open in 'draw_step'",
    )
    refused(magic, signed(edited(data, ["run", "frame"], "")), "'upkeep_window' asks for nothing")


def test_a_phase_inside_another_needs_one_that_is_suspended() -> None:
    archive = fsm.load("grand-archive")
    data = started(archive).snapshot()
    state = next(
        s.id for s in archive.leaves if s.kind == "action" and s.parent == "retaliation_step"
    )
    refused(archive, signed(edited(data, ["run", "state"], state)), "no phase is suspended")


def test_the_forgers_checksum_is_the_right_one(magic: Model) -> None:
    data = started(magic).snapshot()
    assert signed(data) == data


# properties ---------------------------------------------------------------------------------------

NAMES = st.sampled_from(["A", "B", "C"])
COUNTS = st.integers(1, 2)
STEPS = st.sampled_from([s.name for s in MAGIC.of_kind("step")])
PHASES = st.sampled_from(["beginning", "main", "combat", "ending"])
SCOPES = st.sampled_from(["next", "each", "this_turn", "all_next_turn"])
ORDERS: st.SearchStrategy[Order] = st.one_of(
    st.builds(AddTurn, NAMES, COUNTS),
    st.builds(SkipTurn, NAMES, COUNTS),
    st.builds(ControlNextTurn, NAMES, NAMES, st.booleans()),
    st.builds(
        AddPhase,
        st.lists(PHASES, min_size=1, max_size=2).map(tuple),
        st.one_of(st.just(""), PHASES),
        nth=COUNTS,
        count=COUNTS,
        player=NAMES,
        you_get=st.booleans(),
    ),
    st.builds(
        AddStep,
        STEPS,
        st.one_of(st.sampled_from(["current_step", "current_phase"]), STEPS),
        player=NAMES,
    ),
    st.builds(AddStep, STEPS, st.just(""), STEPS),
    st.builds(SkipStep, STEPS, NAMES, SCOPES),
    st.builds(SkipPhase, PHASES, NAMES, SCOPES),
    st.builds(
        DelayedTrigger, st.just("d"), STEPS, NAMES, st.sampled_from(["next", "your_next_turn"])
    ),
    st.builds(
        StandingTrigger, st.just("s"), STEPS, st.one_of(st.just("each"), NAMES), st.booleans()
    ),
    st.builds(Effect, st.just("l"), NAMES, st.sampled_from([d.name for d in MAGIC.durations])),
)
ODD: st.SearchStrategy[Any] = st.sampled_from([None, 0, -1, 10**30, "", "Z", [], {}, True, ["A"]])
SIGNALS = st.one_of(
    st.builds(Signal, st.sampled_from(["end_turn", "end_phase"])),
    st.builds(Signal, st.just("player_left"), NAMES),
)


@st.composite
def moves(draw: st.DrawFn) -> dict[str, Any]:
    """What one answer brings with it; which word and facts fit is found when it is asked for."""
    return {
        "yes": draw(st.integers(0, 7)),
        "acted": draw(st.integers(0, 5)) == 0,
        "orders": tuple(draw(st.lists(ORDERS, max_size=2))) if draw(st.integers(0, 3)) == 0 else (),
        "signal": draw(SIGNALS) if draw(st.integers(0, 11)) == 0 else None,
        "wrong": draw(st.sampled_from(WRONG)),
    }


WRONG: list[Answer] = [
    Answer("nonsense"),  # type: ignore[arg-type]
    Answer("done", {"rain": True}),
    Answer("passed", orders=(AddTurn("Z"),)),
    Answer("done", orders=(AddTurn("A"), AddTurn("A", 0))),
    Answer("acted", signal=Signal("player_left", "Z")),
]


def fitting(game: TurnController, move: dict[str, Any]) -> Answer:
    request = game.request
    facts = {name: bool(move["yes"] >> i & 1) for i, name in enumerate(request.facts)}
    if move["yes"] == 7 and "stack_empty" in facts:
        facts["stack_empty"] = True
    leaver = move["signal"].player if move["signal"] else ""
    gone = leaver and (leaver in game.agenda.left or leaver not in game.trace.head.players)
    orders = tuple(
        o for o in move["orders"] if "C" in game.trace.head.players or "'C'" not in repr(o)
    )
    word = ("acted" if move["acted"] else "passed") if isinstance(request, Priority) else "done"
    return Answer(word, facts, orders, None if gone else move["signal"])  # type: ignore[arg-type]


@settings(max_examples=20)
@given(st.lists(moves(), min_size=30, max_size=90), st.sampled_from(["AB", "ABC"]))
def test_whatever_is_answered_a_snapshot_is_exact_and_a_wrong_answer_changes_nothing(
    played: list[dict[str, Any]], players: str
) -> None:
    """Telling exactly the facts asked for is enough, always; so is what a snapshot keeps."""
    game = started(MAGIC, players, orders=[AddTurn("A")])
    for move in played:
        if isinstance(game.request, Over):
            break
        before, request, entries = game.snapshot(), game.request, len(game.trace.entries)
        for wrong in (move["wrong"], Answer(fitting(game, move).word, {}, (AddTurn("A", 0),))):
            with pytest.raises((AnswerError, OrderError)):
                game.answer(wrong)
        assert (game.snapshot(), game.request, len(game.trace.entries)) == (
            before,
            request,
            entries,
        )
        restored = TurnController.restore(MAGIC, before)
        answer = fitting(game, move)
        assert _after(game, answer) == _after(restored, answer)
        assert game.snapshot() == restored.snapshot()


def _after(game: TurnController, answer: Answer) -> object:
    """What is asked next, or the message of an error that a legal answer met: all skipped for ever,
    or a turn is to be controlled by who has left."""
    try:
        return game.answer(answer)
    except FsmError as error:
        assert any(
            why in str(error)
            for why in ("every phase and turn seems to be skipped", "has left the game")
        )
        return str(error)


def saved_on_the_way(model: Model, players: str) -> list[Any]:
    """The snapshots of a game in which much is scheduled, at every request of three turns."""
    game = started(model, players, orders=[AddTurn("B"), SkipTurn("A"), Effect("l", "A")])
    found: list[Any] = []
    while game.position.turn < 4 and len(found) < 120:
        found.append(json.loads(json.dumps(game.snapshot())))
        game.answer(quiet(game.request, {"stack_empty": True}))
    return found


SAVED = {model.name: saved_on_the_way(model, "AB") for model in (MAGIC, fsm.load("grand-archive"))}
SWAPPED = (
    "state",
    "frame",
    "holder",
    "passed",
    "agenda",
    "calendar",
    "current_step",
    "current_phase",
    "begun",
    "turn",
)


@settings(max_examples=amount(60, 2000))
@given(
    st.sampled_from(sorted(SAVED)),
    st.integers(0, 99),
    st.integers(0, 99),
    st.sampled_from(SWAPPED),
    ODD,
)
def test_a_snapshot_forged_of_two_is_refused_or_played(
    ruleset: str, a: int, b: int, name: str, odd: object
) -> None:
    """Whoever computes the checksum anew gets an error of ours: when it is restored, or else when
    it is played.
    """
    saved = SAVED[ruleset]
    first, second = deepcopy(saved[a % len(saved)]), saved[b % len(saved)]
    for of in ("run", "agenda"):
        one, other = (s["run"] if of == "run" else s["run"]["agenda"] for s in (first, second))
        if name in one:
            one[name] = other.get(name, odd)
    try:
        game = TurnController.restore(fsm.load(ruleset), signed(first))
        for _ in range(40):
            if isinstance(game.request, Over):
                break
            game.answer(quiet(game.request))
    except FsmError as error:
        assert "\n" not in str(error)


@settings(max_examples=50)
@given(
    ORDERS
    | st.builds(
        Answer,
        st.just("done"),
        st.dictionaries(st.text(), st.booleans()),
        st.lists(ORDERS).map(tuple),
    )
)
def test_the_codec_gives_back_what_it_was_given(value: object) -> None:
    classes = (Answer, Signal, *(type(o) for o in _each_order()))
    assert decode(json.loads(json.dumps(encode(value))), classes) == value


def _each_order() -> list[Order]:
    return [
        AddTurn("A"),
        SkipTurn("A"),
        ControlNextTurn("A", "A"),
        AddPhase(()),
        AddStep(""),
        SkipPhase(""),
        SkipStep(""),
        DelayedTrigger("", ""),
        StandingTrigger("", ""),
        Effect("", ""),
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["is", "player", "count", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=200)
@given(JSON)
def test_the_codec_never_makes_anything_else(data: object) -> None:
    try:
        value = decode(data, (AddTurn,))
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        if isinstance(value, AddTurn):
            assert isinstance(value.player, str)
            assert type(value.count) is int
