"""Games that together take what a ruleset has to be taken: stored one a line, played by a test, found by a search.

    python tests/coveragegames.py magic --seconds 60    add games for what those stored do not take

A game says how it begins and then its answers. A number stands for so many plain ones: the last word that is possible,
and every fact as it is while nothing happens. An object is an answer that departs from that: `word`, `facts` that are
told the other way (or that nobody asked for, told true), `orders`, `signal`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import fsm
from fsm import orders as kinds
from fsm.codec import decode, encode
from fsm.coverage import targets
from fsm.coverage.simple import literal_id
from fsm.coverage.watching.games import decided
from fsm.errors import FsmError
from fsm.exploring.quiet import quiet_facts
from fsm.fuzzing import Wanderer, Weights, wanderings_of
from fsm.fuzzing.words import words_of
from fsm.model import Model
from fsm.requests import Answer, Over, Request, Signal
from fsm.trace import Record

FOLDER = Path(__file__).parent / "coverage_games"
CRITERIA = ("transitions", "literals", "pairs")
CLASSES = (Signal, *(k for k in vars(kinds).values() if isinstance(k, type) and k.__module__ == kinds.__name__))
Key = tuple[str, str, str]


@dataclass(frozen=True)
class Game:
    """How a game begins, and its answers, each as it departs from the plain one ({} not at all)."""

    players: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...]
    settings: tuple[tuple[str, bool], ...]
    departures: tuple[dict[str, Any], ...]

    def line(self) -> str:
        """As it is stored."""
        told: list[Any] = []
        for departure in self.departures:
            if departure:
                told.append(departure)
            elif told and isinstance(told[-1], int):
                told[-1] += 1
            else:
                told.append(1)
        head = {"players": "".join(self.players), "teams": ["".join(team) for team in self.teams]}
        whole = {**head, "settings": dict(self.settings), "answers": told}
        return json.dumps({name: value for name, value in whole.items() if value}, separators=(",", ":"))

    @classmethod
    def read(cls, line: str) -> Game:
        """From such a line."""
        data = json.loads(line)
        told = (({},) * part if isinstance(part, int) else (part,) for part in data.get("answers", ()))
        settings = tuple(data.get("settings", {}).items())
        teams = tuple(tuple(team) for team in data.get("teams", ()))
        return cls(tuple(data["players"]), teams, settings, tuple(one for part in told for one in part))

    def begun(self, model: Model) -> fsm.TurnController:
        """A controller at its beginning."""
        return fsm.TurnController(model, self.players, teams=self.teams, settings=dict(self.settings))

    def play(self, model: Model) -> fsm.TurnController:
        """A controller at its end. Raises FsmError when the model refuses an answer."""
        controller = self.begun(model)
        for departure in self.departures:
            controller.answer(answer_of(controller, departure))
        return controller


def games_of(name: str) -> list[Game]:
    """The games stored for this ruleset."""
    path = FOLDER / f"{name}.jsonl"
    return [Game.read(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def plain(model: Model, request: Request) -> dict[str, bool]:
    """Every fact as it is while nothing happens."""
    quiet = model.kept("quiet facts", lambda: frozenset(quiet_facts(model)))
    return {name: name in quiet for name in request.facts}


def words(controller: fsm.TurnController) -> tuple[str, ...]:
    """What can be answered, the plain word last."""
    request, model = controller.request, controller.model
    inside = request.state != request.at.stage
    return (model.window if inside and model.window else model).state(request.state).words


def answer_of(controller: fsm.TurnController, departure: dict[str, Any]) -> Answer:
    """The answer that departs so from the plain one."""
    facts = plain(controller.model, controller.request)
    facts.update({name: not facts.get(name, False) for name in departure.get("facts", ())})
    given = tuple(decode(order, CLASSES) for order in departure.get("orders", ()))
    signal = decode(departure["signal"], CLASSES) if "signal" in departure else None
    return Answer(departure.get("word", words(controller)[-1]), facts, given, signal)


def departure_of(controller: fsm.TurnController, answer: Answer) -> dict[str, Any]:
    """How this answer departs from the plain one."""
    facts = plain(controller.model, controller.request)
    other = [name for name, value in answer.facts.items() if facts.get(name, False) != value]
    found = {"word": answer.word if answer.word != words(controller)[-1] else "", "facts": other}
    given = [encode(order) for order in answer.orders]
    whole = {**found, "orders": given, "signal": encode(answer.signal) if answer.signal else None}
    return {name: value for name, value in whole.items() if value}


# what a game takes ---------------------------------------------------------------------------------------------


@dataclass
class Noting:
    """Notes what a game takes: criterion, machine, target, each with the number of the answer that took it first."""

    model: Model
    taken: dict[Key, int] = field(default_factory=dict)
    number: int = 0
    last: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.inside = {row.id for row in self.model.transitions if row.target is None}
        window = self.model.window
        self.finals = {s.id for s in window.leaves if s.kind == "final"} if window else set()

    def __call__(self, record: Record) -> None:
        machine, row = record.machine, record.transition
        self._take("transitions", machine, row)
        if machine in self.last:
            self._take("pairs", machine, f"{self.last[machine]} ; {row}")
        self.last[machine] = row
        if (machine == "turn" and row not in self.inside) or (machine != "turn" and record.target in self.finals):
            self.last.pop("window", None)
        literals = decided(self.model, machine, record.source, record.event, row, record.guards)
        for literal in literals:
            self._take("literals", machine, literal_id(*literal))

    def _take(self, criterion: str, machine: str, id: str) -> None:
        self.taken.setdefault((criterion, machine, id), self.number)


def taken_by(model: Model, game: Game) -> dict[Key, int]:
    """What a game takes, and by which answer (1 is the first; 0: as it begins). {} when the model refuses it."""
    controller, noting = game.begun(model), Noting(model)
    for record in controller.trace.records:
        noting(record)
    controller.watch(noting)
    try:
        for noting.number, departure in enumerate(game.departures, 1):
            controller.answer(answer_of(controller, departure))
    except FsmError:
        return {}
    return noting.taken


def toured(model: Model) -> set[Key]:
    """What the tours take, which are made and not stored."""
    from coveragetours import Tours

    notings: list[Noting] = []

    def watch(controller: fsm.TurnController) -> None:
        notings.append(Noting(model))
        controller.watch(notings[-1])

    Tours(model, watch).run()
    return {key for noting in notings for key in noting.taken}


def wanted_of(model: Model) -> set[Key]:
    """What can be taken."""
    return {(c, t.machine, t.id) for c in CRITERIA for t in targets(model, c) if not t.infeasible}


# the search ------------------------------------------------------------------------------------------------------

STYLES = (
    Weights(),
    Weights(order=0.12, signal=0.06, even=0.5, usual=0.7, acted=0.2),
    Weights(order=0.25, signal=0.12, calm=0, usual=0.8, even=0.5),
    Weights(order=0.1, signal=0.3, leaving=0.8, usual=0.6, latched=0.1, calm=0),
)
LONGEST, TAIL, KEPT, ORDERED = 160, 12, 12, 160


@dataclass(slots=True)
class Spot:
    """A game that waits: gone on with in a fork of it. `last` is what fired last in each machine."""

    game: Game
    controller: fsm.TurnController
    last: dict[str, str]


class Search:
    """Looks for what is not taken: on from games that wait where something that is missing begins, at random."""

    def __init__(self, name: str, seed: int) -> None:
        self.model, self.random = fsm.load(name), Random(seed)
        self.games = games_of(name)
        self.open = wanted_of(self.model) - toured(self.model)
        self.rows = {row.id: row for m in (self.model, self.model.window) if m for row in m.transitions}
        self.spots: dict[str, list[Spot]] = {}
        self.tries = 0
        self.leaves, self.own = {s.id for s in self.model.leaves}, {t.id for t in self.model.transitions}
        self.words = words_of(self.model)
        self.told = [f.name for f in self.model.facts if f.owner == "game" and f.name not in self.words.window]
        for game in self.games:
            self._again(game)

    def run(self, seconds: float) -> None:
        """Look for so long, or until nothing is open."""
        end = time.monotonic() + seconds
        while self.open and time.monotonic() < end:
            self.tries += 1
            if self.tries % 50 == 1:
                self._wander()
            elif self.tries % 2:
                self._ordered(self.random.choice(self._listed()))
            else:
                self._on_from(self._chosen())

    def _again(self, game: Game) -> None:
        """Play a stored game: what it takes, and where it waits."""
        spot = Spot(replace(game, departures=()), game.begun(self.model), {})
        taken: set[Key] = set()
        for departure in game.departures:
            try:
                spot = self._step(spot, departure, taken)
            except FsmError:
                break
        self.open -= taken

    def _step(self, spot: Spot, departure: dict[str, Any], taken: set[Key]) -> Spot:
        """The spot after one answer, put among the others; what it takes is added."""
        fork, noting = spot.controller.fork(), Noting(self.model, last=dict(spot.last))
        stop = fork.watch(noting)
        fork.answer(answer_of(fork, departure))
        stop()
        taken |= set(noting.taken)
        game = replace(spot.game, departures=(*spot.game.departures, departure))
        after = Spot(game, fork, noting.last)
        if not isinstance(fork.request, Over) and len(game.departures) < LONGEST:
            for name in (noting.last.get("turn", ""), noting.last.get("window", ""), fork.request.at.stage):
                self._put(name, after)
        return after

    def _put(self, name: str, spot: Spot) -> None:
        held = self.spots.setdefault(name, [])
        if len(held) < KEPT:
            held.append(spot)
        elif self.random.random() < 0.2:
            held[self.random.randrange(KEPT)] = spot
        else:  # short games are good to go on from, and few answers to store
            long = max(range(KEPT), key=lambda n: len(held[n].game.departures))
            held[long] = min(held[long], spot, key=lambda each: len(each.game.departures))

    def _wander(self) -> None:
        wanderer = self._wanderer()
        head = wanderer.head
        settings = tuple(dict(head.settings).items())
        game = Game(head.players, head.teams, settings, ())
        self._follow(Spot(game, game.begun(self.model), {}), wanderer, LONGEST, "")

    def _wanderer(self) -> Wanderer:
        shared = wanderings_of(self.model, self.random.choice(STYLES))
        return Wanderer(shared, self.random.randrange(10**9), 0)

    def _ordered(self, key: Key) -> None:
        """A game in which what is open is scheduled: steps and phases that it is about are added or skipped."""
        rows = [self.rows[name.partition(" where ")[0]] for name in key[2].split(" ; ")]
        seats = ("A", "B", "C", "D")[: self.random.choice((2, 3, 4))]
        game = Game(seats, (), (), ())
        controller, noting, told = game.begun(self.model), Noting(self.model), list[dict[str, Any]]()
        controller.watch(noting)
        mood = [name for name in self.told if self.random.random() < 0.4]
        first, found = self.random.randrange(40), 0
        habit = self.random.choice(["", "", *(e for e in self.words.events if e != "player_left")])
        for number in range(ORDERED):
            if isinstance(controller.request, Over):
                break
            odd = [n for n in controller.request.facts if n in self.words.window and self.random.random() < 0.02]
            departure: dict[str, Any] = {"facts": [*(n for n in controller.request.facts if n in mood), *odd]}
            if number == first or (number > first and self.random.random() < 0.02):
                departure["orders"] = [encode(self._about(rows)) for _ in range(self.random.choice((1, 1, 2)))]
            event = self._event(rows, noting, controller) or (habit if self.random.random() < 0.2 else "")
            if event:
                departure["signal"] = encode(Signal(event, self._who(controller) if event == "player_left" else ""))
            departure = {name: value for name, value in departure.items() if value}
            try:
                controller.answer(answer_of(controller, departure))
            except FsmError:
                departure = {}
                controller.answer(answer_of(controller, departure))
            told.append(departure)
            if self.open & set(noting.taken):
                self.open -= set(noting.taken)
                found = len(told)
        if found:
            self.games.append(replace(game, departures=tuple(told[:found])))

    def _event(self, rows: Sequence[Any], noting: Noting, controller: fsm.TurnController) -> str:
        """The signal that may come now so that these rows fire; "" for none."""
        first, last, stage = rows[0], rows[-1], controller.request.at.stage
        path = {state.id for state in self.model.path(stage)}
        here = first.source in path or noting.last.get("turn") == first.id
        if last.event in self.words.events and here and self.random.random() < (0.7 if stage == first.source else 0.2):
            return str(last.event)
        if noting.last.get("turn") == first.id and last.event in self.words.events:
            return str(last.event)
        leads = any(t.source == stage and t.target == last.source for t in self.model.transitions)
        if first.event in self.words.events and self.random.random() < (0.5 if leads or last.source in path else 0.04):
            return str(first.event)
        return ""

    def _about(self, rows: Sequence[Any]) -> Any:
        """An order about the steps and phases that these rows are in, or lead to."""
        model, choice = self.model, self.random.choice
        places = [place for row in rows for place in (row.source, row.target) if place and place in self.leaves]
        tests = [model.fact(t.fact).test for row in rows for t in row.guard if row.id in self.own]
        places += [test[-1] for test in tests if test[-1:] and test[-1] in self.leaves]
        steps = [s.name for p in places if (s := model.enclosing(p, "step"))] or list(self.words.steps) or ["?"]
        phases = [s.family for p in places if (s := model.enclosing(p, "phase"))] or list(self.words.families) or ["?"]
        a, b, f, g = choice(steps), choice(steps), choice(phases), choice(phases)
        return choice((
            *(kinds.AddStep(a, before=b), kinds.AddStep(a, b), kinds.AddStep(a, before=b), kinds.AddStep(a, b)),
            *(kinds.AddStep(a, "current_step"), kinds.AddStep(a, "current_phase"), kinds.Skip("step", a)),
            *(kinds.AddPhase((f,)), kinds.AddPhase((f, g), g), kinds.Skip("phase", f), kinds.AddTurn("A")),
        ))

    def _chosen(self) -> tuple[Spot, str]:
        """A spot where something that is open may follow, and the event that it may take."""
        criterion, _, id = self.random.choice(self._listed())
        first, _, second = id.partition(" ; ") if criterion == "pairs" else (id.partition(" where ")[0],) * 3
        row = self.rows[first]
        names = [n for n in (first, row.source) if n in self.spots] if criterion == "pairs" else [row.source]
        names = [n for n in names if n in self.spots] or list(self.spots)
        event = self.rows[second].event if second in self.rows else ""
        return self.random.choice(self.spots[self.random.choice(names)]), event

    def _listed(self) -> list[Key]:
        known: tuple[int, list[Key]] = getattr(self, "_list", (-1, []))
        if known[0] != len(self.open):
            known = self._list = (len(self.open), sorted(self.open))
        return known[1]

    def _on_from(self, chosen: tuple[Spot, str]) -> None:
        spot, event = chosen
        wanderer = self._wanderer()
        wanderer.players = spot.game.players
        self._follow(spot, wanderer, self.random.randrange(1, TAIL), event)

    def _follow(self, spot: Spot, wanderer: Wanderer, most: int, event: str) -> None:
        """Answer so often at random; keep the game as far as it takes something new."""
        found: Game | None = None
        for _ in range(most):
            if isinstance(spot.controller.request, Over):
                break
            taken: set[Key] = set()
            departure = self._departure(spot.controller, wanderer, event)
            try:
                spot = self._step(spot, departure, taken)
            except FsmError:
                spot = self._step(spot, {}, taken)
            if self.open & taken:
                self.open -= taken
                found = spot.game
        if found is not None:
            self.games.append(found)

    def _departure(self, controller: fsm.TurnController, wanderer: Wanderer, event: str) -> dict[str, Any]:
        chance = self.random.random()
        answer = answer_of(controller, {}) if chance < 0.4 else wanderer.answer(controller)
        if self.words.makers and self.random.random() < 0.15:
            make = self.random.choice(self.words.makers)
            answer = replace(answer, orders=(make(self.random, wanderer.players, str(self.tries)),))
        names = [e.name for e in self.model.events if not e.completion]
        if names and self.random.random() < (0.4 if event in names else 0.05):
            event = event if event in names else self.random.choice(names)
            answer = replace(answer, signal=Signal(event, self._who(controller) if event == "player_left" else ""))
        return departure_of(controller, answer)

    def _who(self, controller: fsm.TurnController) -> str:
        agenda, active = controller.agenda, controller.position.active
        here = [p for side in agenda.sides for p in side if p not in agenda.left]
        return active if active in here and self.random.random() < 0.5 else self.random.choice(here or [""])


def plainer(model: Model, game: Game, needed: set[Key]) -> Game:
    """The same with plain answers where others are not needed: tried in large pieces, then in smaller ones."""
    size = max(1, len(game.departures) // 2)
    while size:
        for at in range(0, len(game.departures), size):
            told = game.departures
            if any(told[at : at + size]):
                other = replace(game, departures=(*told[:at], *(({},) * len(told[at : at + size])), *told[at + size :]))
                if needed <= set(taken_by(model, other)):
                    game = other
        size //= 2
    for at, departure in enumerate(game.departures):
        for name in departure:
            less = {key: value for key, value in game.departures[at].items() if key != name}
            other = replace(game, departures=(*game.departures[:at], less, *game.departures[at + 1 :]))
            if needed <= set(taken_by(model, other)):
                game = other
    return game


def fewer(model: Model, games: Iterable[Game], wanted: set[Key]) -> list[Game]:
    """Those that are needed to take all that these games take, each cut after what only it takes."""
    taken = [(game, taken_by(model, game)) for game in games]
    stored = set(map(Game.line, games_of(model.name)))
    left, kept = wanted & {key for _, found in taken for key in found}, list[Game]()
    while left:
        game, found = max(taken, key=lambda each: len(left.intersection(each[1])) / (8 + len(each[0].departures)))
        mine = left.intersection(found)
        short = replace(game, departures=game.departures[: max(found[key] for key in mine)])
        kept.append(short if short.line() in stored else plainer(model, short, mine))
        left -= mine
    return kept


def main(arguments: Sequence[str], say: Callable[[str], None] = print) -> int:
    """Search, store, and say what is still open."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    search = Search(given.ruleset, given.seed)
    search.run(given.seconds)
    say(f"{search.tries} tries, {len(search.games)} games, {len(search.open)} open")
    games = fewer(search.model, search.games, wanted_of(search.model) - toured(search.model))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{given.ruleset}.jsonl").write_text("".join(f"{g.line()}\n" for g in games), "utf-8")
    answers = sum(len(game.departures) for game in games)
    say(f"{given.ruleset}: {len(games)} games, {answers} answers, {len(search.open)} open")
    for key in sorted(search.open):
        say(f"  {' | '.join(key)}")
    return 1 if search.open else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
