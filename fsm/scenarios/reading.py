"""Reads scenarios from JSON or TOML, and checks every word against the Model.

    for scenario in fsm.scenarios.load("cases.json"):
        outcome = fsm.scenarios.play(scenario)

What an order may name is found by giving the order. All that is wrong in a file is told at once.
`docs/scenarios.md` describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from string import ascii_uppercase
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import asdict

from fsm.engine.controller import TurnController
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
    Names,
    Scenario,
    Shape,
    SomeNames,
    When,
    every_item,
)
from fsm.scenarios.verbs import (
    CHANGE,
    ByPlayer,
    Field,
    Rollback,
    Verb,
    VerbRow,
    fields_of,
    named,
    order_of,
)
from fsm.scenarios.words import words_of
from fsm.state.calendar import NO_ENTRIES
from fsm.state.orders import AddPhase, AddStep, Appoint, Order, Signal
from fsm.state.run import Run
from fsm.state.scheduling import Scheduler
from fsm.state.setup import StartAt, first_run

Players = Annotated[tuple[Name, ...], Meta(min_length=1, extra_json_schema={"uniqueItems": True})]


class Header(Shape, frozen=True, rename={"schema": "$schema"}):
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


class Common(Shape, frozen=True):
    """What every item of `given` may have."""

    do: Any = None
    note: Any = None
    id: Name = ""
    when: When | None = None


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
    name, several = Path(place).stem or "scenario", isinstance(data, list)
    readers = list[Reader]()
    for i, one in enumerate(data if isinstance(data, list) else [data]):
        id = one.get("id") if isinstance(one, dict) else None
        own = f": [{i}] {id}" if isinstance(id, str) else f": [{i}]"
        reader = Reader(place + own * several, Path(place).parent)
        reader.read(one, f"{name}[{i}]" if several else name, model)
        readers.append(reader)
    problems = [problem for reader in readers for problem in reader.problems]
    found = [reader.scenario for reader in readers if reader.scenario is not None]
    ids = [scenario.id for scenario in found]
    for i, id in enumerate(ids):
        if not problems and ids.index(id) < i:
            text = f"{id!r} is taken by [{ids.index(id)}]; ids are unique in a file"
            problems.append(wrong_at(place, f"[{i}].id", text))
    if problems:
        raise _all(problems)
    return found


def wrong_at(place: str, where: str, text: str, **more: Any) -> ScenarioError:
    """Return the error for this place in the scenario that messages call `place`."""
    full = f"{place}: {where}: {text}" if where else f"{place}: {text}"
    return ScenarioError(full, place=where, **more)


def _all(problems: Sequence[ScenarioError]) -> ScenarioError:
    """Return one error for all problems. It tells the first one."""
    first, texts = problems[0], [str(problem) for problem in problems]
    if len(texts) > 1:
        first.args = (f"{first} (and {len(texts) - 1} more; `problems` has all)",)
    first.problems = tuple(texts)
    return first


class Reader:
    """Reads one scenario.

    Attributes
    ----------
    problems
        All that is wrong with it.
    scenario
        The scenario, or None if something is wrong with it.
    """

    def __init__(self, place: str, folder: Path) -> None:
        self.place, self.folder = place, folder
        self.problems = list[ScenarioError]()
        self.scenario: Scenario | None = None

    def wrong(self, where: str, text: str, **more: Any) -> None:
        """Note what is wrong at this place."""
        self.problems.append(wrong_at(self.place, where, text, **more))

    def wrong_because(self, where: str, error: FsmError) -> None:
        """Note what the engine finds wrong."""
        text = str(error).removesuffix(f"; {error.remedy}")
        more = {"kind": error.kind, "found": error.found, "known": error.known}
        self.wrong(where, text, remedy=error.remedy, **more)

    # a scenario -----------------------------------------------------------------------------------

    def read(self, data: object, name: str, model: Model | None) -> None:
        """Read a scenario, to be played with this model or with the ruleset that it names."""
        head = self._header(data)
        if head is None or not isinstance(data, dict):
            return
        self.players = head.turn_order or tuple(map(_letters, range(head.players)))
        named = model or self._model(head)
        if named is None:
            return
        settings = self._settings(head)
        self.words, self.model = words_of(named), named
        run = self._first_run(head, settings)
        start = self._start(head, settings) if run is not None else None
        if run is None:
            return
        self.run = run
        items = [self.item(raw, f"given[{i}]") for i, raw in enumerate(head.given)]
        given = tuple(item for item in items if item is not None)
        self._check_labels(given)
        names = self._names_in_expect(given)
        expect = [self.expectation(raw, f"expect[{i}]", names) for i, raw in enumerate(head.expect)]
        if self.problems:
            return
        first = start.turn if start is not None else 1
        last = max([first, *_turns(head.given), *_turns(head.expect, first - 1)])
        self.scenario = Scenario(
            id=head.id or name,
            ruleset=head.ruleset,
            players=self.players,
            through_turn=head.through_turn if "through_turn" in data else last,
            given=given,
            expect=tuple(expect),
            teams=head.teams,
            settings=settings,
            start=start,
            data=data,
            model=named,
        )

    def _header(self, data: object) -> Header | None:
        values = self.values(fields_of(Header), data, "", "")
        if values is None:
            return None
        head = Header(**values)
        if head.turn_order:
            count, named = values.get("players", len(head.turn_order)), len(head.turn_order)
            if len({*head.turn_order}) != named:
                text = f"a name is there twice in {show(list(head.turn_order))}"
                self.wrong("turn_order", f"{text}; names are unique")
            elif count != named:
                players = f"{named} player{'s' * (named != 1)}"
                self.wrong("turn_order", f"it names {players}, but players is {count}")
        return None if self.problems else head

    def _model(self, head: Header) -> Model | None:
        try:
            return load_without_code(head.ruleset, head.options, self.folder)
        except FsmError as error:
            of_option = isinstance(error, RulesetError) and error.place
            self.wrong("options" if of_option else "ruleset", str(error))
            return None

    def _settings(self, head: Header) -> Mapping[str, bool]:
        """Return the settings of the game. `first_draw_skipped` may also stand outside `settings`."""
        short = head.first_draw_skipped
        if short is None:
            return head.settings
        if head.settings.get("first_draw_skipped", short) != short:
            self.wrong("first_draw_skipped", "'settings' says the opposite; keep one")
        return {**head.settings, "first_draw_skipped": short}

    def _first_run(self, head: Header, settings: Mapping[str, bool]) -> Run | None:
        """Return the run of the game at its beginning, or None if it cannot begin."""
        try:
            run = first_run(self.model, self.players, head.teams, {})
        except FsmError as error:
            self.wrong_because("teams", error)
            return None
        for name, value in settings.items():
            try:
                first_run(self.model, self.players, head.teams, {name: value})
            except FsmError as error:
                here = f"settings.{name}" if name in head.settings else name
                self.wrong_because(here, error)
        return run

    def _start(self, head: Header, settings: Mapping[str, bool]) -> StartAt | None:
        """Return where the game starts in the middle. A game is started there, to see whether that
        is possible.
        """
        if head.start is not None and not self.problems:
            try:
                TurnController(
                    self.model,
                    self.players,
                    teams=head.teams,
                    settings=settings,
                    start=head.start,
                )
            except FsmError as error:
                self.wrong("start", str(error))
        return head.start

    # what happens ---------------------------------------------------------------------------------

    def item(self, raw: Mapping[str, Any], where: str, *, nested: bool = False) -> Item | None:
        """Read one entry of `given`, or of a `then` list."""
        do, known = raw.get("do"), [name for name, row in VERBS.items() if row.nested or not nested]
        if "do" not in raw:
            self.wrong(where, "this needs 'do'")
            return None
        if do not in known:
            text = f"verb {show(do)} is unknown"
            more = {"found": do, "known": known, "limit": 0}
            self.wrong(f"{where}.do", text, kind="unknown-verb", **more)
            return None
        row, before = VERBS[do], len(self.problems)
        self._check_needs(row.needs, {**raw, "": do}, f"{where}.do", where)
        rows = {**fields_of(Common), **row.fields}
        if nested:
            del rows["when"]
        elif not row.opening:
            rows["when"] = rows["when"]._replace(default=NODEFAULT)
        values = self.values(rows, raw, where, do)
        if values is None:
            return None
        when = values.pop("when", None)
        if when is not None:
            when = self._moment(when, do, values, f"{where}.when")
        then = [
            self.item(one, f"{where}.then[{i}]", nested=True)
            for i, one in enumerate(values.pop("then", ()))
        ]
        what = self._what(do, row, values, when, where)
        if isinstance(what, Verb | Appoint):
            self._check_names("", what, where, self._players_and_facts())
        elif what is not None:
            self._try(what, where, opening=not nested and when is None)
        if what is None or len(self.problems) > before:
            return None
        during = values.get("triggers_during", ())
        items = tuple(one for one in then if one is not None)
        return Item(where, do, what, when, items, raw.get("id", ""), during)

    def _check_needs(
        self, needs: Mapping[str, str], given: Mapping[str, Any], place: str, where: str
    ) -> None:
        """Check that the model has what a verb or a check needs, or a field of it."""
        for name, need in needs.items():
            why = self.words.lacks(need) if name in given else ""
            if why:
                here = f"{where}.{name}" if name else place
                text = f"{name or given['']!r} is not known in {self.model.name} ({why})"
                self.wrong(here, text, remedy="leave it out")

    def _what(
        self, do: str, row: VerbRow, values: dict[str, Any], when: When | None, where: str
    ) -> Order | Verb | None:
        """Return what a verb does, with these fields."""
        common = {"do", "note", *(("id",) if "id" not in row.fields else ())}
        values = {name: value for name, value in values.items() if name not in common}
        if do == "standing_trigger":
            step, change = values.get("step", ""), values.get(CHANGE, False)
            if bool(step) == change:
                self.wrong(where, f"standing_trigger needs either 'step' or {CHANGE!r}")
                return None
            if change or step == CHANGE:
                self._check_needs({"": "the action day_night"}, {"": CHANGE}, where, where)
                kept = ("id", "whose", "limit")
                return DayNightTrigger(**{k: v for k, v in values.items() if k in kept})
        if do == "add_step" and "after" in values and "before" in values:
            self.wrong(where, "add_step has both 'after' and 'before'; one is right")
            return None
        if not issubclass(row.kind, Verb):
            return order_of(row.kind, values)
        what: Verb = row.kind(**values)
        if isinstance(what, Rollback) and when is not None and what.to_turn > when.turn:
            text = f"turn {what.to_turn} is still to come in turn {when.turn}"
            self.wrong(f"{where}.to_turn", f"{text}; name that turn or an earlier one")
        return what

    def _moment(self, when: When, do: str, values: Mapping[str, Any], where: str) -> When:
        """Return a moment with its place in the step, which is checked."""
        row, step, at = VERBS[do], when.step, when.at
        if step not in self.words.steps:
            self._unknown("step", step, f"{where}.step", self.words.steps)
            return when
        stages = self.words.stages[step]
        if at not in ("", "begin", "priority", *stages):
            text = f"{at!r} is neither 'begin', 'priority' nor a stage of {step}"
            known = ("begin", "priority", *stages)
            self.wrong(f"{where}.at", text, kind="unknown-stage", found=at, known=known)
            return when
        homes = self.words.actions.get(row.home, ())
        if homes and step not in homes:
            text = f"{do} belongs to {' or '.join(sorted(homes))}, not to {step}"
            self.wrong(f"{where}.step", text)
        if row.at == "begin":
            at = at if at in stages and stages[at].kind == "action" else "begin"
        elif issubclass(row.kind, ByPlayer) and at in ("", "begin"):
            at = "priority"
        elif not at:
            declares = f"declare_{values.get('side')}s"
            declared = step in self.words.actions.get(declares, ())
            at = "begin" if declared else self.words.usually_at(step)
        if row.at == "priority" and not self.words.is_window(step, at):
            self.wrong(f"{where}.at", f'{do} needs a resolution: write "at": "priority"')
        return msgspec.structs.replace(when, at=at)

    def _try(self, order: Order, where: str, *, opening: bool) -> None:
        """Give an order, to see which of its words are wrong. A wrong word is replaced by a right
        one, so that the next one is found.
        """
        if isinstance(order, Signal) and order.event == self.model.leaving:
            self.wrong(f"{where}.event", "write player_leaves, which says who leaves")
            return
        order, right = named(order, self.players[0]), True
        while True:
            scheduler = Scheduler(self.model, copy(self.run), NO_ENTRIES, self.players)
            try:
                scheduler.give((order,))
                break
            except OrderError as error:
                if right or error.known:
                    self.wrong_because(where + error.place.partition("]")[2], error)
                right, mended = False, _mended(order, error)
                if mended == order:
                    break
                order = mended
        if opening and right and isinstance(order, AddPhase | AddStep):
            result = scheduler.run.results[-1]
            if result.state == "nothing":
                remedy = "add a 'when', or name what it comes after"
                self.wrong(where, f"before turn 1 {result.why}", remedy=remedy)

    def _check_labels(self, items: tuple[Item, ...]) -> None:
        """Check that something is added with each label that an item is bound to, and has each that
        is withdrawn.
        """
        everything = list(every_item(items))
        ids = {item.name for item in everything if item.name and item.do != "withdraw"}
        adding = ("add_turn", "add_phase", "add_step")
        added = {item.name for item in everything if item.name and item.do in adding}
        for item in everything:
            bound = {"in": getattr(item.what, "within", "")}
            if item.do == "add_turn":
                bound["after"] = item.what.after  # type: ignore[union-attr]
            known, what = added, "nothing is added with"
            if item.do == "withdraw":
                bound, known, what = {"id": item.name}, ids, "nothing has"
            for name, word in bound.items():
                if word and word not in known:
                    more = {"found": word, "known": known}
                    text = f"{what} the id {word!r}"
                    self.wrong(f"{item.place}.{name}", text, kind="unknown-id", **more)

    # what must hold -------------------------------------------------------------------------------

    def expectation(
        self, raw: Mapping[str, Any], where: str, names: Mapping[str, Known]
    ) -> Expectation:
        """Read one entry of `expect`."""
        rows = {"note": Field("note", Any, None)}
        rows |= {name: Field(name, kind, None) for name, kind in CONTEXT.items()}
        rows |= {name: Field(name, check.kind, None) for name, check in CHECKS.items()}
        values = self.values(rows, raw, where, "") or {}
        checks = [CHECKS[name] for name in raw if name in CHECKS]
        if not checks and len(values) == len(raw):
            self.wrong(where, f"this entry checks nothing; add one of {', '.join(CHECKS)}")
        used = set[str]()
        for check in checks:
            used.update(check.beside, check.may)
            missing = [repr(name) for name in check.beside if name not in raw]
            if missing:
                self.wrong(where, f"{check.name!r} needs {' and '.join(missing)} beside it")
            self._check_needs({check.name: check.needs}, raw, where, where)
        for name in raw:
            if checks and name in CONTEXT and name not in used:
                beside = ", ".join(check.name for check in checks)
                text = f"{name!r} says nothing beside {beside}; leave it out"
                self.wrong(f"{where}.{name}", text)
        for name, value in values.items():
            self._check_names(name, value, f"{where}.{name}", names)
        return Expectation(where, values)

    def _players_and_facts(self) -> dict[str, Known]:
        """Return what verbs may name."""
        return {
            "player": ("player", self.players),
            "whose": ("player", ("each", *self.players)),
            "fact": ("fact", tuple(self.words.facts)),
        }

    def _names_in_expect(self, given: tuple[Item, ...]) -> dict[str, Known]:
        """Return what entries of `expect` may name, by their keys."""
        words, steps = self.words, ("step", tuple(self.words.steps))
        players, phases = ("player", self.players), ("phase", words.phases)
        names: dict[str, Known] = {
            **dict.fromkeys(("step", "steps", "contains", "visits"), steps),
            **dict.fromkeys(("phase", "phases"), phases),
            **dict.fromkeys(("turn_order", "priority_order", "winner", "active"), players),
            **dict.fromkeys(("controller", "player", "players"), players),
            "action": ("action", tuple(words.actions)),
            "tba_order": ("turn-based action of a step", words.ordered_actions),
            "stages": ("stage", tuple(words.every_stage)),
        }
        if self.problems:  # what a wrong item would make is not known
            return names
        items = list(every_item(given))
        during = [id for item in items for id in item.during]
        for key, makers in MAKERS.items():
            made = [item.name for item in items if item.do in makers]
            names[key] = _MADE + key, (*made, *(during if key == "trigger" else ()))
        creatures = [item.name for item in items if item.do == "combatant"]
        names |= dict.fromkeys(("assigns", "dealt"), (f"{_MADE}creature", tuple(creatures)))
        objects = [*during, *(item.do for item in items), *(item.name for item in items)]
        if not words.lacks("the action put_damage_on_stack"):
            objects.append(COMBAT_DAMAGE)
        names["resolves"] = f"{_MADE}object", tuple(filter(None, objects))
        return names

    # words and values -----------------------------------------------------------------------------

    def _check_names(
        self, name: str, value: object, where: str, names: Mapping[str, Known]
    ) -> None:
        """Check the names in a value, which stands under this key."""
        if isinstance(value, Struct):
            for field, part in asdict(value).items():
                if part != "":
                    self._check_names(field, part, f"{where}.{field}", names)
        elif isinstance(value, tuple):
            for i, part in enumerate(value):
                self._check_names(name, part, f"{where}[{i}]", names)
        elif isinstance(value, dict):
            for word in value:
                self._check_names(name, word, f"{where}.{word}", names)
        elif isinstance(value, str) and name in names:
            kind, known = names[name]
            if value not in known:
                self._unknown(kind, value, where, known)

    def _unknown(
        self, kind: str, word: str, where: str, known: Sequence[str] | Mapping[str, Any]
    ) -> None:
        home = "this game" if kind == "player" else self.model.name
        text = f"{kind} {word!r} is not in {home}"
        if kind.startswith(_MADE):
            text = f"{kind} {word!r}"
        more = {"found": word, "known": known, "limit": 20}
        self.wrong(where, text, kind=f"unknown-{kind.split()[-1]}", **more)

    def values(
        self, rows: Mapping[str, Field], raw: object, where: str, owner: str
    ) -> dict[str, Any] | None:
        """Return the values of an object by their attributes, without those that are wrong.

        `owner` is the verb whose fields they are, or "". If something is missing, it is None.
        """
        if not isinstance(raw, dict):
            self.wrong(where, f"{show(raw)} is not an object")
            return None
        found, wrong = dict[str, Any](), list[str]()
        missing = [name for name, field in rows.items() if field.default is NODEFAULT]
        missing = [repr(name) for name in missing if name not in raw]
        if missing:
            self.wrong(where, f"{owner or 'this'} needs {' and '.join(missing)}")
        for name, value in raw.items():
            before = len(self.problems)
            if name not in rows:
                known_to = f"a field of {owner}" if owner else "known here"
                more = {"found": name, "known": rows, "limit": 30}
                self.wrong(where, f"{show(name)} is not {known_to}", kind="unknown-field", **more)
                continue
            place = f"{where}.{name}" if where else name
            held = self.value(value, rows[name].kind, place)
            if len(self.problems) == before:
                found[rows[name].name] = held
            elif rows[name].default is NODEFAULT:
                wrong.append(name)
        return None if missing or wrong else found

    def value(self, raw: object, kind: Any, where: str) -> Any:
        """Return a value of this type. If it is none, note what is wrong in it."""
        if isinstance(raw, str) and kind in (Names, SomeNames):
            raw = [raw]
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            before = len(self.problems)
            self._look_inside(raw, kind, where)
            if len(self.problems) == before:
                self.wrong(where, _sentence(str(error), raw, kind))
            return None

    def _look_inside(self, raw: object, kind: Any, where: str) -> None:
        """Note what is wrong in the parts of a value."""
        for one in _alternatives(kind):
            origin, args = get_origin(one), get_args(one)
            if isinstance(raw, dict) and isinstance(one, type) and issubclass(one, Struct):
                self.values(fields_of(one), raw, where, "")
            elif isinstance(raw, list) and origin is tuple:
                for i, part in enumerate(raw):
                    self.value(part, args[0], f"{where}[{i}]")
            elif isinstance(raw, dict) and origin in (dict, Mapping):
                for key, part in raw.items():
                    self.value(part, args[1], f"{where}.{key}")


Known = tuple[str, Sequence[str]]
"""What a word names, and the words that are right."""
_MADE = "nothing given makes the "


def _mended(order: Order, error: OrderError) -> Order:
    """Return the order with a right word in place of the one that is not known."""
    wrong, right = error.found, (*error.known, error.found)[0]
    changes = dict[str, Any]()
    for name, value in asdict(order).items():
        if value == wrong:
            changes[name] = right
        elif isinstance(value, tuple) and wrong in value:
            changes[name] = tuple(right if one == wrong else one for one in value)
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


# messages -----------------------------------------------------------------------------------------

_TYPES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_EMPTY = {
    "array": "the list is empty; name at least one",
    "object": "the object is empty; name at least one",
    "str": "the text is empty",
}
_EXPECTED = re.compile(r"Expected `([^`]+)`( of length)?(?: ([<>])= (\d+))?")


def _sentence(error: str, raw: object, kind: Any) -> str:
    """Say what is wrong with a value, instead of what msgspec says."""
    found = _EXPECTED.match(error)
    if found is None:
        known = [word for one in _alternatives(kind) for word in get_args(one)]
        named = [word for word in known if isinstance(word, str) and word]
        return f"{show(raw)} is unknown; known: {', '.join(named)}"
    expected, of_length, more, bound = found.groups()
    if of_length:
        return _EMPTY[expected] if more == ">" else f"the list is too long; at most {bound}"
    if bound:
        size = "small; at least" if more == ">" else "large; at most"
        return f"{show(raw)} is too {size} {bound}"
    right = [_TYPES[one] for one in expected.split(" | ") if one in _TYPES]
    return f"{show(raw)} is not {' or '.join(right)}"


def _alternatives(kind: Any) -> Iterator[Any]:
    """Yield the types of which a value may be, without what limits them."""
    origin, args = get_origin(kind), get_args(kind)
    if origin not in (Annotated, Union, UnionType):
        yield kind
    else:
        for one in args[:1] if origin is Annotated else args:
            yield from _alternatives(one)


def show(value: object) -> str:
    """Return a value as an error shows it, shortened."""
    if value is None or isinstance(value, bool):
        return {True: "true", False: "false", None: "null"}[value]
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
