"""Reads scenarios from JSON or TOML. It fills in defaults and checks every word against the Model.

    for scenario in fsm.scenarios.load("cases.json"):
        outcome = fsm.scenarios.play(scenario)

`docs/scenarios.md` describes the format.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from fsm.engine.controller import TurnController
from fsm.errors import FsmError, RulesetError, ScenarioError, suggest
from fsm.files import read_data
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.rulesets import load_without_code
from fsm.scenarios.expectationchecks import check_expectation
from fsm.scenarios.expectations import CHECKS
from fsm.scenarios.jsonshapes import listed
from fsm.scenarios.modelvocabulary import refusal
from fsm.scenarios.modelwords import ModelWords
from fsm.scenarios.scenario import Expectation, Item, Scenario, When, every_item
from fsm.scenarios.shape import check_shape
from fsm.scenarios.units import PLAYER_ACTIONS
from fsm.scenarios.verbparts import ACTIVE, CHANGE, CURRENT, EVERYONE, Verb, VerbField
from fsm.scenarios.verbs import VERBS
from fsm.scenarios.wordchecks import ANCHORS, WordChecker, wrong_at
from fsm.state.setup import StartAt

_SHORT = "first_draw_skipped"


def load(
    source: str | Path | Mapping[str, Any] | Sequence[Any],
    ruleset: ModelLike | None = None,
    *,
    place: str = "scenario",
) -> list[Scenario]:
    """Read scenarios.

    Parameters
    ----------
    source
        The path of a JSON or TOML file, or plain values: a scenario as a dictionary, or a list of
        them. A scenario names a built-in ruleset, or a model file in the folder of its own file or
        below it.
    ruleset
        A Model, a Table, or any specification that `fsm.load` takes. The scenarios are played with
        it, and what they say of `ruleset` and `options` is ignored.
    place
        The text with which messages about plain values begin. For a file it is the path. Model
        files are searched in the folder of this path.

    Returns
    -------
    list of Scenario
        The scenarios, in order.

    Raises
    ------
    ScenarioError
        If the file cannot be read, or if a scenario is wrong. The message names the place and the
        remedy.
    RulesetError
        If `ruleset` is wrong.
    """
    data: object = source
    if isinstance(source, str | Path):
        place, data = str(source), read_data(Path(source), ScenarioError)
    folder, name = Path(place).parent, Path(place).stem
    model = None if ruleset is None else as_model(ruleset)
    if not isinstance(data, list):
        return [parse(data, place, name or "scenario", folder, model)]
    if not data:
        raise ScenarioError(f"{place}: the list is empty; write a scenario into it")
    found = [
        parse(one, _where(place, i, one), f"{name}[{i}]", folder, model)
        for i, one in enumerate(data)
    ]
    ids: dict[str, int] = {}
    for i, scenario in enumerate(found):
        if scenario.id in ids:
            text = f"{scenario.id!r} is taken by [{ids[scenario.id]}]; ids are unique in a file"
            raise wrong_at(place, f"[{i}].id", text)
        ids[scenario.id] = i
    return found


def _where(place: str, index: int, one: object) -> str:
    id = one.get("id") if isinstance(one, dict) else None
    return f"{place}: [{index}] {id}" if isinstance(id, str) else f"{place}: [{index}]"


def parse(data: Any, place: str, name: str, folder: Path, model: Model | None) -> Scenario:
    """Parse one scenario of a file in this folder, to be played with `model` or with the ruleset
    that it names.

    Raises ScenarioError, which names the place and the remedy.
    """
    check_shape(data, place)
    players = _players(data, place)
    ruleset, options = data.get("ruleset", "magic"), data.get("options", {})
    given, expect = data.get("given", []), data.get("expect", [])
    model = model or _model(ruleset, options, folder, place)
    reader = ScenarioParser(place, ModelWords(model), players)
    first = int(data.get("start", {}).get("turn", 1))
    items = tuple(reader.item(one, f"given[{i}]") for i, one in enumerate(given))
    reader.check_labels(items)
    settings, teams = reader.settings(data), _teams(data, place, players)
    start = _start(data, place, model, players, teams, settings)
    return Scenario(
        id=data.get("id", name),
        ruleset=ruleset,
        players=players,
        through_turn=int(data.get("through_turn", 0))
        or max([first, *_turns(given), *_turns(expect, first - 1)]),
        given=items,
        expect=tuple(
            reader.expectation(one, f"expect[{i}]", items) for i, one in enumerate(expect)
        ),
        options=options,
        teams=teams,
        settings=settings,
        start=start,
        data=data,
        model=model,
    )


def _model(ruleset: str, options: Mapping[str, object], folder: Path, place: str) -> Model:
    try:
        return load_without_code(ruleset, options, folder)
    except FsmError as error:
        key = "options" if isinstance(error, RulesetError) and error.place else "ruleset"
        raise wrong_at(place, key, str(error)) from None


def _players(data: Mapping[str, Any], place: str) -> tuple[str, ...]:
    order = data.get("turn_order")
    count = int(data.get("players", len(order) if order else 2))
    if order and len(order) != count:
        named = f"{len(order)} player{'s' * (len(order) != 1)}"
        raise wrong_at(place, "turn_order", f"it names {named}, but players is {count}")
    return tuple(order or (_letters(i) for i in range(count)))


def _letters(index: int) -> str:
    more, letter = divmod(index, len(ascii_uppercase))
    return (_letters(more - 1) if more else "") + ascii_uppercase[letter]


def _teams(
    data: Mapping[str, Any], place: str, players: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    teams = tuple(tuple(team) for team in data.get("teams", ()))
    seats = [player for team in teams for player in team]
    for i, team in enumerate(teams):
        for j, player in enumerate(team):
            where = f"teams[{i}][{j}]"
            if player not in players:
                raise wrong_at(
                    place,
                    where,
                    f"player {player!r} does not play",
                    kind="unknown-player",
                    found=player,
                    known=players,
                )
            if seats.count(player) > 1:
                raise wrong_at(place, where, f"player {player!r} is in two teams; one is right")
    return teams


def _start(
    data: Mapping[str, Any],
    place: str,
    model: Model,
    players: tuple[str, ...],
    teams: tuple[tuple[str, ...], ...],
    settings: Mapping[str, bool],
) -> StartAt | None:
    """Return where the game starts in the middle. A game is started there, to see whether that is
    possible.
    """
    if "start" not in data:
        return None
    start = StartAt(**{**data["start"], "turn": int(data["start"].get("turn", 1))})
    try:
        TurnController(model, players, teams=teams, settings=settings, start=start)
    except FsmError as error:
        raise wrong_at(place, "start", str(error)) from None
    return start


def _turns(value: object, before: int = 0) -> Iterator[int]:
    """Yield every turn that is mentioned in `given` or `expect`. A turn order begins after the
    turns `before`.
    """
    if isinstance(value, list):
        for part in value:
            yield from _turns(part, before)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key in ("turn", "to_turn") and isinstance(part, int | float):
                yield int(part)
            elif key == "turn_order":
                yield before + len(part)
            elif key == "on_turns":
                yield from map(int, part)
            else:
                yield from _turns(part, before)


class ScenarioParser(WordChecker):
    """Parses the items and expectations of one scenario."""

    def settings(self, data: Mapping[str, Any]) -> dict[str, bool]:
        """Return the settings of the game. `first_draw_skipped` may also stand outside `settings`."""
        known = [setting.name for setting in self.words.model.settings]
        chosen = {f"settings.{name}": value for name, value in data.get("settings", {}).items()}
        if _SHORT in data:
            if data.get("settings", {}).get(_SHORT, data[_SHORT]) != data[_SHORT]:
                self.fail(_SHORT, "'settings' says the opposite; keep one")
            chosen[_SHORT] = data[_SHORT]
        for place in chosen:
            name = place.removeprefix("settings.")
            if name not in known:
                self.fail(
                    place,
                    f"setting {name!r} is not known in {self.words.model.name}; {_remedy(name, known)}",
                )
        return {place.removeprefix("settings."): value for place, value in chosen.items()}

    # items ---------------------------------------------------------------------------------------

    def item(self, data: Mapping[str, Any], where: str) -> Item:
        """Parse one entry of `given`, or of a `then` list."""
        verb = VERBS[data["do"]]
        self._known(verb, where)
        data = {
            **data,
            **{f.name: listed(f.kind.schema, data[f.name]) for f in verb.fields if f.name in data},
        }
        for field in verb.fields:
            if field.name in data:
                self._value(field, data[field.name], f"{where}.{field.name}")
        when = self._when(data["when"], verb, data, where) if "when" in data else None
        self._check_fields(verb, data, when, where)
        fields = {
            f.name: _plain(data.get(f.name, f.default)) for f in verb.fields if f.name != "then"
        }
        then = tuple(
            self.item(one, f"{where}.then[{i}]") for i, one in enumerate(data.get("then", ()))
        )
        return Item(where, verb.name, fields, when, then, data.get("id", ""))

    def check_labels(self, items: tuple[Item, ...]) -> None:
        """Check that something is added with each label that an item is bound to, and has each that
        is withdrawn.
        """
        everything = list(every_item(items))
        added = [word for item in everything for _, word in _words(item, "label")]
        for item in everything:
            for name, word in _words(item, "within"):
                if word not in added:
                    where, text = f"{item.place}.{name}", f"nothing is added with the id {word!r}"
                    self.fail(where, text, kind="unknown-id", found=word, known=added)
            for name, word in _words(item, "known_id"):
                known = [*added, *(id for one in everything for _, id in _words(one, "id"))]
                if word not in known:
                    where, text = f"{item.place}.{name}", f"nothing has the id {word!r}"
                    self.fail(where, text, kind="unknown-id", found=word, known=known)

    def _known(self, verb: Verb, where: str) -> None:
        why = refusal(self.words, *verb.needs)
        if why:
            self.fail(
                f"{where}.do",
                f"{verb.name!r} is not known in {self.words.model.name} ({why}); leave it out",
            )

    def _value(self, field: VerbField, value: Any, where: str) -> None:
        if not self.words.knows(field.kind.needs):
            self.fail(
                where, f"{field.name!r} is not known in {self.words.model.name}; leave it out"
            )
        check = getattr(self, f"check_{field.kind.name}", None)
        if check is not None:
            check(value, where)

    def _when(
        self, when: Mapping[str, Any], verb: Verb, data: Mapping[str, Any], where: str
    ) -> When:
        step, at = when["step"], when.get("at", "")
        self.check_step(step, f"{where}.when.step")
        if at not in ("", "begin", "priority"):
            self.check_stage(at, step, f"{where}.when.at")
        at = self._default_moment(verb, step, at, data)
        window = at == "priority" or (
            at != "begin" and self.words.stages[step][at].kind == "window"
        )
        if verb.at == "priority" and not window:
            self.fail(f"{where}.when.at", f'{verb.name} needs a resolution: write "at": "priority"')
        return When(int(when["turn"]), step, int(when.get("iteration", 1)), at)

    def _default_moment(self, verb: Verb, step: str, at: str, data: Mapping[str, Any]) -> str:
        """Return the default moment in the step."""
        stage = self.words.stages[step].get(at)
        if verb.at == "begin":
            return at if stage is not None and stage.kind == "action" else "begin"
        if verb.name in PLAYER_ACTIONS and at in ("", "begin"):
            return "priority"
        declaration = dict(verb.sides).get(data.get("side", ""), "")
        usual = step in self.words.with_priority and step not in self.words.actions.get(
            declaration, ()
        )
        return at or ("priority" if usual else "begin")

    def _check_fields(
        self, verb: Verb, data: Mapping[str, Any], when: When | None, where: str
    ) -> None:
        """Check what involves several fields."""
        homes = self.words.actions.get(verb.home, frozenset())
        if verb.heard and when and not data.get("card"):
            homes = self.words.hearing(verb.heard)
        if when and homes and when.step not in homes:
            self.fail(
                f"{where}.when.step",
                f"{verb.name} belongs to {' or '.join(sorted(homes))}, not to {when.step}",
            )
        self._check_players(data, where)
        special = getattr(self, f"_special_{verb.name}", None)
        if special is not None:
            special(data, when, where)

    def _special_effect(self, data: Mapping[str, Any], when: When | None, where: str) -> None:
        until = VERBS["effect"].field("until")
        if until is not None and "until" not in data:
            self.check_until(str(until.default), f"{where}.until")

    def _special_add_step(self, data: Mapping[str, Any], when: When | None, where: str) -> None:
        if "after" in data and "before" in data:
            self.fail(where, "add_step has both 'after' and 'before'; one is right")
        anchor = data.get("before", data.get("after", "current_step"))
        if anchor in ANCHORS and when is None and ".then" not in where:
            self.fail(
                where,
                "add_step needs a 'when', or a step's name as 'after' or 'before': before turn 1 no step is current",
            )

    def _special_add_phase(self, data: Mapping[str, Any], when: When | None, where: str) -> None:
        if (
            data.get("after", "current_phase") == "current_phase"
            and when is None
            and ".then" not in where
        ):
            self.fail(
                where,
                "add_phase needs a 'when', or a phase as 'after': before turn 1 no phase is current",
            )

    def _check_players(self, data: Mapping[str, Any], where: str) -> None:
        if "player" in data and "players" in data:
            self.fail(where, f"{data['do']} has both 'player' and 'players'; one is right")

    def _special_player_leaves(
        self, data: Mapping[str, Any], when: When | None, where: str
    ) -> None:
        if "player" not in data and "players" not in data:
            self.fail(where, "player_leaves needs either 'player' or 'players'")

    def _special_standing_trigger(
        self, data: Mapping[str, Any], when: When | None, where: str
    ) -> None:
        if ("step" in data) == (CHANGE in data):
            self.fail(where, f"standing_trigger needs either 'step' or {CHANGE!r}")

    def _special_rollback(self, data: Mapping[str, Any], when: When | None, where: str) -> None:
        if when and data["to_turn"] > when.turn:
            self.fail(
                f"{where}.to_turn",
                f"turn {data['to_turn']} is still to come in turn {when.turn}; name that turn or an earlier one",
            )

    # expectations ---------------------------------------------------------------------------------

    def expectation(
        self, data: Mapping[str, Any], where: str, given: tuple[Item, ...]
    ) -> Expectation:
        """Parse one entry of `expect`."""
        data = {
            name: listed(CHECKS[name].schema, value) if name in CHECKS else value
            for name, value in data.items()
        }
        check_expectation(self, data, where, given)
        return Expectation(where, data)


def _words(item: Item, kind: str) -> Iterator[tuple[str, str]]:
    """Yield the names and the values of the fields of this kind that an item has."""
    for field in VERBS[item.do].fields:
        if field.kind.name == kind and item[field.name]:
            yield field.name, item[field.name]


def _remedy(name: str, known: list[str]) -> str:
    """Return the remedy for a setting that the ruleset does not have."""
    said = suggest(name, known)
    return said.removeprefix("; ") if said else "leave it out"


def _plain(value: Any) -> Any:
    """Convert 2.0 from JSON to 2, and a missing field to "", for which the game uses the default."""
    if value is ACTIVE or value is CURRENT or value is EVERYONE:
        return ""
    if isinstance(value, float):
        return int(value)
    return tuple(value) if isinstance(value, list) else value
