"""What values look like: short, on one line, and useful. A name, a path or a Table does for a
Model.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fsm
from fsm import Answer, EndTurn, Leave
from fsm.errors import FsmError, RulesetError
from fsm.rulesets import names
from fsm.rulesets.magic import ruleset
from support.playing import until

MAGIC = fsm.load("magic")


def test_a_controller_says_where_it_stands() -> None:
    game = fsm.TurnController(MAGIC, ["Ann", "Ben"])
    until(game, lambda r: r.at.turn == 3 and isinstance(r, fsm.Priority) and r.player == "Ben")
    assert repr(game) == "<TurnController magic, turn 3 of Ann, upkeep: Priority of Ben>"
    assert repr(game.request) == "<turn 3 of Ann, upkeep: Priority of Ben>"
    assert str(game.request) == "turn 3 of Ann, upkeep: Priority of Ben"
    game.order(Leave("Ann"))
    assert repr(game) == "<TurnController magic, turn 3 of Ann, upkeep: Over, won by Ben>"
    assert (
        repr(game.trace)
        == f"<Trace magic of Ann, Ben: {game.number} answers, {len(game.trace.records)} records>"
    )


@pytest.mark.parametrize("name", names())
def test_every_repr_fits_a_line(name: str) -> None:
    model = fsm.load(name)
    assert len(repr(model)) < 80
    assert repr(model).startswith(f"<Model {name}, ")
    game = fsm.TurnController(model, ["Ann", "Ben"])
    for request in game:
        for value in (game, request, game.trace) if game.position.turn == 2 else (game, request):
            assert len(repr(value)) < 120
            assert "\n" not in repr(value)
        game.answer(request.quiet())
        if game.position.turn == 3:
            break


def test_an_answer_shows_what_is_not_usual() -> None:
    assert repr(Answer()) == "Answer('done')"
    assert (
        repr(Answer("passed", {"stack_empty": True})) == "Answer('passed', {'stack_empty': True})"
    )
    assert repr(Answer("acted", {}, (EndTurn(),))) == "Answer('acted', {}, (EndTurn(),))"
    for answer in (Answer("acted", {}, (EndTurn(),)), Answer("done", {}, (), fsm.Signal("x", "A"))):
        assert (
            eval(
                repr(answer),
                vars(fsm) | {"Answer": Answer, "EndTurn": EndTurn, "Signal": fsm.Signal},
            )
            == answer
        )


def test_a_name_a_path_or_a_table_does_for_a_model(tmp_path: Path) -> None:
    file = tmp_path / "magic.json"
    file.write_text(json.dumps(MAGIC.to_json()), encoding="utf-8")
    snapshot = fsm.TurnController(MAGIC, ["A", "B"]).snapshot()
    for like in ("magic", file, str(file), MAGIC):
        game = fsm.TurnController(like, ["A", "B"])
        assert game.model == MAGIC
        assert fsm.TurnController.restore(like, snapshot).request == game.request
        assert fsm.check(like) == []
        assert not fsm.diff(like, MAGIC).transitions
        assert fsm.draw(like, format="mermaid") == fsm.draw(MAGIC, format="mermaid")
    assert fsm.TurnController(ruleset.table(), ["A", "B"]).model == MAGIC
    assert fsm.diff("magic", "magic-2010").transitions


@pytest.mark.parametrize("wrong", [None, 3, [], b"magic"])
def test_what_is_no_model_is_one_clear_sentence(wrong: object) -> None:
    for use in (
        lambda: fsm.TurnController(wrong, ["A", "B"]),  # type: ignore[arg-type]
        lambda: fsm.TurnController.restore(wrong, {}),  # type: ignore[arg-type]
        lambda: fsm.check(wrong),  # type: ignore[arg-type]
        lambda: fsm.draw(wrong),  # type: ignore[call-overload]
        lambda: fsm.diff(wrong, wrong),  # type: ignore[arg-type]
        lambda: fsm.load(wrong),  # type: ignore[arg-type]
    ):
        with pytest.raises(RulesetError, match="name such as 'magic'"):
            use()
    with pytest.raises(FsmError, match="did you mean 'magic'"):
        fsm.TurnController("magik", ["A", "B"])
