"""Following traces: by their own model they are replayed, by another only what they show is
followed.
"""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

import fsm
from fsm import AddPhase, AddStep, Answer, Priority, Signal, Trace, TurnController, conform
from fsm.cli.recordedgames import Following, LogEnd, follow
from fsm.conformance.recordings.traces import TraceLog
from fsm.errors import LogError
from fsm.files import LINE_LIMIT
from fsm.model import Model
from fsm.rulesets import names
from fsm.runs.visits import visits_of
from support.amounts import amount
from support.playing import quiet


def played(
    model: Model, turns: int = 3, *more: Answer, players: str = "AB", **options: object
) -> TurnController:
    """A quiet game, but for what its first answer does."""
    game = TurnController(model, list(players), **options)  # type: ignore[arg-type]
    extra = iter(more)
    while game.position.turn <= turns:
        given = next(extra, Answer())
        game.answer(quiet(game.request, orders=given.orders, signal=given.signal))
    return game


def written(folder: Path, trace: Trace, change: tuple[str, str] = ("", "")) -> Path:
    path = folder / "run.jsonl"
    text = "".join(f"{line}\n" for line in trace.lines())
    path.write_text(text.replace(*change) if change[0] else text, encoding="utf-8")
    return path


def judged(model: Model, path: Path, *allow: str) -> LogEnd:
    *_, end = follow(Following(model, allow), str(path))
    assert isinstance(end, LogEnd)
    return end


@pytest.mark.parametrize("name", names())
def test_a_trace_shows_the_steps_of_its_game(name: str) -> None:
    model = fsm.load(name)
    game = played(model)
    done = conform(model, TraceLog(game.trace))
    assert done.ok, done.refusal
    seen, was = done.visits, visits_of(game.trace.records, model)
    assert [(v.turn, v.step) for v in seen] == [(v.turn, v.step) for v in was]


def test_by_its_own_model_a_trace_is_replayed_whatever_happened_in_it(
    magic: Model, tmp_path: Path
) -> None:
    orders = (AddPhase(("combat", "main")), AddStep("upkeep", "current_phase"))
    game = played(
        magic,
        3,
        Answer(orders=orders),
        Answer(signal=Signal("end_turn")),
        players="ABCD",
        teams=(("A", "B"), ("C", "D")),
    )
    end = judged(magic, written(tmp_path, game.trace))
    assert end.result.ok and end.players == ["A, B", "C, D"]
    fired = {r.transition for r in game.trace.records if r.machine == "turn"}
    assert end.taken == fired


def test_a_firing_that_did_not_happen_is_refused_with_its_line(
    magic: Model, tmp_path: Path
) -> None:
    game = played(magic, 1)
    row = "upkeep_window -> upkeep_end on closed"
    path = written(tmp_path, game.trace, (f'"{row}"', '"upkeep_window -> draw_end on closed"'))
    line = next(i for i, text in enumerate(game.trace.lines(), 1) if row in text)
    end = judged(magic, path)
    refusal = end.result.refusal
    assert not end.result.ok and refusal is not None and refusal.line == line
    assert "draw_end on closed" in str(refusal) and "upkeep_end on closed" in str(refusal)
    assert "upkeep_after -> draw_before" not in end.taken, "what comes after is not counted"


def test_a_game_may_stop_anywhere(magic: Model, tmp_path: Path) -> None:
    lines = list(played(magic, 1).trace.lines())
    path = tmp_path / "part.jsonl"
    for end in range(1, len(lines), 7):
        path.write_text("\n".join(lines[:end]) + "\n", encoding="utf-8")
        assert judged(magic, path).result.ok


def test_by_another_model_it_is_followed_as_far_as_it_goes(magic: Model, tmp_path: Path) -> None:
    """Nothing of current Magic's plain turn is new since 2010; an extra combat is not told, and has
    to be allowed.
    """
    older = fsm.load("magic-2010")
    assert judged(older, written(tmp_path, played(magic).trace)).result.ok
    extra = written(
        tmp_path, played(magic, 2, Answer(orders=(AddPhase(("combat",), after="main"),))).trace
    )
    assert not judged(older, extra).result.ok
    assert judged(older, extra, "extra").result.ok
    assert not judged(fsm.load("grand-archive"), extra).result.ok


def test_a_trace_that_begins_in_the_middle_is_followed(magic: Model, tmp_path: Path) -> None:
    game = played(magic, 4)
    later = TurnController.restore(magic, game.snapshot())
    while later.position.turn < 7:
        later.answer(quiet(later.request))
    end = judged(magic, written(tmp_path, later.trace))
    assert end.result.ok and end.result.joined


def test_a_step_that_waits_is_not_seen_twice() -> None:
    """Combat runs inside the main phase, and main goes on."""
    model = fsm.load("grand-archive")
    game = TurnController(model, ["A", "B"])
    attacked = {1, 2}
    while game.position.turn < 8:
        turn, attack = game.position.turn, None
        if isinstance(game.request, Priority) and game.position.step == "main":
            attack = None if turn in attacked else Signal("attack")
            attacked.add(turn)
        game.answer(quiet(game.request, {"attack_declared": True}, signal=attack))
    seen = list(TraceLog(game.trace))
    mains = [o.turn for o in seen if o.step == "main"]
    assert "damage" in {o.step for o in seen} and len(mains) == len(set(mains)) > 3


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe", b'{"is": "GameHeader"}\n', b'{"is": "Answer"}\n']
)
def test_what_is_no_trace_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    for wrong in (path, tmp_path / "absent.jsonl", tmp_path):
        with pytest.raises(LogError, match=str(wrong)):
            TraceLog.open(wrong)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (b"\xff\xfe", "it is not UTF-8"),
        (b" " * (LINE_LIMIT + 1), f"it is longer than {LINE_LIMIT} bytes"),
        (b"{", ""),
    ],
    ids=["not UTF-8", "long", "cut off"],
)
def test_a_wrong_line_of_a_trace_is_named(
    magic: Model, tmp_path: Path, wrong: bytes, said: str
) -> None:
    path = written(tmp_path, played(magic, 1).trace)
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([*lines[:9], wrong, *lines[9:]]))
    with pytest.raises(LogError, match=rf"run\.jsonl: trace line 10: {said}"):
        TraceLog.open(path)


@pytest.mark.parametrize("name", ["magic", "magic-2010"])
def test_memory_does_not_grow_with_a_trace(magic: Model, tmp_path: Path, name: str) -> None:
    """Magic's own trace is replayed; by the older model it is followed."""
    model = fsm.load(name)

    def peak(turns: int) -> int:
        path = written(tmp_path, played(magic, turns).trace)
        tracemalloc.start()
        try:
            assert judged(model, path).result.ok
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few = amount(2, 8)
    peak(few)
    assert peak(few * 4) < peak(few) + 500_000
