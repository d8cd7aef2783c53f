"""Games that together take what a ruleset has to be taken: stored one a line, played by a test,
found by a search.

    cd tests; python -m support.coveragegames magic --seconds 60    add games for what those stored do not take

A game says how it begins and then its answers. A number stands for so many plain ones: the last
word that is possible, and every fact as it is while nothing happens. An object is an answer that
departs from that: `word`, `facts` that are told the other way (or that nobody asked for, told
true), `orders`, `signal`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import fsm
from fsm.coverage import targets
from fsm.coverage.instrumentation.games import decided
from fsm.coverage.simple import literal_id
from fsm.engine.answers import quiet_facts
from fsm.engine.codec import decode, encode
from fsm.engine.requests import Answer, Over, Request, Signal
from fsm.engine.trace import Record
from fsm.errors import FsmError
from fsm.model import Model
from fsm.state import orders as kinds
from fsm.testing.budget import Budget
from fsm.testing.generation.abstractgraph import abstract_graph_of
from fsm.testing.generation.bestfirst import BestFirstSearch
from fsm.testing.generation.candidate import Candidate
from fsm.testing.generation.generating import IN_VAIN, NEAR
from fsm.testing.generation.guidedsearch import GuidedSearch
from fsm.testing.generation.path import Start, starts
from fsm.testing.generation.searchgoal import SearchGoal, search_goal
from fsm.testing.generation.searchnode import first_step, try_answer
from fsm.testing.generation.seeds import SearchSeed
from fsm.testing.generation.waitinggame import WaitingGame
from support.folders import TESTS

FOLDER = TESTS / "coverage_games"
CRITERIA = ("transitions", "literals", "pairs")
CLASSES = (
    Signal,
    *(k for k in vars(kinds).values() if isinstance(k, type) and k.__module__ == kinds.__name__),
)
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
        return json.dumps(
            {name: value for name, value in whole.items() if value}, separators=(",", ":")
        )

    @classmethod
    def read(cls, line: str) -> Game:
        """From such a line."""
        data = json.loads(line)
        told = (
            ({},) * part if isinstance(part, int) else (part,) for part in data.get("answers", ())
        )
        settings = tuple(data.get("settings", {}).items())
        teams = tuple(tuple(team) for team in data.get("teams", ()))
        return cls(
            tuple(data["players"]), teams, settings, tuple(one for part in told for one in part)
        )

    @classmethod
    def of(cls, model: Model, candidate: Candidate) -> Game:
        """From a path in the making, which is played along."""
        start, told = candidate.start, list[dict[str, Any]]()
        controller = start.controller(model)
        for step in candidate.steps:
            told.append(departure_of(controller, step.answer))
            controller.answer(answer_of(controller, told[-1]))
        return cls(start.players, start.teams, start.settings, tuple(told))

    @property
    def start(self) -> Start:
        """How it begins."""
        return Start(self.players, self.teams, self.settings)

    def begun(self, model: Model) -> fsm.TurnController:
        """A controller at its beginning."""
        return self.start.controller(model)

    def play(self, model: Model) -> fsm.TurnController:
        """A controller at its end. Raises FsmError when the model refuses an answer."""
        controller = self.begun(model)
        for departure in self.departures:
            controller.answer(answer_of(controller, departure))
        return controller


def games_of(name: str) -> list[Game]:
    """The games stored for this ruleset."""
    path = FOLDER / f"{name}.jsonl"
    return (
        [Game.read(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    )


def plain(model: Model, request: Request | Over) -> dict[str, bool]:
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
    given = [encode(order) for order in answer.orders]
    whole = {
        "facts": other,
        "orders": given,
        "signal": encode(answer.signal) if answer.signal else None,
    }
    word = (
        {"word": answer.word} if answer.word != words(controller)[-1] else {}
    )  # "" is the word between two answers
    return {**word, **{name: value for name, value in whole.items() if value}}


# what a game takes --------------------------------------------------------------------------------


@dataclass
class Noting:
    """Notes what a game takes: criterion, machine, target, each with the number of the answer that
    took it first.
    """

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
        if (machine == "turn" and row not in self.inside) or (
            machine != "turn" and record.target in self.finals
        ):
            self.last.pop("window", None)
        literals = decided(self.model, machine, record.source, record.event, row, record.guards)
        for literal in literals:
            self._take("literals", machine, literal_id(*literal))

    def _take(self, criterion: str, machine: str, id: str) -> None:
        self.taken.setdefault((criterion, machine, id), self.number)


def taken_by(model: Model, game: Game) -> dict[Key, int]:
    """What a game takes, and by which answer (1 is the first; 0: as it begins). {} when the model
    refuses it.
    """
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
    from support.coveragetours import Tours

    notings: list[Noting] = []

    def watch(controller: fsm.TurnController) -> None:
        notings.append(Noting(model))
        controller.watch(notings[-1])

    Tours(model, watch).run()
    return {key for noting in notings for key in noting.taken}


def wanted_of(model: Model) -> set[Key]:
    """What can be taken."""
    return {(c, t.machine, t.id) for c in CRITERIA for t in targets(model, c) if not t.infeasible}


# the search ---------------------------------------------------------------------------------------


class Search:
    """Looks for what is not taken, as paths are made: games at random, then a search for each that
    they miss.
    """

    def __init__(self, name: str, seed: int) -> None:
        self.model, self.random = fsm.load(name), Random(seed)
        self.games, self.tries = games_of(name), 0
        self.wanted = wanted_of(self.model) - toured(self.model)
        self.open = self.wanted - {key for game in self.games for key in taken_by(self.model, game)}
        ways = dict.fromkeys((*starts(self.model), *(game.start for game in self.games)))
        graph = abstract_graph_of(self.model)
        self.starts = {start: first_step(graph, start.controller(self.model)) for start in ways}

    def run(self, seconds: float) -> None:
        """Look for so long, or until nothing is open; each criterion has its share of the time."""
        end = time.monotonic() + seconds
        for number, criterion in enumerate(CRITERIA):
            now = time.monotonic()
            self._look(self._goal(criterion), now + (end - now) / (len(CRITERIA) - number))

    def _goal(self, criterion: str) -> SearchGoal:
        """What is open of a criterion, but for what lies too far off to be looked for."""
        goal = search_goal(abstract_graph_of(self.model), criterion)
        goal.open = {key: None for key in goal.open if (criterion, *key) in self.open}
        return goal

    def _look(self, goal: SearchGoal, until: float) -> None:
        """Games at random and searches in turn, which try more each time."""
        guided, tries = GuidedSearch(goal, self.starts, self.random, Budget(0)), NEAR
        for game in self.games if goal.open else ():
            self._again(guided, game)
        while goal.open and time.monotonic() < until:
            vain = 0
            while goal.open and vain < IN_VAIN and time.monotonic() < until:
                candidate = guided.play()
                vain = 0 if candidate is not None else vain + 1
                self._keep(candidate)
            for key in list(goal.open):
                if key in goal.open and time.monotonic() < until:
                    self._seek(goal, key, guided.near(key), tries)
            tries *= 2

    def _again(self, guided: GuidedSearch, game: Game) -> None:
        """Play a game that is known: others go on from where it waits."""
        place = WaitingGame(game.start, self.starts[game.start].node)
        controller = game.begun(self.model)
        for departure in game.departures:
            answer = answer_of(controller, departure)
            step = try_answer(place.node, answer)
            if step is None:
                return
            controller.answer(answer)
            place = guided.after(place, step)

    def _seek(
        self, goal: SearchGoal, key: tuple[str, str], seeds: list[SearchSeed], tries: int
    ) -> None:
        """A game that goes on from one of these roots to what is missing, if that is found."""
        places = [
            (steps[-1].node if steps else candidate.node, steps) for candidate, steps in seeds
        ]
        found = BestFirstSearch(goal.only([key]), places, Budget(tries), seed_cost=0.0).run()
        candidate = replace(seeds[found.seed][0], steps=found.steps) if found is not None else None
        goal.mark_taken(
            each
            for taken in (candidate.taken_by(goal) if candidate is not None else ())
            for each in taken
        )
        self._keep(candidate)

    def _keep(self, candidate: Candidate | None) -> None:
        """Count a try, and keep the game that came of it, if one did."""
        self.tries += 1
        if candidate is not None:
            self.games.append(Game.of(self.model, candidate))
            self.open -= set(taken_by(self.model, self.games[-1]))


def plainer(model: Model, game: Game, needed: set[Key]) -> Game:
    """The same with plain answers where others are not needed: tried in large pieces, then in
    smaller ones.
    """
    size = max(1, len(game.departures) // 2)
    while size:
        for at in range(0, len(game.departures), size):
            told = game.departures
            if any(told[at : at + size]):
                other = replace(
                    game,
                    departures=(
                        *told[:at],
                        *(({},) * len(told[at : at + size])),
                        *told[at + size :],
                    ),
                )
                if needed <= set(taken_by(model, other)):
                    game = other
        size //= 2
    for at, departure in enumerate(game.departures):
        for name in departure:
            less = {key: value for key, value in game.departures[at].items() if key != name}
            other = replace(
                game, departures=(*game.departures[:at], less, *game.departures[at + 1 :])
            )
            if needed <= set(taken_by(model, other)):
                game = other
    return game


def fewer(model: Model, games: Iterable[Game], wanted: set[Key]) -> list[Game]:
    """Those that are needed to take all that these games take, each cut after what only it takes."""
    taken = [(game, taken_by(model, game)) for game in games]
    stored = set(map(Game.line, games_of(model.name)))
    left, kept = wanted & {key for _, found in taken for key in found}, list[Game]()
    while left:
        game, found = max(
            taken, key=lambda each: len(left.intersection(each[1])) / (8 + len(each[0].departures))
        )
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
    games = search.games
    if games != games_of(given.ruleset):
        games = fewer(search.model, games, search.wanted)
        (FOLDER / f"{given.ruleset}.jsonl").write_text(
            "".join(f"{g.line()}\n" for g in games), "utf-8"
        )
    answers = sum(len(game.departures) for game in games)
    say(f"{given.ruleset}: {len(games)} games, {answers} answers, {len(search.open)} open")
    for key in sorted(search.open):
        say(f"  {' | '.join(key)}")
    return 1 if search.open else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
