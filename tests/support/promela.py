"""Exports a Model within bounds to Promela for Spin: turn, window, agenda, the game around them,
and LTL properties.

The primitives are written again in Promela, so the results of Spin do not depend on the Python code
of this package. The ids of occurrences are reused when nothing refers to them, so that the number
of positions is finite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fsm.analysis.modelchecking.bounds import Bounds, within
from fsm.analysis.modelchecking.candidateorders import KINDS, candidate_orders, kind_of, start_of
from fsm.analysis.modelchecking.eventmatching import BEGINS
from fsm.analysis.modelchecking.stepping import Stepper, words_of
from fsm.model import Action, Fact, Model, State, Transition
from fsm.rulesets.properties import AnyEvent, Property, PropertyEvent, Safe
from fsm.state.orders import AddPhase, AddStep, AddTurn, Order, SkipPhase, SkipStep, SkipTurn
from support.promela_parts import DECLARATIONS, PRIMITIVES

NONE = 0
LEVELS = {"turn": 1, "phase": 2, "step": 3}


def write(
    model: Model,
    bounds: Bounds,
    properties: Sequence[Property],
    orders: Sequence[Order] | None = None,
) -> str:
    """Return a Promela model with one named `ltl` claim for each property, and `never_stuck`."""
    return (
        "\n".join(_PromelaWriter(within(model, bounds), bounds, properties, orders).lines()) + "\n"
    )


def claim_of(property: Property) -> str:
    """Return the name of a property's claim."""
    return "p_" + re.sub(r"\W+", "_", property.name).strip("_")


class _PromelaWriter:
    def __init__(
        self,
        model: Model,
        bounds: Bounds,
        properties: Sequence[Property],
        orders: Sequence[Order] | None,
    ) -> None:
        self.model, self.bounds = model, bounds
        names = tuple(dict.fromkeys(s.name for s in model.of_kind("step")))
        self.properties = [one for p in properties for one in p.of(names)]
        self.stepper = Stepper(model, bounds)
        self.orders = candidate_orders(model, bounds) if orders is None else tuple(orders)
        self.machines = [
            (n, m) for n, m in (("turn", model), ("window", model.window)) if m is not None
        ]
        self.words: dict[str, int] = {"": NONE}
        self.states = {(n, s.id): i for n, m in self.machines for i, s in enumerate(m.leaves, 1)}
        rows = [(n, row) for n, m in self.machines for row in m.transitions]
        self.rows = {(n, row.id): i for i, (n, row) in enumerate(rows, 1)}
        self.first_order = len(rows) + 1
        facts = {f.name: f for _, m in self.machines for f in m.facts}
        self.latched = [f for f in facts.values() if f.timing == "latched"]
        self.reported = [f for f in facts.values() if f.owner == "game" and f.timing != "latched"]
        self.begun = list(
            dict.fromkeys(f.test[1:] for f in facts.values() if f.test[:1] == ("begun",))
        )
        self.missed = list(
            dict.fromkeys(f.test[1] for f in facts.values() if f.test[:1] == ("missed",))
        )
        self.tallies = list(
            dict.fromkeys(f.test[1] for f in facts.values() if f.test[:1] == ("tallied",))
        )
        self.settings = start_of(model, bounds).settings

    def word(self, name: str) -> int:
        """Return the number of a name."""
        return self.words.setdefault(name, len(self.words))

    def lines(self) -> Iterator[str]:
        body = list(self._process())
        claims = list(self._claims())
        yield f"/* {self.model.name}, within {self.bounds} */"
        yield f"c_decl {{\n#define PLAYERS {self.bounds.players}\n}};"
        yield f"#define PLAYERS {self.bounds.players}\n#define TURNS {self.bounds.turns}"
        yield f"#define EXTRAS {2 * self.bounds.pending + 1}\n#define SKIPS {3 * self.bounds.pending + 1}"
        yield f"#define EXTRA_TURNS {self.bounds.pending + 1}\n#define RETURNS {self.bounds.pending + 3}"
        yield DECLARATIONS
        yield from (f"byte latched_{f.name};" for f in self.latched)
        yield from (f"byte told_{f.name}; /* 0 not told, 1 no, 2 yes */" for f in self.reported)
        yield from (f"byte begun_{i};" for i in range(len(self.begun)))
        yield from (f"byte missed_{i};" for i in range(len(self.missed)))
        yield from (f"byte tally_{i};" for i in range(len(self.tallies)))
        yield PRIMITIVES
        yield from self._forgetting()
        yield from body
        yield from claims

    # inlines that depend on the model -------------------------------------------------------------

    def _forgetting(self) -> Iterator[str]:
        turn = [
            f"now.{kind}_{i} = 0;"
            for kind, found in (
                ("begun", self.begun),
                ("missed", self.missed),
                ("tally", self.tallies),
            )
            for i in range(len(found))
        ]
        resets = [f"now.told_{f.name} = 0;" for f in self.reported]
        yield "c_code {\n" + f"static void forget_turn(void) {{ {' '.join(turn)} }}"
        yield f"static void forget_told(void) {{ {' '.join(resets)} }}" + "\n}"

    # the process ----------------------------------------------------------------------------------

    def _process(self) -> Iterator[str]:
        turn, window = self.states["turn", self.model.initial], self.model.window
        yield f"active proctype game() {{\n  atomic {{ st = {turn}; goto onward }};"
        yield "wait:\n  atomic {\n  c_code { nothing_seen(); forget_told(); now.quiet = 1; now.signal = 0; };\n  if"
        for name, machine in self.machines:
            for state in machine.leaves:
                if state.kind == "action":
                    yield from self._waiting(name, state)
        yield "  fi };"
        yield "fire:\n  atomic { if"
        for name, machine in self.machines:
            for state in machine.leaves:
                for event in machine.events_at(state.id):
                    if event != machine.leaving:
                        yield from self._firing(name, machine, state, event)
        yield "  :: else -> goto dead\n  fi };"
        # a claim sees what has fired only between two atomic blocks
        yield "fired:\n  atomic { if\n  :: signal -> goto signalled\n  :: else -> goto onward\n  fi;"
        yield from self._signalled()
        yield from self._onward(window)
        yield "  };\nbeyond:\n  atomic { over = 1; c_code { nothing_seen(); }; goto end_all };"
        yield "dead:\n  atomic { stuck = 1; over = 1; c_code { nothing_seen(); } };"
        yield "end_all:\n  skip\n}"

    def _event(self, name: str) -> int:
        return {"done": 1, "closed": 2, "acted": 3, "passed": 4}.get(
            name
        ) or 5 + self.stepper.signals.index(name)

    def _at(self, machine: str, state: str) -> str:
        number = self.states[machine, state]
        return f"fr == {number}" if machine == "window" else f"fr == 0 && st == {number}"

    def _waiting(self, machine: str, state: State) -> Iterator[str]:
        environment, bound = self.stepper.environment, self.bounds.stack
        inside = int(machine == "window")
        for word in words_of(state):
            lead = f"  :: {self._at(machine, state.id)} -> mach = {inside}; word = {self._event(word)};"
            lead += " quiet = 0;" if word == "acted" else ""
            more = state.asks == "place" or word == "acted" or state.action in environment.pushes
            if more:
                lead += f" if :: stack < {bound} -> stack++; quiet = 0 :: true fi;"
            elif state.asks == "resolve":
                lead += " if :: stack > 0 -> stack-- :: else fi;"
            elif state.action and state.action in environment.clears:
                lead += " stack = 0;"
            for name in state.tells:
                fact = next(f for _, m in self.machines for f in m.facts if f.name == name)
                chosen = f"latched_{name} = 1" if fact.timing == "latched" else f"told_{name} = 2"
                other = "skip" if fact.timing == "latched" else f"told_{name} = 1"
                lead += f" if :: {chosen} :: {other} fi;"
            happens = machine == "window" and self._happens(state, word)
            room = f" c_code {{ was(); look_for_room({self.bounds.pending}, {self.bounds.together}); }}; "
            yield lead + (room + self._happening(state, word) if happens else "")

    def _resolves(self) -> bool:
        return self.model.window is not None and any(
            s.asks == "resolve" for s in self.model.window.leaves
        )

    def _happens(self, state: State, word: str) -> bool:
        if state.asks == "resolve":
            return True
        return word == "acted" and (bool(self.stepper.environment.declared) or not self._resolves())

    def _happening(self, state: State, word: str) -> str:
        free = word != "acted" or not self._resolves()
        ways = [":: true"]
        if free:
            ways += [
                f":: {self._may(order)} -> c_code {{ now.quiet = 0; {self._apply(order)}; "
                f"seen({self.first_order + i}); }}"
                for i, order in enumerate(self.orders)
            ]
            ways += [
                f":: !latched_{name} -> latched_{name} = 1; quiet = 0"
                for name in sorted(self.stepper.latched)
            ]
        ways += [
            f":: signal = {self._event(event)}; quiet = 0"
            for event in self.stepper.signals
            if free or event in self.stepper.environment.declared
        ]
        return "if " + " ".join(ways) + " fi"

    def _may(self, order: Order) -> str:
        kind = KINDS.index(kind_of(order))
        room = f"room_for[{kind}]"
        match order:
            case AddPhase():
                return f"{room} && ph.id && ph.on"
            case AddStep():
                if order.before:
                    return room
                return f"{room} && {'ph.id && ph.on' if order.after == 'current_phase' else 'sp.id && sp.on'}"
        return room

    def _apply(self, order: Order) -> str:
        match order:
            case AddTurn():
                return f"add_turn({self.bounds.names.index(order.player)})"
            case SkipTurn():
                return f"add_skip(1, {self.word('turn')}, {self.bounds.names.index(order.player)})"
            case AddPhase():
                return f"add_extra(2, {self.word(order.phases[0])}, 0, now.ph.id, 0)"
            case AddStep():
                step = self.word(order.step)
                if order.before:
                    return f"add_extra(3, {step}, 0, 0, {self.word(order.before)})"
                if order.after != "current_phase":
                    return f"add_extra(3, {step}, 0, now.sp.id, 0)"
                home = next(
                    self.model.state(s.parent)
                    for s in self.model.of_kind("step")
                    if s.name == order.step
                )
                alone = sum(s.kind == "step" for s in self.model.children(home.id)) == 1
                return (
                    f"add_extra(2, {self.word(home.family)}, {0 if alone else step}, now.ph.id, 0)"
                )
            case SkipPhase(phase=what) | SkipStep(step=what):
                level = LEVELS["phase" if isinstance(order, SkipPhase) else "step"]
                return (
                    f"add_skip({level}, {self.word(what)}, {self.bounds.names.index(order.player)})"
                )
        raise ValueError(order)

    # firing ---------------------------------------------------------------------------------------

    def _firing(self, name: str, machine: Model, state: State, event: str) -> Iterator[str]:
        inside = int(name == "window")
        here = f"{'fr' if inside else 'st'} == {self.states[name, state.id]}"
        yield f"  :: mach == {inside} && {here} && word == {self._event(event)} -> /* {state.id} on {event} */"
        for row in machine.rows(state.id, event):
            yield "    ok = 1;"
            for term in row.guard:
                yield f"    if :: ok -> {self._test(machine.fact(term.fact), term.value)} :: else fi;"
            yield f"    if :: ok -> c_code {{ {self._do(name, row)}; }}; goto fired :: else fi;"
        yield "    goto dead"

    def _test(self, fact: Fact, value: bool) -> str:
        """Return a statement that sets `ok` to whether the fact has this value. Game facts are
        chosen when read.
        """
        name, environment = fact.name, self.stepper.environment
        if fact.timing == "latched":
            return f"ok = (latched_{name} == {int(value)})"
        if fact.owner != "game":
            return f"c_code {{ now.ok = !!({self._primitive(*fact.test)}) == {int(value)}; }}"
        if name == environment.empty:
            return f"ok = ((stack == 0) == {int(value)})"
        yes = f"told_{name} = 2{self._loud(name, True)}"
        no = f"told_{name} = 1{self._loud(name, False)}"
        if name == environment.waiting:
            yes = f"stack < {self.bounds.stack} -> {yes}"
        if name in environment.present:
            yes = f"stack > 0 -> {yes}"
        return f"if :: told_{name} == 0 -> if :: {yes} :: {no} fi :: else fi; ok = (told_{name} == {1 + value})"

    def _loud(self, name: str, value: bool) -> str:
        window = self.model.window
        happens = window is not None and any(f.name == name for f in window.facts)
        return "; quiet = 0" if happens and value != (name in self.stepper.quiet) else ""

    def _primitive(self, test: str, *args: str) -> str:
        """Return the test as an expression of C."""
        level = {"phase": "ph", "step": "sp"}
        match test, args:
            case "skip_due", (at, what):
                return f"skip_due({LEVELS[at]}, {self.word(what)})"
            case "extra_due", ("turn",):
                return "now.n_turns > 0"
            case "extra_due", (at,):
                return f"extra_due({LEVELS[at]}, now.{level[at]}.cursor)"
            case "extra_before", (step,):
                return f"extra_before({self.word(step)})"
            case "candidate_is", (at, what):
                return f"now.{level[at]}_cand.what == {self.word(what)}"
            case "inside_extra", (at,):
                return f"now.{level[at]}_n > 0"
            case "inside_any_extra", ():
                return "now.ph_n > 0 || now.sp_n > 0"
            case "returns_to", (at, state):
                return f"returns_to_{level[at]}({self.states['turn', state]})"
            case "only_another", (step,):
                number = self.word(step)
                return f"now.ph.id && now.ph.only && now.ph.only != {number} && now.sp_cand.what != {number}"
            case "phase_under_way", (family,):
                return f"now.ph.id && now.ph.on && now.ph.fam == {self.word(family)}"
            case "begun", _:
                return f"now.begun_{self.begun.index(args)}"
            case "missed", (name,):
                return f"now.missed_{self.missed.index(name)}"
            case "tallied", (name, number):
                return f"now.tally_{self.tallies.index(name)} >= {number}"
            case "starters_turn_is", (number,):
                return f"now.acting == 0 && now.taken[0] == {number}"
            case "own_turn_is", (number,):
                return f"now.turn_on && !now.turn_extra && now.own[now.acting] == {number}"
            case "turn_taken_is", (number,):
                return f"now.taken[now.acting] == {number}"
            case "starter_active", ():
                return "now.acting == 0"
            case "active_sits_last", _:
                return "now.acting == PLAYERS - 1"
            case "setting", (name,):
                return str(int(self.settings.get(name, False)))
            case "more_sides_than", (number,):
                return f"PLAYERS > {number}"
            case "window_opens", (kind,):
                opens = (
                    self.states["turn", s.id]
                    for s in self.model.of_kind("window")
                    if s.opens == kind
                )
                return " || ".join(f"now.st == {number}" for number in opens) or "0"
            case "everyone_passed", ():
                return "now.passed == (1 << PLAYERS) - 1"
        return "0"

    def _do(self, name: str, row: Transition) -> str:
        todo = [self._action(action) for action in row.actions]
        if row.target is not None:
            todo.append(
                f"now.{'fr' if name == 'window' else 'st'} = {self.states[name, row.target]}"
            )
        todo.append(f"now.stays = {int(row.target is None)}")
        return "; ".join(["was()", *filter(None, todo), f"seen({self.rows[name, row.id]})"])

    def _action(self, action: Action) -> str:
        """Return the action as statements of C."""
        level = {"phase": "ph", "step": "sp"}
        match action.name, action.args:
            case (("begin" | "begin_quietly"), (at, name, family)):
                do = f"begin_{at}({self.word(name)}, {self.word(family)})"
                flags = [
                    i
                    for i, (where, label) in enumerate(self.begun)
                    if where == at and label in (name, family)
                ]
                return "; ".join([do, *(f"now.begun_{i} = 1" for i in flags)])
            case "end", (at,):
                return f"now.{level[at]}.on = 0"
            case "pass_over", (at,):
                return f"pass_over_{level[at]}()"
            case "miss", (at, name):
                missing = [f"now.missed_{i} = 1" for i, m in enumerate(self.missed) if m == name]
                return "; ".join([f"pass_over_{level[at]}()", *missing])
            case "consume_skip", (at, what):
                more = f"; pass_over_{level[at]}()" if at != "turn" else ""
                return f"consume_skip({LEVELS[at]}, {self.word(what)}){more}"
            case "push_return", (at, state):
                return f"push_{level[at]}({self.states['turn', state]})"
            case "pop_return", (at,):
                return f"pop_{level[at]}()"
            case "take_extra", (at,):
                return f"take_{level[at]}({LEVELS[at]})"
            case "take_before", (step,):
                return f"take_before({self.word(step)})"
            case "drop", (at,):
                return f"drop_{at}()"
            case "latch", (fact,):
                return f"now.latched_{fact} = 1"
            case "clear", (scope,):
                return "; ".join(
                    f"now.latched_{f.name} = 0" for f in self.latched if f.scope == scope
                )
            case "tally", (name,):
                return f"now.tally_{self.tallies.index(name)}++" if name in self.tallies else ""
            case "end_turn", ():
                return "turn_ends(); forget_turn()"
            case (("mark" | "miss_turn"), _):
                return ""
        return f"{action.name}()"

    # signals, and what needs no answer ------------------------------------------------------------

    def _signalled(self) -> Iterator[str]:
        yield "signalled:\n  word = signal; signal = 0; mach = 0; stays = 0;\n  if"
        for event in self.stepper.signals:
            heard = [
                f"st == {self.states['turn', s.id]}"
                for s in self.model.leaves
                if self.model.rows(s.id, event)
            ]
            deaf = f"word == {self._event(event)} && !({' || '.join(heard) or '0'})"
            yield f"  :: {deaf} -> goto onward"
        yield "  :: else -> was_signal = 1; goto fire\n  fi;"

    def _onward(self, window: Model | None) -> Iterator[str]:
        yield "onward:\n  if :: was_signal -> was_signal = 0; if :: !stays -> fr = 0 :: else fi :: else fi;"
        yield "  if\n  :: turn > TURNS -> goto beyond"
        for name, machine in self.machines:
            for state in machine.leaves:
                here = f"turn <= TURNS && {self._at(name, state.id)}"
                if name == "window":
                    then = {
                        "action": "goto wait",
                        "final": "fr = 0; mach = 0; word = 2; goto fire",
                    }.get(state.kind, "mach = 1; word = 1; goto fire")
                else:
                    opens = (
                        f"fr = {self.states['window', window.initial]}; goto onward"
                        if window
                        else "goto dead"
                    )
                    then = {"action": "goto wait", "final": "goto beyond", "window": opens}.get(
                        state.kind, "mach = 0; word = 1; goto fire"
                    )
                yield f"  :: {here} -> {then}"
        yield "  fi"

    # claims ---------------------------------------------------------------------------------------

    def _claims(self) -> Iterator[str]:
        yield "ltl never_stuck { [] !stuck }"
        for property in self.properties:
            form, name = property.form, claim_of(property)
            yield f"/* {property.says} ({property.rule}) */"
            if isinstance(form, Safe):
                arm, no, until = (self._any(e) for e in (form.arm, form.no, form.until))
                yield f"#define no_{name} ({no})\n#define until_{name} ({until})\n#define arm_{name} ({arm})"
                weak = f"(until_{name} V (until_{name} || !no_{name}))"
                always = f"[] (arm_{name} -> {weak})" if form.arm.any else "true"
                yield f"ltl {name} {{ {weak + ' && ' if form.start else ''}({always}) }}"
            else:
                yield f"#define x_{name} ({self._any(form.event)})\n#define y_{name} ({self._any(form.by)} || over)"
                yield f"ltl {name} {{ (<> [] quiet) -> [] (x_{name} -> <> y_{name}) }}"

    def _any(self, events: AnyEvent) -> str:
        return " || ".join(f"({self._one(event)})" for event in events.any) or "false"

    def _one(self, event: PropertyEvent) -> str:
        if event.kind == "ordered":
            which = [
                self.first_order + i
                for i, order in enumerate(self.orders)
                if self._matches_order(event, order)
            ]
        else:
            which = [
                number for (name, id), number in self.rows.items() if self._fits(event, name, id)
            ]
        parts = ["(" + (" || ".join(f"ev == {n}" for n in which) or "false") + ")"]
        if event.extra is not None and event.kind != "ordered":
            parts.append(f"ev_extra == {int(event.extra)}")
        if event.kind == "ends" and event.level != "turn":
            left = "ev_step" if event.level == "step" else "ev_phase"
            parts.append(f"{left} != 0")
            if event.names:
                parts.append(
                    "(" + " || ".join(f"{left} == {self.word(n)}" for n in event.names) + ")"
                )
            parts += [f"{left} != {self.word(n)}" for n in event.besides]
        if event.inside:
            parts.append("(" + " || ".join(self._where(event.inside)) + ")")
        if event.outside:
            parts.append("!(" + " || ".join(self._where(event.outside)) + ")")
        return " && ".join(parts)

    def _where(self, names: Sequence[str]) -> Iterator[str]:
        for name in names:
            yield f"ev_step == {self.word(name)} || ev_phase == {self.word(name)}"
            if ("turn", name) in self.states:
                yield f"ev_stage == {self.states['turn', name]}"

    def _matches_order(self, event: PropertyEvent, order: Order) -> bool:
        from fsm.analysis.modelchecking.eventmatching import EventMatcher

        return EventMatcher(self.model, self.orders).matches_order(event, order)

    def _fits(self, event: PropertyEvent, name: str, id: str) -> bool:
        machine = dict(self.machines)[name]
        row = next(r for r in machine.transitions if r.id == id)
        target = machine.state(row.target) if row.target is not None else None
        source = machine.state(row.source)
        if event.kind in ("priority", "acts", "passes", "resolves", "checks"):
            if name != "window":
                return False
            return {
                "priority": target is not None and target.asks == "priority",
                "acts": row.event == "acted" and source.asks == "priority",
                "passes": row.event == "passed" and source.asks == "priority",
                "resolves": row.event == "done" and source.asks == "resolve",
                "checks": row.event == "done" and source.asks == "check",
            }[event.kind]
        if name != "turn":
            return False
        if event.kind == "reaches":
            return row.target in event.names
        if event.kind == "performs":
            return target is not None and target.asks == "perform" and _named(event, target.action)
        if event.level == "turn":
            wanted = {"begins": "begin_turn", "ends": "end_turn", "skipped": "consume_skip"}[
                event.kind
            ]
            return any(a.name == wanted and a.args[:1] in ((), ("turn",)) for a in row.actions)
        if event.kind == "ends":
            return any(a.name == "end" and a.args == (event.level,) for a in row.actions)
        names = BEGINS if event.kind == "begins" else {"consume_skip"}
        return any(
            a.name in names and a.args[0] == event.level and _named(event, *a.args[1:])
            for a in row.actions
        )


def _named(event: PropertyEvent, *names: str) -> bool:
    return set(event.besides).isdisjoint(names) and (
        not event.names or not set(event.names).isdisjoint(names)
    )
