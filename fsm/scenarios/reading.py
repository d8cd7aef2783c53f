"""Reads scenarios from JSON or TOML, and checks every word against the Model.

    for scenario in fsm.scenarios.load("cases.json"):
        outcome = fsm.scenarios.play(scenario)

What an order may name is found by giving the order. All that is wrong in a file is told at once.
`docs/scenarios.md` describes the format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any

import msgspec
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import asdict

from fsm.engine.controller import TurnController
from fsm.engine.semantics import semantics_of
from fsm.errors import FsmError, OrderError, RulesetError, ScenarioError
from fsm.files import read_data
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.rulesets import load_without_code
from fsm.scenarios.expect import CHECKS, CONTEXT, MAKERS
from fsm.scenarios.game import VERBS
from fsm.scenarios.magic import COMBAT_DAMAGE, DayNightTrigger
from fsm.scenarios.scenario import (
    Count,
    Expectation,
    First,
    Item,
    Name,
    Scenario,
    Shape,
    When,
    every_item,
)
from fsm.scenarios.verbs import (
    CHANGE,
    ByPlayer,
    Cast,
    Rollback,
    Verb,
    VerbRow,
    fields_of,
    named,
    order_of,
)
from fsm.scenarios.words import words_of
from fsm.shapes import Field, Shapes, all_of, show
from fsm.state.calendar import NO_ENTRIES
from fsm.state.orders import AddPhase, AddStep, AddTurn, Appoint, Order, Signal, Withdraw
from fsm.state.scheduling import Scheduler
from fsm.state.setup import StartAt, first_run

Players = Annotated[tuple[Name, ...], Meta(min_length=1, extra_json_schema={"uniqueItems": True})]


class Header(Shape, rename={"schema": "$schema"}):
    """A scenario in a file."""

    id: Name = ""
    ruleset: Name = "magic"
    players: Count = 2
    turn_order: Players = ()
    options: Mapping[str, bool | str | int | float] = {}
    teams: tuple[Players, ...] = ()
    settings: Mapping[str, bool] = {}
    first_draw_skipped: bool | None = None
    through_turn: First = 1
    start: StartAt | None = None
    given: tuple[dict[str, Any], ...] = ()
    expect: tuple[dict[str, Any], ...] = ()
    needs: Any = None
    source: Any = None
    rule: Any = None
    note: Any = None
    schema: str = ""


class Common(Shape):
    """What every item of `given` may have."""

    do: Any = None
    note: Any = None
    id: Name = ""
    when: When | None = None


ENTRY = {
    "note": Field("note", Any, None),
    **{name: Field(name, kind, None) for name, kind in CONTEXT.items()},
    **{name: Field(name, check.kind, None) for name, check in CHECKS.items()},
}
"""The keys of an entry of `expect`."""
_OF_THE_GAME = ["ruleset", "players", "turn_order", "options", "teams", "settings", "start"]
"""The keys without which nothing else can be checked."""
_MADE = "nothing given makes the "


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
    model = None if ruleset is None else as_model(ruleset)
    if data == []:
        raise ScenarioError(f"{place}: the list is empty; write a scenario into it")
    found, problems, ids = list[Scenario](), list[FsmError](), list[str]()
    name = Path(place).stem or "scenario"
    for i, one in enumerate(data if isinstance(data, list) else [data]):
        where = own = ""
        if isinstance(data, list):
            where = f": [{i}]"
            own = f"[{i}]"
            if isinstance(one, dict) and isinstance(one.get("id"), str):
                where += f" {one['id']}"
        reader = Reader(place + where, Path(place).parent)
        scenario = reader.read(one, name + own, model)
        problems += reader.problems
        if scenario is not None:
            if scenario.id in ids:
                text = f"{place}: [{i}].id: {scenario.id!r} is taken by [{ids.index(scenario.id)}]"
                problems.append(ScenarioError(f"{text}; ids are unique in a file", place="id"))
            found.append(scenario)
            ids.append(scenario.id)
    if problems:
        raise all_of(problems)
    return found


class Reader(Shapes):
    """Reads one scenario. `problems` has all that is wrong with it."""

    def __init__(self, place: str, folder: Path) -> None:
        super().__init__(place, ScenarioError)
        self.folder = folder

    def wrong_because(self, where: str, error: FsmError) -> None:
        """Note what the engine finds wrong."""
        text = str(error).removesuffix(f"; {error.remedy}")
        more = {"kind": error.kind, "found": error.found, "known": error.known}
        self.wrong(where, text, remedy=error.remedy, **more)

    # a scenario -----------------------------------------------------------------------------------

    def read(self, data: object, name: str, model: Model | None) -> Scenario | None:
        """Return a scenario, to be played with this model or with the ruleset that it names."""
        values = self.values(fields_of(Header), data, "")
        if values is None or not isinstance(data, dict):
            return None
        if any(key in data and key not in values for key in _OF_THE_GAME):
            return None
        head = Header(**values)
        self.players = head.turn_order or tuple(map(_letters, range(head.players)))
        settings = {**head.settings}
        if head.first_draw_skipped is not None:
            usual = settings.setdefault("first_draw_skipped", head.first_draw_skipped)
            if usual != head.first_draw_skipped:
                self.wrong("first_draw_skipped", "'settings' says the opposite; keep one")
        found = model or self._model(head)
        if found is None or not self._begins(found, head, values, settings):
            return None
        items = [self.item(raw, f"given[{i}]") for i, raw in enumerate(head.given)]
        given = tuple(item for item in items if item is not None)
        self._check_labels(given)
        if not self.problems:  # else it is not known what a wrong item would make
            self._note_what_is_made([*every_item(given)])
        entries = enumerate(head.expect)
        expect = tuple(self.expectation(raw, f"expect[{i}]") for i, raw in entries)
        if self.problems:
            return None
        first = head.start.turn if head.start is not None else 1
        last = max([first, *_turns(head.given), *_turns(head.expect, first - 1)])
        return Scenario(
            id=head.id or name,
            ruleset=head.ruleset,
            players=self.players,
            through_turn=values.get("through_turn", last),
            given=given,
            expect=expect,
            teams=head.teams,
            settings=settings,
            start=head.start,
            data=data,
            model=found,
        )

    def _model(self, head: Header) -> Model | None:
        try:
            return load_without_code(head.ruleset, head.options, self.folder)
        except FsmError as error:
            of_option = isinstance(error, RulesetError) and error.place
            self.wrong("options" if of_option else "ruleset", str(error))
            return None

    def _begins(
        self,
        model: Model,
        head: Header,
        values: Mapping[str, Any],
        settings: Mapping[str, bool],
    ) -> bool:
        """Begin a game, to see whether everything fits the model. Say if it does."""
        count = values.get("players", len(self.players))
        if len(self.players) != count:
            text = f"it names {len(self.players)} players, but players is {count}"
            self.wrong("turn_order", text)
        tried = dict[str, Any]()
        parts = {"turn_order": (), "teams": head.teams, "settings": settings, "start": head.start}
        for part, value in parts.items():
            if value:
                tried[part] = value
            try:
                TurnController(model, self.players, **tried)
            except FsmError as error:
                of_setting = f".{error.found}" if part == "settings" and error.found else ""
                self.wrong_because(part + of_setting, error)
                return False
        self.model, self.words = model, words_of(model)
        self.run = first_run(model, self.players, head.teams, {})
        self.names = self._names()
        return True

    # what happens ---------------------------------------------------------------------------------

    def item(self, raw: Mapping[str, Any], where: str, *, nested: bool = False) -> Item | None:
        """Return one entry of `given`, or of a `then` list."""
        do, before = self._verb(raw, where, nested=nested), len(self.problems)
        row = VERBS.get(do)
        values = self._fields(do, raw, where, nested=nested) if do else None
        if row is None or values is None:
            return None
        when = values.pop("when", None)
        if when is not None:
            when = self._moment(when, do, values, f"{where}.when")
        then = list[Item | None]()
        for i, one in enumerate(values.pop("then", ())):
            then.append(self.item(one, f"{where}.then[{i}]", nested=True))
        what = self._what(do, row, values, where)
        checked = len(self.problems)
        if isinstance(what, Verb | Appoint):
            self._check_names("", what, where)
        sure = isinstance(what, Appoint) and what.role in self.words.phase_roles
        sure = sure or len(self.problems) > checked
        if not (what is None or isinstance(what, Verb) or sure):
            self._try(what, where, opening=not nested and when is None)
        if isinstance(what, Rollback) and when is not None and what.to_turn > when.turn:
            text = f"turn {what.to_turn} is still to come in turn {when.turn}"
            self.wrong(f"{where}.to_turn", f"{text}; name that turn or an earlier one")
        if what is None or len(self.problems) > before:
            return None
        items = tuple(filter(None, then))
        during = values.get("triggers_during", ())
        return Item(where, do, what, when, items, raw.get("id", ""), during)

    def _verb(self, raw: Mapping[str, Any], where: str, *, nested: bool) -> str:
        """Return the verb of an item, or ""."""
        known = [name for name, row in VERBS.items() if row.nested or not nested]
        do = raw.get("do")
        if "do" not in raw:
            self.wrong(where, "this needs 'do'")
        elif do not in known:
            more = {"kind": "unknown-verb", "found": do, "known": known, "limit": 0}
            self.wrong(f"{where}.do", f"verb {show(do)} is unknown", **more)
        return do if isinstance(do, str) and do in known else ""

    def _fields(
        self, do: str, raw: Mapping[str, Any], where: str, *, nested: bool
    ) -> dict[str, Any] | None:
        """Return the fields of an item, or None if something is missing."""
        row = VERBS[do]
        self._check_need(do, row.needs, f"{where}.do")
        rows = {**fields_of(Common), **row.fields}
        if nested:
            del rows["when"]
        elif not row.opening:
            rows["when"] = rows["when"]._replace(default=NODEFAULT)
        return self.values(rows, raw, where, do)

    def _what(
        self, do: str, row: VerbRow, values: dict[str, Any], where: str
    ) -> Order | Verb | None:
        """Return what a verb does, with these fields."""
        common = {"do", "note", "id"} - row.fields.keys()
        values = {name: value for name, value in values.items() if name not in common}
        if do == "standing_trigger":
            step, change = values.get("step", ""), values.get(CHANGE, False)
            if bool(step) == change:
                self.wrong(where, f"standing_trigger needs either 'step' or {CHANGE!r}")
                return None
            if change or step == CHANGE:
                self._check_need(CHANGE, "the action day_night", where)
                kept = {"id", "whose", "limit"} & values.keys()
                return DayNightTrigger(**{name: values[name] for name in kept})
        if do == "add_step" and {"after", "before"} <= values.keys():
            self.wrong(where, "add_step has both 'after' and 'before'; one is right")
            return None
        if not issubclass(row.kind, Verb):
            return order_of(row.kind, values)
        what: Verb = row.kind(**values)
        if isinstance(what, Cast) and what.interdiction:
            place = f"{where}.interdiction"
            self._check_need("interdiction", "the fact interdiction_on_stack", place)
        return what

    def _moment(self, when: When, do: str, values: Mapping[str, Any], where: str) -> When:
        """Return a moment with its place in the step, which is checked."""
        row, step, at = VERBS[do], when.step, when.at
        before = len(self.problems)
        self._check_names("step", step, f"{where}.step")
        if len(self.problems) > before:
            return when
        stages, homes = self.words.stages[step], self.words.actions.get(row.home, ())
        known = ("begin", "priority", *stages)
        if at not in ("", *known):
            text = f"{at!r} is neither 'begin', 'priority' nor a stage of {step}"
            self.wrong(f"{where}.at", text, kind="unknown-stage", found=at, known=known)
            return when
        if homes and step not in homes:
            text = f"{do} belongs to {' or '.join(sorted(homes))}, not to {step}"
            self.wrong(f"{where}.step", text)
        if row.at == "begin":
            at = at if at in stages and stages[at].kind == "action" else "begin"
        elif issubclass(row.kind, ByPlayer) and at in ("", "begin"):
            at = "priority"
        elif not at:
            declared = self.words.actions.get(f"declare_{values.get('side')}s", ())
            at = "begin" if step in declared else self.words.usually_at(step)
        in_window = at == "priority" or (at in stages and stages[at].kind == "window")
        if row.at == "priority" and not in_window:
            self.wrong(f"{where}.at", f'{do} needs a resolution: write "at": "priority"')
        return msgspec.structs.replace(when, at=at)

    def _try(self, order: Order, where: str, *, opening: bool) -> None:
        """Give an order, to see which of its words are wrong. A wrong word is replaced by a right
        one, so that the next one is found.
        """
        if isinstance(order, Signal) and order.event == self.model.leaving:
            self.wrong(f"{where}.event", "write player_leaves, which says who leaves")
            return
        order, tried = named(order, self.players[0]), list[Order]()
        while order not in tried:
            tried.append(order)
            scheduler = Scheduler(
                semantics_of(self.model).names, copy(self.run), NO_ENTRIES, self.players
            )
            try:
                scheduler.give((order,))
            except OrderError as error:
                if error.known or len(tried) == 1:
                    self.wrong_because(where + error.place.partition("]")[2], error)
                order = _mended(order, error)
        if opening and len(tried) == 1 and isinstance(order, AddPhase | AddStep):
            for result in scheduler.run.results:
                if result.state == "nothing":
                    remedy = "add a 'when', or name what it comes after"
                    self.wrong(where, f"before turn 1 {result.why}", remedy=remedy)

    def _check_labels(self, items: tuple[Item, ...]) -> None:
        """Check that something is added with each label that an item is bound to, and has each that
        is withdrawn.
        """
        ids, added = set[str](), set[str]()
        for item in every_item(items):
            if not isinstance(item.what, Withdraw):
                ids.add(item.name)
            if isinstance(item.what, AddTurn | AddPhase | AddStep):
                added.add(item.name)
        for item in every_item(items):
            what, place = item.what, item.place
            self._check_id(getattr(what, "within", ""), added, "added with", f"{place}.in")
            if isinstance(what, AddTurn):
                self._check_id(what.after, added, "added with", f"{place}.after")
            elif isinstance(what, Withdraw):
                self._check_id(what.id, ids, "called by", f"{place}.id")

    def _check_id(self, id: str, known: set[str], how: str, where: str) -> None:
        if id and id not in known:
            text = f"nothing is {how} the id {id!r}"
            self.wrong(where, text, kind="unknown-id", found=id, known=known - {""})

    # what must hold -------------------------------------------------------------------------------

    def expectation(self, raw: Mapping[str, Any], where: str) -> Expectation:
        """Return one entry of `expect`."""
        values = self.values(ENTRY, raw, where) or {}
        names, used = [name for name in raw if name in CHECKS], set[str]()
        if not names and len(values) == len(raw):
            self.wrong(where, f"this entry checks nothing; add one of {', '.join(CHECKS)}")
        for name in names:
            check = CHECKS[name]
            used.update(check.beside, check.may)
            missing = [repr(key) for key in check.beside if key not in raw]
            if missing:
                self.wrong(where, f"{name!r} needs {' and '.join(missing)} beside it")
            self._check_need(name, check.needs, f"{where}.{name}")
        for name, value in values.items():
            if names and name in CONTEXT and name not in used:
                text = f"{name!r} says nothing beside {', '.join(names)}; leave it out"
                self.wrong(f"{where}.{name}", text)
            self._check_names(name, value, f"{where}.{name}")
        return Expectation(where, values)

    # words ----------------------------------------------------------------------------------------

    def _names(self) -> dict[str, tuple[str, Iterable[str]]]:
        """Return what keys may name: what it is, and the words that are right."""
        words = self.words
        kinds: dict[str, tuple[str, Iterable[str]]] = {
            "step steps contains visits": ("step", words.steps),
            "phase phases": ("phase", words.phases),
            "turn_order priority_order winner active controller player players": (
                "player",
                self.players,
            ),
            "whose": ("player", ("each", *self.players)),
            "fact": ("fact", words.facts),
            "action": ("action", words.actions),
            "tba_order": ("turn-based action of a step", words.ordered_actions),
            "stages": ("stage", words.every_stage),
            "role": ("role", words.roles),
        }
        return {key: kind for keys, kind in kinds.items() for key in keys.split()}

    def _note_what_is_made(self, items: list[Item]) -> None:
        """Note the names of what the items make, which `expect` may name."""
        during = [id for item in items for id in item.during]
        for key, makers in MAKERS.items():
            made = [item.name for item in items if item.do in makers]
            self.names[key] = _MADE + key, made + during * (key == "trigger")
        creatures = _MADE + "creature", [item.name for item in items if item.do == "combatant"]
        self.names |= {"assigns": creatures, "dealt": creatures}
        objects = [*during, *(item.do for item in items), *(item.name for item in items)]
        if not self.words.lacks("the action put_damage_on_stack"):
            objects.append(COMBAT_DAMAGE)
        self.names["resolves"] = _MADE + "object", [*filter(None, objects)]

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
        elif isinstance(value, str) and value and key in self.names:
            kind, known = self.names[key]
            if value not in known:
                home = "this game" if kind == "player" else self.model.name
                text = f"{kind} {value!r}"
                more = {"found": value, "known": known, "limit": 20}
                text = text if kind.startswith(_MADE) else f"{text} is not in {home}"
                self.wrong(where, text, kind=f"unknown-{kind.split()[-1]}", **more)

    def _check_need(self, name: str, need: str, where: str) -> None:
        """Check that the model has what a verb, a field or a check needs."""
        why = self.words.lacks(need)
        if why:
            text = f"{name!r} is not known in {self.model.name} ({why})"
            self.wrong(where, text, remedy="leave it out")


def _mended(order: Order, error: OrderError) -> Order:
    """Return the order with a right word in place of the one that is not known."""
    changes = dict[str, Any]()
    for name, value in asdict(order).items():
        if error.known and value == error.found:
            changes[name] = error.known[0]
    return msgspec.structs.replace(order, **changes)


def _letters(index: int) -> str:
    """Return the name of the player in a seat: A to Z, AA and so on."""
    more, letter = divmod(index, len(ascii_uppercase))
    return (_letters(more - 1) if more else "") + ascii_uppercase[letter]


def _turns(value: object, before: int = 0) -> Iterator[int]:
    """Yield every turn that is mentioned in `given` or `expect`. A turn order begins after the
    turns `before`.
    """
    if isinstance(value, list | tuple):
        for part in value:
            yield from _turns(part, before)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key in ("turn", "to_turn"):
                yield part
            elif key == "turn_order":
                yield before + len(part)
            elif key == "on_turns":
                yield from part
            else:
                yield from _turns(part, before)
