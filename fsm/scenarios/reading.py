"""Reads scenarios from JSON or TOML, and checks every word against the Model.

    for scenario in fsm.scenarios.load("cases.json"):
        outcome = fsm.scenarios.play(scenario)

What an order may name is found by giving the order. What is wrong is told at once for all entries
of a file. `docs/scenarios.md` describes the format, `fsm/schemas/scenario.schema.json` is its
schema.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from fsm.engine.controller import TurnController
from fsm.engine.semantics import semantics_of
from fsm.errors import FsmError, OrderError, RulesetError, ScenarioError
from fsm.files import Shapes, read_data, show
from fsm.model import Model, State
from fsm.model.model import ModelLike, as_model
from fsm.rulesets import load_without_code
from fsm.runs.turns import turn_based
from fsm.scenarios.expect import CHECKS, Check, Entry
from fsm.scenarios.rulebooks import COMBAT_DAMAGE, VERBS
from fsm.scenarios.scenario import (
    CHANGE,
    RESOLVING,
    ByPlayer,
    First,
    Item,
    Name,
    Scenario,
    Shape,
    Verb,
    VerbRow,
    When,
    named,
    order_of,
    words_of,
)
from fsm.state.calendar import NO_ENTRIES
from fsm.state.orders import AddPhase, AddStep, AddTurn, Appoint, Order, StandingTrigger
from fsm.state.run import StartAt, first_run
from fsm.state.scheduling import Scheduler

Players = Annotated[tuple[Name, ...], Meta(min_length=1, extra_json_schema={"uniqueItems": True})]


class Header(Shape, rename={"schema": "$schema"}):
    """A scenario in a file."""

    id: Name = ""
    ruleset: Name = "magic"
    players: Annotated[int, Meta(ge=1, le=len(ascii_uppercase))] | None = None
    turn_order: Players = ()
    options: Mapping[str, bool | str | int | float] = {}
    teams: tuple[Players, ...] = ()
    settings: Mapping[str, bool] = {}
    first_draw_skipped: bool | None = None
    through_turn: First | None = None
    start: StartAt | None = None
    given: tuple[dict[str, Any], ...] = ()
    expect: tuple[dict[str, Any], ...] = ()
    needs: Any = None
    source: Any = None
    rule: Any = None
    note: Any = None
    schema: str = ""


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
        remedy of what is wrong first, and `problems` has all that is wrong.
    RulesetError
        If `ruleset` is wrong.
    """
    data: object = source
    if isinstance(source, str | Path):
        place, data = str(source), read_data(Path(source), ScenarioError)
    if data == []:
        raise ScenarioError(f"{place}: the list is empty; write a scenario into it")
    model = None if ruleset is None else as_model(ruleset)
    found, wrong = dict[str, Scenario](), list[FsmError]()
    many = data if isinstance(data, list) else [data]
    for number, one in enumerate(many):
        reader = Reader(place, f"[{number}]" if many is data else "", one)
        try:
            scenario = reader.read(model)
        except ScenarioError as error:
            wrong += [*reader.problems, error]
            continue
        if scenario.id in found:
            text = f"{scenario.id!r} is taken; ids are unique in a file"
            wrong.append(reader.problem("id", text))
        found[scenario.id] = scenario
    if wrong:
        raise _all_of(wrong)
    return [*found.values()]


def _all_of(problems: Sequence[FsmError]) -> FsmError:
    """Return one error for all problems. It tells the first one."""
    first, texts = problems[0], tuple(map(str, problems))
    if len(texts) > 1:
        first.args = (f"{first} (and {len(texts) - 1} more; `problems` has all)",)
    first.problems = texts
    return first


class Right(NamedTuple):
    """The words that are right in a place, and what a message says around another one."""

    before: str
    after: str
    known: Collection[str]


class Reader(Shapes):
    """Reads one scenario of a file. `problems` has what is wrong with its entries."""

    def __init__(self, place: str, index: str, data: Any) -> None:
        id = data.get("id", "") if index and isinstance(data, dict) else ""
        super().__init__(f"{place}: {index} {id}".rstrip(": "), ScenarioError)
        self.file, self.index, self.data = Path(place), index, data
        self.problems = list[FsmError]()

    def wrong(self, where: str, text: str, **more: Any) -> None:
        """Note what is wrong at this place."""
        self.problems.append(self.problem(where, text, **more))

    def because(self, where: str, error: FsmError) -> FsmError:
        """Return the error for what the engine finds wrong at this place."""
        text = str(error).removesuffix(f"; {error.remedy}")
        more = {"kind": error.kind, "found": error.found, "known": error.known}
        return self.problem(where, text, remedy=error.remedy, **more)

    def shaped(self, raw: object, kind: type[Struct], where: str) -> Any:
        """Return a Struct, or None. Then what is wrong is noted."""
        try:
            return self.value(raw, kind, where)
        except ScenarioError as error:
            self.problems.append(error)
            return None

    # a scenario -----------------------------------------------------------------------------------

    def read(self, model: Model | None) -> Scenario:
        """Return a scenario, to be played with this model or with the ruleset that it names.

        Raises ScenarioError for what was noted last, or for what is wrong before the entries.
        """
        head: Header = self.value(self.data, Header, "")
        self._begin(head, model or self._model(head))
        items = [self.item(raw, f"given[{i}]") for i, raw in enumerate(head.given)]
        expect = [self.expectation(raw, f"expect[{i}]") for i, raw in enumerate(head.expect)]
        if self.problems:
            raise self.problems.pop()
        return Scenario(
            id=head.id or (self.file.stem or "scenario") + self.index,
            players=self.players,
            through_turn=head.through_turn or _last_turn(head),
            given=tuple(filter(None, items)),
            expect=tuple(expect),
            teams=head.teams,
            settings=self.settings,
            start=head.start,
            data=self.data,
            model=self.model,
        )

    def _model(self, head: Header) -> Model:
        try:
            return load_without_code(head.ruleset, head.options, self.file.parent)
        except FsmError as error:
            of_option = isinstance(error, RulesetError) and error.place
            raise self.problem("options" if of_option else "ruleset", str(error)) from None

    def _begin(self, head: Header, model: Model) -> None:
        """Begin a game, to see whether everything fits the model."""
        self.players = head.turn_order or tuple(ascii_uppercase[: head.players or 2])
        self.settings = {**head.settings}
        if head.first_draw_skipped is not None:
            self.settings["first_draw_skipped"] = head.first_draw_skipped
        if head.players not in (None, len(self.players)):
            text = f"it names {len(self.players)} players, but players is {head.players}"
            raise self.problem("turn_order", text)
        set_up: Any = {"teams": head.teams, "settings": self.settings, "start": head.start}
        try:
            TurnController(model, self.players, **set_up)
        except FsmError as error:
            raise self.because(error.place.replace("players", "turn_order"), error) from None
        self.model, self.words = model, words_of(model)
        self.run = first_run(model, self.players, head.teams, {})
        made = _under(("id", "triggers_during"), head.given)
        self.right = self._right_words({name for name in made if isinstance(name, str)})

    # what happens ---------------------------------------------------------------------------------

    def item(self, raw: Mapping[str, Any], where: str, *, nested: bool = False) -> Item | None:
        """Return one entry of `given`, or of a `then` list."""
        row = self._row(raw, where, nested=nested)
        written: Any = row and self.shaped(raw, row.shape, where)
        if row is None or written is None:
            return None
        self._check_fields(row, written, where, nested=nested)
        what = written if isinstance(written, Verb) else order_of(row.kind, written)
        when = self._moment(row, written, f"{where}.when")
        then = [
            self.item(one, f"{where}.then[{i}]", nested=True)
            for i, one in enumerate(getattr(written, "then", ()))
        ]
        if isinstance(what, StandingTrigger) and what.step == CHANGE:
            self._check_need(CHANGE, "the action day_night", f"{where}.step")
            self._try(replace(what, step=next(iter(self.words.steps))), where)
        elif not isinstance(what, Verb | Appoint):
            self._try(what, where, opening=not nested and when is None)
        during = getattr(written, "triggers_during", ())
        return Item(where, row.name, what, when, tuple(filter(None, then)), written.id, during)

    def _row(self, raw: Mapping[str, Any], where: str, *, nested: bool) -> VerbRow | None:
        """Return the verb of an item."""
        known = [row.name for row in VERBS.values() if row.nested or not nested]
        do = raw.get("do")
        if do is None:
            self.wrong(where, "this needs 'do'")
        elif self._knows(Right("verb", " is unknown", known), do, f"{where}.do"):
            return VERBS[do] if self._check_need(do, VERBS[do].needs, f"{where}.do") else None
        return None

    def _check_fields(self, row: VerbRow, written: Any, where: str, *, nested: bool) -> None:
        """Check what the fields of a verb say together, and the names that no order tries."""
        for name in _untried(row):
            self._check_names(name, getattr(written, name, ""), f"{where}.{name}")
        self._check_names("in", getattr(written, "within", ""), f"{where}.in")
        when: When | None = written.when
        if nested and when is not None:
            self.wrong(f"{where}.when", "this happens with what it is in; leave it out")
        elif not nested and when is None and (row.at or row.home):
            self.wrong(where, f"{row.name} needs 'when'")

    def _moment(self, row: VerbRow, written: Any, where: str) -> When | None:
        """Return a moment with its place in the step, which is checked."""
        when: When | None = written.when
        stages = self.words.stages.get(when.step) if when is not None else None
        if when is None or stages is None:
            return when
        text = f" is neither 'begin', 'priority' nor a stage of {when.step}"
        self._knows(
            Right("stage", text, ("", "begin", "priority", *stages)), when.at, f"{where}.at"
        )
        at = self._place_of(row, written, when, stages)
        if row.home and at not in stages:
            text = f"{row.name} belongs to a step with {row.home}, not to {when.step}"
            self.wrong(f"{where}.step", text)
        in_window = at == "priority" or (at in stages and stages[at].kind == "window")
        if row.at == RESOLVING and not in_window:
            self.wrong(f"{where}.at", f'{row.name} needs a resolution: write "at": "priority"')
        return replace(when, at=at)

    def _place_of(self, row: VerbRow, written: Any, when: When, stages: Mapping[str, State]) -> str:
        """Return where in its step something happens."""
        for id, stage in stages.items() if when.at not in stages else ():
            if row.home and stage.action == row.home:
                return id
        declared = when.step == f"declare_{getattr(written, 'side', '')}s"
        usual = "begin" if declared else self.words.usually_at(when.step)
        return when.at or ("priority" if isinstance(written, ByPlayer) else usual)

    def _try(self, order: Order, where: str, *, opening: bool = False, again: bool = False) -> None:
        """Give an order, to see which of its words are wrong. A wrong word is replaced by a right
        one, so that the next one is found when it is given again.
        """
        order, names = named(order, self.players[0]), semantics_of(self.model).names
        scheduler = Scheduler(names, copy(self.run), NO_ENTRIES, self.players)
        try:
            scheduler.give((order,))
        except OrderError as error:
            if error.known or not again:
                self.problems.append(self.because(where + error.place.partition("]")[2], error))
            words = asdict(order).items() if error.known else ()
            right = {name: error.known[0] for name, word in words if word == error.found}
            if right:
                self._try(replace(order, **right), where, again=True)
            return
        if opening and isinstance(order, AddPhase | AddStep):
            [result] = scheduler.run.results
            remedy = "add a 'when', or name what it comes after"
            if result.state == "nothing":
                self.wrong(where, f"before turn 1 {result.why}", remedy=remedy)

    # what must hold -------------------------------------------------------------------------------

    def expectation(self, raw: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        """Return one entry of `expect`."""
        entry = self.shaped(raw, Entry, where)
        if entry is None:
            return {}
        values = {key: getattr(entry, key) for key in raw if key in Entry.__struct_fields__}
        names = [name for name in values if name in CHECKS]
        if not names:
            self.wrong(where, f"this entry checks nothing; add one of {', '.join(CHECKS)}")
        for name in names:
            missing = [repr(key) for key in CHECKS[name].beside if key not in raw]
            if missing:
                self.wrong(where, f"{name!r} needs {' and '.join(missing)} beside it")
            self._check_need(name, CHECKS[name].needs, f"{where}.{name}")
        for name, value in values.items():
            self._check_names(name, value, f"{where}.{name}")
        return values

    # words ----------------------------------------------------------------------------------------

    def _right_words(self, made: set[str]) -> dict[str, Right]:
        """Return the words that are right under each key. `made` are the names of what is made."""
        words, model = self.words, self.model
        of_model, of_game = f" is not in {model.name}", " is not in this game"
        actions = [model.state(id).action for id in turn_based(model)]
        players = Right("player", of_game, self.players)
        rows = {
            "step steps contains visits": Right("step", of_model, words.steps),
            "phase phases": Right("phase", of_model, [one.name for one in model.of_kind("phase")]),
            "turn_order priority_order winner active controller player players": players,
            "fact": Right("fact", of_model, words.facts),
            "action": Right("action", of_model, words.actions),
            "tba_order": Right("turn-based action of a step", of_model, actions),
            "stages": Right("stage", of_model, words.every_stage),
            "role": Right("role", of_model, words.roles),
            "trigger effect lore assigns dealt in after": Right(
                "nothing given has the id", "", made
            ),
            "resolves": Right("nothing given makes the object", "", {COMBAT_DAMAGE, *VERBS, *made}),
        }
        right = dict[str, Right]()
        for keys, one in rows.items():
            right |= dict.fromkeys(keys.split(), one)
        return right

    def _check_names(self, key: str, value: object, where: str) -> None:
        """Check the names in a value, which stands under this key."""
        if isinstance(value, Struct):
            for field, part in asdict(value).items():
                self._check_names(field, part, f"{where}.{field}")
        elif isinstance(value, tuple):
            for i, part in enumerate(value):
                self._check_names(key, part, f"{where}[{i}]")
        elif isinstance(value, dict):
            for word in value:
                self._check_names(key, word, f"{where}.{word}")
        elif isinstance(value, str) and value and key in self.right:
            self._knows(self.right[key], value, where)

    def _knows(self, right: Right, word: object, where: str) -> bool:
        """Check that a word is one of the right ones. Say if it is."""
        if word in right.known:
            return True
        kind = f"unknown-{right.before.split()[-1]}"
        more = {"kind": kind, "found": word, "known": right.known}
        self.wrong(where, f"{right.before} {show(word)}{right.after}", **more)
        return False

    def _check_need(self, name: str, need: str, where: str) -> bool:
        """Check that the model has what a verb, a field or a check needs. Say if it has."""
        why = self.words.lacks(need)
        if why:
            text = f"{name!r} is not known in {self.model.name} ({why})"
            more = {"kind": "unknown-need", "found": need.split()[-1]}
            self.wrong(where, text, remedy="leave it out", **more)
        return not why


def _untried(row: VerbRow) -> tuple[str, ...]:
    """Return the fields of a verb with names that no order tries."""
    if row.kind is AddTurn:
        return "when", "after"
    if issubclass(row.kind, Verb) or row.kind is Appoint:
        return "when", "player", "fact", "role"
    return ("when",)


def _last_turn(head: Header) -> int:
    """Return the number of the last turn that a scenario mentions."""
    first = head.start.turn if head.start is not None else 1
    turns: list[int] = [first, *_under(("turn", "to_turn", "on_turns"), [head.given, head.expect])]
    turns += [first - 1 + len(entry.get("turn_order", ())) for entry in head.expect]
    return max(turns)


def _under(keys: Collection[str], value: object, key: str = "") -> Iterator[Any]:
    """Yield what stands under these keys at any depth of a value, which stands under this key."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _under(keys, part, name)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _under(keys, part, key)
    elif key in keys:
        yield value


# for documents and editors ------------------------------------------------------------------------


def refused(model: Model) -> dict[str, str]:
    """Return the verbs and expectations that a Model does not know, with the reasons."""
    words = words_of(model)
    every: dict[str, VerbRow | Check] = {**VERBS, **CHECKS}
    found = {name: words.lacks(one.needs) for name, one in every.items()}
    return {name: why for name, why in found.items() if why}


SAID: dict[str, object] = {
    "type": "string",
    "description": "The schema that this file follows, for editors.",
}
"""What the schemas of files allow as `$schema`."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of scenario files as plain JSON values."""
    shapes = [*(row.shape for row in VERBS.values()), Entry, Header]
    _, parts = msgspec.json.schema_components(shapes, ref_template="#/$defs/{name}")
    scenario = parts["scenario"] = parts.pop("Header")
    parts["given"] = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in VERBS]}
    for name in ("given", "expect"):
        scenario["properties"][name]["items"] = {"$ref": f"#/$defs/{name}"}
    scenario["properties"]["$schema"] = SAID
    one = {"$ref": "#/$defs/scenario"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:turn-fsm:scenario-1",
        "title": "A scenario of a game's turn flow, or a list of scenarios",
        "anyOf": [one, {"type": "array", "items": one}],
        "$defs": parts,
    }
