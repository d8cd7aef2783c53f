"""Reads scenarios from JSON or TOML, and checks every word against the Model.

    for scenario in fsm.scenarios.load("cases.json"):
        outcome = fsm.scenarios.play(scenario)

What an order may name is found by giving the order. What is wrong is told at once for all
entries of a file. `docs/scenarios.md` describes the format.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from fsm.engine.controller import TurnController
from fsm.engine.semantics import semantics_of
from fsm.errors import FsmError, OrderError, RulesetError, ScenarioError, near_to
from fsm.files import read_data
from fsm.model import Model, State
from fsm.model.model import ModelLike, as_model
from fsm.rulesets import BUILT_IN, load_without_code
from fsm.scenarios.expect import CHECKS, CONTEXT, Entry
from fsm.scenarios.game import VERBS
from fsm.scenarios.magic import COMBAT_DAMAGE
from fsm.scenarios.scenario import (
    Count,
    First,
    Item,
    Name,
    Scenario,
    Shape,
    When,
)
from fsm.scenarios.verbs import (
    CHANGE,
    RESOLVING,
    ByPlayer,
    Rollback,
    Verb,
    VerbRow,
    named,
    order_of,
)
from fsm.scenarios.words import words_of
from fsm.shapes import Shapes, show
from fsm.state.calendar import NO_ENTRIES
from fsm.state.orders import (
    AddPhase,
    AddStep,
    Appoint,
    Order,
    Signal,
    StandingTrigger,
)
from fsm.state.scheduling import Scheduler
from fsm.state.setup import StartAt, first_run

_NEEDS = {CHANGE: "the action day_night", "interdiction": "the fact interdiction_on_stack"}
"""What fields need of a model."""
Players = Annotated[tuple[Name, ...], Meta(min_length=1, extra_json_schema={"uniqueItems": True})]


class Header(Shape, rename={"schema": "$schema"}):
    """A scenario in a file."""

    id: Name = ""
    ruleset: Name = "magic"
    players: Count | None = None
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
    model = None if ruleset is None else as_model(ruleset)
    if data == []:
        raise ScenarioError(f"{place}: the list is empty; write a scenario into it")
    found, problems, file = dict[str, Scenario](), list[FsmError](), Path(place)
    many = isinstance(data, list)
    for i, one in enumerate(data if isinstance(data, list) else [data]):
        own = f"[{i}]" if many else ""
        id = one.get("id", "") if many and isinstance(one, dict) else ""
        reader = Reader(f"{place}: {own} {id}".rstrip(": "), file.parent)
        scenario = reader.read(one, (file.stem or "scenario") + own, model)
        if scenario is not None and found.setdefault(scenario.id, scenario) is not scenario:
            taken = [*found].index(scenario.id)
            reader.place = f"{place}: {own}"
            reader.wrong("id", f"{scenario.id!r} is taken by [{taken}]; ids are unique in a file")
        problems += reader.problems
    if problems:
        raise _all_of(problems)
    return [*found.values()]


def _all_of(problems: Sequence[FsmError]) -> FsmError:
    """Return one error for all problems. It tells the first one."""
    first, texts = problems[0], tuple(map(str, problems))
    if len(texts) > 1:
        first.args = (f"{first} (and {len(texts) - 1} more; `problems` has all)",)
    first.problems = texts
    return first


class Words(NamedTuple):
    """The words that are right in a place, and what a message says around another one."""

    before: str
    after: str
    known: Collection[str]


class Reader(Shapes):
    """Reads one scenario. `problems` has all that is wrong with it."""

    is_unnamed = False

    def __init__(self, place: str, folder: Path) -> None:
        super().__init__(place, ScenarioError)
        self.folder = folder
        self.problems = list[FsmError]()

    def wrong_because(self, where: str, error: FsmError) -> None:
        """Note what the engine finds wrong."""
        text = str(error).removesuffix(f"; {error.remedy}")
        more = {"kind": error.kind, "found": error.found, "known": error.known}
        self.wrong(where, text, remedy=error.remedy, **more)

    def wrong(self, where: str, text: str, **more: Any) -> None:
        """Note what is wrong. It may be the word of another game, if the scenario names none."""
        word = more.get("found")
        if self.is_unnamed and isinstance(word, str) and f" in {self.model.name}" in text:
            others = [load_without_code(name, {}, self.folder) for name in BUILT_IN]
            homes = [other.name for other in others if words_of(other).has(word)]
            if homes and self.model.name not in homes:
                more["remedy"] = f'it is in {homes[0]}: write "ruleset": "{homes[0]}"'
            elif not (homes or near_to(word, more.get("known", ()))):
                text += ", which is played if neither 'ruleset' nor --ruleset names a game"
        self.problems.append(self.problem(where, text, **more))

    def shaped(self, raw: object, kind: type[Struct], where: str, owner: str = "") -> Any:
        """Return a Struct, or None. Then what is wrong is noted."""
        try:
            return self.struct(raw, kind, where, owner)
        except ScenarioError as error:
            self.problems.append(error)
            return None

    # a scenario -----------------------------------------------------------------------------------

    def read(self, data: Any, name: str, model: Model | None) -> Scenario | None:
        """Return a scenario, to be played with this model or with the ruleset that it names."""
        head: Header | None = self.shaped(data, Header, "")
        if head is None:
            return None
        self.is_unnamed = model is None and "ruleset" not in data
        if not self._begins(head, model or self._model(head)):
            return None
        items = [self.item(raw, f"given[{i}]") for i, raw in enumerate(head.given)]
        expect = [self.expectation(raw, f"expect[{i}]") for i, raw in enumerate(head.expect)]
        if self.problems:
            return None
        first = head.start.turn if head.start is not None else 1
        orders = [first - 1 + len(entry.get("turn_order", ())) for entry in expect]
        mentioned = _under(("turn", "to_turn", "on_turns"), [head.given, head.expect])
        return Scenario(
            id=head.id or name,
            ruleset=head.ruleset,
            players=self.players,
            through_turn=head.through_turn or max([first, *orders, *mentioned]),
            given=tuple(filter(None, items)),
            expect=tuple(expect),
            teams=head.teams,
            settings=self.settings,
            start=head.start,
            data=data,
            model=self.model,
        )

    def _model(self, head: Header) -> Model | None:
        try:
            return load_without_code(head.ruleset, head.options, self.folder)
        except FsmError as error:
            of_option = isinstance(error, RulesetError) and error.place
            self.wrong("options" if of_option else "ruleset", str(error))
            return None

    def _begins(self, head: Header, model: Model | None) -> bool:
        """Begin a game, to see whether everything fits the model. Say if it does."""
        self.players = head.turn_order or tuple(map(_letters, range(head.players or 2)))
        self.settings = {**head.settings}
        short = head.first_draw_skipped
        if short is not None and self.settings.setdefault("first_draw_skipped", short) != short:
            self.wrong("first_draw_skipped", "'settings' says the opposite; keep one")
        if head.players not in (None, len(self.players)):
            text = f"it names {len(self.players)} players, but players is {head.players}"
            self.wrong("turn_order", text)
        if model is None:
            return False
        self.model, self.words = model, words_of(model)
        set_up: Any = {"teams": head.teams, "settings": self.settings, "start": head.start}
        try:
            TurnController(model, self.players, **set_up)
        except FsmError as error:
            self.wrong_because(error.place.replace("players", "turn_order"), error)
            return False
        self.run = first_run(model, self.players, head.teams, {})
        made = _under(("id", "triggers_during"), head.given)
        self.right = self._right_words({name for name in made if isinstance(name, str)})
        return True

    # what happens ---------------------------------------------------------------------------------

    def item(self, raw: Mapping[str, Any], where: str, *, nested: bool = False) -> Item | None:
        """Return one entry of `given`, or of a `then` list."""
        before = len(self.problems)
        row = self._row(raw, where, nested=nested)
        written: Any = row and self.shaped(raw, row.shape, where, row.name)
        if row is None or written is None:
            return None
        if nested and "when" in raw:
            self.wrong(f"{where}.when", "this happens with what it is in; leave it out")
        elif not nested and "when" not in raw and (row.at or row.home):
            self.wrong(where, f"{row.name} needs 'when'")
        self._check_fields(row, written, where)
        when = self._moment(row, written, f"{where}.when")
        nested_items = enumerate(getattr(written, "then", ()))
        then = [self.item(one, f"{where}.then[{i}]", nested=True) for i, one in nested_items]
        what = written if isinstance(written, Verb) else order_of(row.kind, written)
        waits_for_change = isinstance(what, StandingTrigger) and what.step == CHANGE
        if not (isinstance(what, Verb | Appoint) or waits_for_change):
            self._try(what, where, opening=not nested and when is None)
        if len(self.problems) > before:
            return None
        during = getattr(written, "triggers_during", ())
        return Item(where, row.name, what, when, tuple(filter(None, then)), written.id, during)

    def _row(self, raw: Mapping[str, Any], where: str, *, nested: bool) -> VerbRow | None:
        """Return the verb of an item."""
        known = [row.name for row in VERBS.values() if row.nested or not nested]
        do = raw.get("do")
        if do is None:
            self.wrong(where, "this needs 'do'")
        elif self._knows(Words("verb", " is unknown", known), do, f"{where}.do"):
            return VERBS[do] if self._check_need(do, VERBS[do].need, f"{where}.do") else None
        return None

    def _check_fields(self, row: VerbRow, written: Any, where: str) -> None:
        """Check what the fields of a verb say together, and the names that no order tries."""
        untried = {"add_turn": ["after"], "withdraw": ["id"]}.get(row.name, [])
        if isinstance(written, Verb) or row.kind is Appoint:
            untried = ["player", "fact", "role"]
        for name in ("when", *untried):
            self._check_names(name, getattr(written, name, ""), f"{where}.{name}")
        self._check_names("in", getattr(written, "within", ""), f"{where}.in")
        if row.kind is AddStep and written.before and written.after != "current_step":
            self.wrong(where, "add_step has both 'after' and 'before'; one is right")
        if row.kind is StandingTrigger:
            if bool(written.step) == written.day_night_change:
                self.wrong(where, f"standing_trigger needs either 'step' or {CHANGE!r}")
            elif written.day_night_change:
                self._check_names("whose", written.whose, f"{where}.whose")
        for field, need in _NEEDS.items():
            if getattr(written, field, False):
                self._check_need(field, need, f"{where}.{field}")
        when = written.when
        if isinstance(written, Rollback) and when is not None and written.to_turn > when.turn:
            text = f"turn {written.to_turn} is still to come in turn {when.turn}"
            self.wrong(f"{where}.to_turn", f"{text}; name that turn or an earlier one")

    def _moment(self, row: VerbRow, written: Any, where: str) -> When | None:
        """Return a moment with its place in the step, which is checked."""
        when: When | None = written.when
        stages = self.words.stages.get(when.step) if when is not None else None
        if when is None or stages is None:
            return when
        text = f" is neither 'begin', 'priority' nor a stage of {when.step}"
        known = Words("stage", text, ("", "begin", "priority", *stages))
        if not self._knows(known, when.at, f"{where}.at"):
            return when
        homes = self.words.actions.get(row.home, {when.step})
        if when.step not in homes:
            text = f"{row.name} belongs to {' or '.join(sorted(homes))}, not to {when.step}"
            self.wrong(f"{where}.step", text)
        at = self._place_of(row, written, when, stages)
        in_window = at == "priority" or (at in stages and stages[at].kind == "window")
        if row.at == RESOLVING and not in_window:
            self.wrong(f"{where}.at", f'{row.name} needs a resolution: write "at": "priority"')
        return replace(when, at=at)

    def _place_of(self, row: VerbRow, written: Any, when: When, stages: Mapping[str, State]) -> str:
        """Return where in its step something happens."""
        own = [id for id, stage in stages.items() if row.home and stage.action == row.home]
        if row.home and when.at not in stages:
            return [*own, "begin"][0]
        declares = self.words.actions.get(f"declare_{getattr(written, 'side', '')}s", ())
        usual = "begin" if when.step in declares else self.words.usually_at(when.step)
        return when.at or ("priority" if isinstance(written, ByPlayer) else usual)

    def _try(self, order: Order, where: str, *, opening: bool) -> None:
        """Give an order, to see which of its words are wrong. A wrong word is replaced by a right
        one, so that the next one is found.
        """
        if isinstance(order, Signal) and order.event == self.model.leaving:
            self.wrong(f"{where}.event", "write player_leaves, which says who leaves")
            return
        names, tried = semantics_of(self.model).names, list[Order]()
        order = named(order, self.players[0])
        while order not in tried:
            tried.append(order)
            scheduler = Scheduler(names, copy(self.run), NO_ENTRIES, self.players)
            try:
                scheduler.give((order,))
            except OrderError as error:
                if error.known or len(tried) == 1:
                    self.wrong_because(where + error.place.partition("]")[2], error)
                for name, word in asdict(order).items() if error.known else ():
                    if word == error.found:
                        order = replace(order, **{name: error.known[0]})
        if opening and len(tried) == 1 and isinstance(order, AddPhase | AddStep):
            for result in scheduler.run.results:
                if result.state == "nothing":
                    remedy = "add a 'when', or name what it comes after"
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
        used = {"note"}
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
        return values

    # words ----------------------------------------------------------------------------------------

    def _right_words(self, made: set[str]) -> dict[str, Words]:
        """Return the words that are right under each key. `made` are the names of what is made."""
        words = self.words
        model, game = f" is not in {self.model.name}", " is not in this game"
        rows = {
            "step steps contains visits": Words("step", model, words.steps),
            "phase phases": Words("phase", model, words.phases),
            "turn_order priority_order winner active controller player players": Words(
                "player", game, self.players
            ),
            "whose": Words("player", game, ("each", *self.players)),
            "fact": Words("fact", model, words.facts),
            "action": Words("action", model, words.actions),
            "tba_order": Words("turn-based action of a step", model, words.ordered_actions),
            "stages": Words("stage", model, words.every_stage),
            "role": Words("role", model, words.roles),
            "trigger effect lore assigns dealt in after id": Words(
                "nothing given has the id", "", made
            ),
            "resolves": Words("nothing given makes the object", "", {COMBAT_DAMAGE, *VERBS, *made}),
        }
        right = dict[str, Words]()
        for keys, row in rows.items():
            right |= dict.fromkeys(keys.split(), row)
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

    def _knows(self, right: Words, word: object, where: str) -> bool:
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


def _letters(index: int) -> str:
    """Return the name of the player in a seat: A to Z, AA and so on."""
    more, letter = divmod(index, len(ascii_uppercase))
    return (_letters(more - 1) if more else "") + ascii_uppercase[letter]
