"""A saved game survives when its program is killed: it goes on after the last whole answer."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import fsm
from fsm import rulesets
from fsm.errors import HostError, SnapshotError
from fsm.hosts import StackHost, Stops, load_game, saving, write_safely
from fsm.model import Model
from fsm.rulesets import Act, Phase, Step
from support.amounts import amount


class Table(StackHost):
    """Somebody casts a spell in each upkeep, which adds a turn once."""

    def __init__(self) -> None:
        super().__init__()
        self.cast = 0

    def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
        if request.at.step != "upkeep" or self.stack:
            return None
        self.cast += 1
        self.stack.append("spell")
        return request.acted(fsm.AddTurn("Ann", id="again")) if self.cast == 2 else request.acted()


Game = fsm.TurnController | fsm.History


def played(game: Game, host: Any, count: int) -> Game:
    """A game and its host after some more answers."""
    asked = iter(range(count + 1))
    fsm.drive(game, host, until=lambda request: next(asked) == count)
    return game


def alike(one: Game, other: Game, hosts: list[Table]) -> bool:
    """Do two games stand at the same request, and go on alike with their hosts?"""
    same = one.request == other.request and vars(hosts[0]) == vars(hosts[1])
    played(one, hosts[0], 40)
    played(other, hosts[1], 40)
    return same and one.snapshot() == other.snapshot() and vars(hosts[0]) == vars(hosts[1])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def test_a_new_game_does_not_replace_one_that_went_on(file: Path) -> None:
    host = Table()
    with saving(fsm.TurnController("magic", ["Ann", "Ben"]), file, state=host):
        pass
    game = load_game(file, state=host)
    with saving(game, file, state=host):
        played(game, host, 3)
    kept = file.read_bytes()
    with pytest.raises(SnapshotError, match="has a game: load_game goes on with it"):
        saving(fsm.TurnController("magic", ["Ann", "Ben"]), file, state=host)
    assert file.read_bytes() == kept


def test_a_game_killed_at_any_byte_goes_on_from_its_last_whole_answer(file: Path) -> None:
    """Also in the middle of a letter. Before its first line is whole, there is no file."""
    game, host = fsm.TurnController("magic", ["Ann", "Ben"]), Table()
    host.stack.append("Æther Vial")
    points = list[tuple[int, object]]()
    with saving(game, file, state=host):
        points.append((file.stat().st_size, game.request))
        for _ in range(2):
            host.cast += 1
            played(game, host, 1)
            points.append((file.stat().st_size, game.request))
    whole = file.read_bytes()
    for end in [*range(points[0][0], len(whole), amount(5, 1)), len(whole)]:
        file.write_bytes(whole[:end])
        last = [request for size, request in points if size <= end][-1]
        assert load_game(file, state=Table()).request == last
    file.write_bytes(whole[: points[0][0] // 2])
    with pytest.raises(SnapshotError, match="not the file of a game"):
        load_game(file)


def test_what_a_watcher_refuses_is_not_in_the_file(file: Path, game: fsm.TurnController) -> None:
    with saving(game, file):
        with game.watch(lambda answered: 1 / 0), pytest.raises(ZeroDivisionError):
            played(game, Table(), 1)
        played(game, Table(), 2)
        assert load_game(file).request == game.request


def test_a_game_that_is_put_elsewhere_is_saved_from_there(
    file: Path, game: fsm.TurnController
) -> None:
    ahead = game.fork()
    ahead.order(fsm.AddTurn("Ben"))
    with saving(game, file):
        played(game, Table(), 1)
        game.standing = ahead.standing
        played(game, Table(), 1)
    assert load_game(file).snapshot() == game.snapshot()


def test_a_host_is_not_copied_to_be_saved(file: Path) -> None:
    """Its attributes are written when they have changed."""

    class Cards(list[int]):
        def __deepcopy__(self, memo: object) -> None:
            raise AssertionError

    game, again = fsm.TurnController("magic", ["Ann", "Ben"]), StackHost()
    host: Any = StackHost()
    host.deck = Cards(range(200))
    with saving(game, file, state=host):
        sizes = list[int]()
        for _ in range(20):
            played(game, host, 1)
            sizes.append(file.stat().st_size)
        host.deck.pop()
        played(game, host, 1)
    written = [after - before for before, after in pairwise(sizes)]
    assert max(written) < 200 < file.stat().st_size - sizes[-1]
    load_game(file, state=again)
    assert vars(again) == vars(host)


def test_stops_are_saved_with_the_host_that_they_are_for(file: Path) -> None:
    def host() -> Stops:
        return Stops(fsm.load("magic"), ["Ann", "Ben"], Table())

    game, first, again = fsm.TurnController("magic", ["Ann", "Ben"]), host(), host()
    first.sleep("Ben")
    with saving(game, file, state=first):
        played(game, first, 60)
        first.pass_until("Ann", "declare_attackers", "own")
        played(game, first, 60)
    found = load_game(file, state=again)
    assert again.save() == first.save()
    assert vars(again.host) == vars(first.host)
    assert found.request == game.request
    with pytest.raises(HostError, match="not the state of a TimeLimit"):
        load_game(file, state=fsm.aio.TimeLimit(first, lambda r: 1, lambda r: r.quiet()))


NOT_JSON: dict[str, Any] = {
    "a set": ({1, 2}, r"Table\.extra cannot"),
    "no number": (float("nan"), r"Table\.extra"),
    "half a letter": ("\ud800", r"Table\.extra cannot"),
}


def test_undo_and_redo_are_saved(file: Path) -> None:
    host, again = Table(), Table()
    game = fsm.History(fsm.TurnController("magic", ["Ann", "Ben"]), state=host)
    with saving(game, file):
        played(game, host, 30)
        game.undo(12)
        game.redo(2)
        played(game, host, 5)
        game.undo(3)
    found = fsm.History(load_game(file, state=again), state=again)
    assert found.past == game.past
    assert [one.number for one in found.decisions] == [one.number for one in game.decisions]
    assert alike(game, found, [host, again])


def test_what_a_history_takes_over_is_still_saved(file: Path, game: fsm.TurnController) -> None:
    with saving(game, file):
        past = fsm.History(played(game, StackHost(), 10))
        for _ in range(2):
            played(past, StackHost(), 5)
            assert load_game(file).request == past.request
            past.undo(2)


def test_a_long_game_is_written_anew_and_stays_short(file: Path, game: fsm.TurnController) -> None:
    note = "x" * 40_000
    host, again = Table(), Table()
    with saving(game, file, state=host):
        for number in range(60):
            host.stack = [f"{note}{number}"]
            played(game, host, 1)
    assert file.stat().st_size < 1_500_000
    assert alike(game, load_game(file, state=again), [host, again])


@pytest.mark.parametrize(("extra", "says"), NOT_JSON.values(), ids=NOT_JSON)
def test_what_cannot_be_saved_is_not_answered(
    file: Path, extra: object, says: str, game: fsm.TurnController
) -> None:
    host = Table()
    with saving(game, file, state=host):
        request = game.request
        assert not isinstance(request, fsm.Over)
        host.extra = extra  # type: ignore[attr-defined]
        with pytest.raises(HostError, match=says):
            game.answer(request.quiet())
        assert game.request is request
        del host.extra  # type: ignore[attr-defined]
        game.answer(request.quiet())
    assert load_game(file, state=Table()).request == game.request


def test_a_game_of_your_own_needs_its_model(file: Path, magic: Model) -> None:
    own = rulesets.Table("court", Phase("day", Step("levee", Act("dress"))))
    with saving(fsm.TurnController(own, ["Ann", "Ben"]), file):
        pass
    assert load_game(file, own).position.step == "levee"
    with pytest.raises(fsm.FsmError, match="court"):
        load_game(file)
    with pytest.raises(SnapshotError, match="taken with 'court'"):
        load_game(file, magic)


def test_a_file_cannot_name_code(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "harm.py").write_text("import pathlib; pathlib.Path('ran').touch()", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    own = rulesets.Table("harm:MODEL", Phase("day", Step("levee", Act("dress"))))
    with saving(fsm.TurnController(own, ["Ann", "Ben"]), file):
        pass
    with pytest.raises(SnapshotError, match="no built-in ruleset is called 'harm:MODEL'"):
        load_game(file)
    assert not Path("ran").exists()


DAMAGE: dict[str, Any] = {
    "no file": (None, "cannot be read"),
    "another file": (b'{"id": 1}\n', "not the file of a game"),
    "nothing": (b"", "not the file of a game"),
    "no text": (b"\xff\xfe\n", "not the file of a game"),
}


@pytest.mark.parametrize(("data", "says"), DAMAGE.values(), ids=DAMAGE)
def test_what_is_no_game_is_refused(file: Path, data: bytes | None, says: str) -> None:
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(SnapshotError, match=says):
        load_game(file)


def test_a_line_that_was_changed_is_named(file: Path, game: fsm.TurnController) -> None:
    with saving(game, file):
        played(game, Table(), 5)
    lines = file.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b"Answer", b"Answers")
    file.write_bytes(b"\n".join(lines))
    with pytest.raises(SnapshotError, match="line 3: this line has been changed or cut"):
        load_game(file)


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: lines[0].update(format="fsm-history-1"),
        lambda lines: lines[0]["start"].pop("run"),
        lambda lines: lines[0].update(state=5),
        lambda lines: lines.append(
            {"answer": {"is": "Answer", "word": "acted", "facts": {"x": True}}}
        ),
        lambda lines: lines.append({"length": 99}),
        lambda lines: lines.append("Ann"),
    ],
    ids=["format", "no start", "state", "a wrong answer", "many", "no line"],
)
def test_a_file_that_describes_no_game_is_refused(
    damage: Any, file: Path, game: fsm.TurnController
) -> None:
    with saving(game, file):
        played(game, Table(), 5)
    lines = [json.loads(line[9:]) for line in file.read_bytes().splitlines()]
    damage(lines)
    texts = [json.dumps(line).encode() for line in lines]
    file.write_bytes(b"".join(b"%08x %s\n" % (crc32(text), text) for text in texts))
    with pytest.raises(SnapshotError, match=str(file)):
        load_game(file)


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_safely(file, {"turn": 1})
    with pytest.raises(TypeError):
        write_safely(file, {"turn": object()})
    assert json.loads(file.read_text(encoding="utf-8")) == {"turn": 1}
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(OSError, match=r"missing.game\.json"):
        write_safely(tmp_path / "missing" / "game.json", {})
