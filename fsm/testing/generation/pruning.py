"""Makes paths shorter: it leaves out what other paths also take, and what nothing depends on.

Parts of a path are left out as long as it still takes what no other path takes. Shortcuts past unneeded parts are also
tried: a skipped step, or an ended phase or turn. The method follows Zeller and Hildebrandt, "Simplifying and isolating
failure-inducing input" (2002). Leaving out whole paths is greedy set cover, Chvatal (1979).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from fsm.coverage.target import Key
from fsm.engine.requests import Answer, Signal
from fsm.state.orders import SKIPS, Order
from fsm.testing.generation.bestfirst import Seeking
from fsm.testing.generation.candidate import Draft, Script, exactly, following, spot, trimmed
from fsm.testing.generation.searchnode import AnswerStep, Here
from fsm.testing.generation.wanted import Wanted

Shorten = Callable[[Draft, set[Key]], None]
"""Makes a candidate path shorter and keeps the targets that are needed of it."""
LARGE = 24
"""From a path more than twice as long, no larger parts are left out, except whole turns."""
FEW, TRIES = 6, 300
"""A path that is needed for at most this many targets is made anew, with at most this many answers for each search."""
TOLL = 8
"""The cost of a path besides its answers, when some of many are chosen."""


class Pruner:
    """Shortens the paths of a set. `left`: so many answers may be tried still. `settled`: how each was left."""

    def __init__(self, goal: Wanted, drafts: Sequence[Draft], effort: int) -> None:
        self.goal, self.drafts, self.left = goal, list(drafts), effort
        self.passes = tuple(_passes(goal))
        self.takers = Counter(key for draft in self.drafts for key in all_of(goal, draft))
        self.settled: dict[Draft, tuple[list[AnswerStep], set[Key], Sequence[Shorten]]] = {}

    def run(self) -> list[Draft]:
        """What remains of the paths; together they take what they took before."""
        before = -1
        ways = (self._end, self._pass, self._leave_out) if self.goal.length > 1 else (self._leave_out,)
        self._prune_each(self.drafts, (self._cut, self._anew, *ways))
        while self.left > 0 and before != cost_of(self.drafts):
            before = cost_of(self.drafts)
            self.once(self.drafts)
        return self.drafts

    def once(self, drafts: Sequence[Draft]) -> None:
        """Each of these once, beginning with that which takes least of its own for its cost."""
        self._prune_each(drafts, (self._cut, self._leave_out, self._pass))

    def finish(self) -> list[Draft]:
        """What seldom makes a path shorter, but plainer."""
        self._prune_each(self.drafts, (self._end, self._plainer, self._cut))
        return self.drafts

    def _prune_each(self, drafts: Sequence[Draft], ways: Sequence[Shorten]) -> None:
        for draft in sorted(drafts, key=self.worth):
            self._prune(draft, ways)

    def _prune(self, draft: Draft, ways: Sequence[Shorten]) -> None:
        needed = self._needed(draft)
        self.takers.subtract(all_of(self.goal, draft))
        if not needed:
            self.drafts.remove(draft)
            return
        if self.settled.get(draft) != (draft.steps, needed, ways):
            for shorten in ways:
                if self.left > 0:
                    shorten(draft, needed)
            self.settled[draft] = (list(draft.steps), needed, ways)
        self.takers.update(all_of(self.goal, draft))

    def _needed(self, draft: Draft) -> set[Key]:
        """What no other path takes."""
        return {key for key in all_of(self.goal, draft) if self.takers[key] == 1}

    def worth(self, draft: Draft) -> float:
        """How much it alone takes, for its cost."""
        return len(self._needed(draft)) / (cost_of([draft]) + 1)

    # ways to shorten ------------------------------------------------------------------------------------

    def _cut(self, draft: Draft, needed: set[Key]) -> None:
        """Nothing after the last that is needed."""
        draft.steps = draft.steps[: _end(draft.met(self.goal), needed) or 0]

    def _anew(self, draft: Draft, needed: set[Key]) -> None:
        """One search after the other, each to the nearest of what is needed, where that is little."""
        steps, here, rest = list[AnswerStep](), draft.first.here, needed - self.goal.met(draft.first)
        while len(needed) <= FEW and rest and self.left > 0 and _cost(steps) < _cost(draft.steps):
            seeking = Seeking(self.goal.only(rest), [(here, [])], TRIES)
            found = seeking.run()
            self.left -= seeking.tried
            if found is None:
                return
            for step in found.steps:
                rest -= self.goal.met(step)
            steps += found.steps
            here = steps[-1].here
        if not rest and _cost(steps) < _cost(draft.steps):
            draft.steps = steps

    def _leave_out(self, draft: Draft, needed: set[Key]) -> None:
        """Ever smaller pieces are left out; of a long path whole turns, and only pieces that a turn may hold."""
        if len(draft.steps) > 2 * LARGE:
            self._leave_out_turns(draft, needed)
        size = min(max(len(draft.steps) // 2, 1), LARGE)
        while size and self.left > 0:
            at = len(draft.steps) - size
            while at >= 0 and self.left > 0:
                self._try(draft, needed, at, draft.script[at + size :])
                at = min(at, len(draft.steps)) - size
            size //= 2

    def _leave_out_turns(self, draft: Draft, needed: set[Key]) -> None:
        turns = _turns(draft)
        for many in (4, 2, 1):
            for number in range(len(turns) - many - 1, -1, -1):
                at, end = turns[number], turns[number + many]
                if self.left > 0 and end < len(draft.steps) and self._try(draft, needed, at, draft.script[end:]):
                    turns = _turns(draft)
                    if number + many >= len(turns):
                        break

    def _pass(self, draft: Draft, needed: set[Key]) -> None:
        """A step or phase is skipped, from the beginning or from where a turn begins."""
        for at in _turns(draft):
            for order in self.passes:
                if at < len(draft.steps) and self.left > 0:
                    first, *rest = draft.script[at:]
                    more = replace(first[1], orders=(*first[1].orders, order))
                    self._try(draft, needed, at, [(first[0], more), *rest])

    def _end(self, draft: Draft, needed: set[Key]) -> None:
        """A phase or turn is ended."""
        for event in sorted(self.goal.ground.signals - {"player_left"}):
            at = 0
            while at < len(draft.steps) and self.left > 0:
                first, *rest = draft.script[at:]
                if first[1].signal is None and self.goal.ground.model.rows(first[0][0], event):
                    self._try(draft, needed, at, [(first[0], replace(first[1], signal=Signal(event))), *rest])
                at += 1

    def _plainer(self, draft: Draft, needed: set[Key]) -> None:
        """Orders, signals and facts that are not needed are not given."""
        at = 0
        while at < len(draft.steps) and self.left > 0:
            for less in _less(draft.steps[at].answer):
                answers = [less, *(step.answer for step in draft.steps[at + 1 :])]
                found = exactly(draft.at(at), answers)
                self.left -= len(answers)
                if found is not None and self._keeps(draft, needed, at, found):
                    draft.steps[at:] = found
            at += 1

    # trying --------------------------------------------------------------------------------------------

    def _try(self, draft: Draft, needed: set[Key], at: int, script: Script) -> bool:
        """Go on so after so many answers, if that is shorter and takes what is needed."""
        rest = set(needed).difference(*(self.goal.met(s) for s in (draft.first, *draft.steps[:at])))
        found = self._found(draft, rest, at, script) if rest else []
        if found is None or _cost(found) >= _cost(draft.steps[at:]) or not self._keeps(draft, needed, at, found):
            return False
        draft.steps[at:] = found
        return True

    def _found(self, draft: Draft, rest: set[Key], at: int, script: Script) -> list[AnswerStep] | None:
        """The steps up to where nothing of the rest is missing. Where all is as it was, the old ones follow."""
        found, here, most = list[AnswerStep](), draft.at(at), _cost(draft.steps[at:])
        for step, followed in following(here, script):
            self.left -= 1
            found.append(trimmed(step, here))
            here, rest = step.here, rest - self.goal.met(step)
            if not rest or _cost(found) >= most:
                return found if not rest else None
            old = len(draft.steps) - len(script) + followed
            if self._same(here, draft, old):
                return [*found, *draft.steps[old:]] if rest <= self._later(draft, old) else None
        return None

    def _same(self, here: Here, draft: Draft, old: int) -> bool:
        there, length = draft.at(old), self.goal.length - 1
        return spot(here) == spot(there) and here.likeness(length) == there.likeness(length)

    def _later(self, draft: Draft, old: int) -> set[Key]:
        return {key for step in draft.steps[old:] for key in self.goal.met(step)}

    def _keeps(self, draft: Draft, needed: set[Key], at: int, found: Sequence[AnswerStep]) -> bool:
        steps = (draft.first, *draft.steps[:at], *found)
        return needed <= {key for step in steps for key in self.goal.met(step)}


def fewest(goal: Wanted, drafts: Sequence[Draft]) -> list[Draft]:
    """Some of the drafts, each cut after what it is taken for: that next which takes most, for its length."""
    taken = [(draft, draft.met(goal), all_of(goal, draft)) for draft in drafts]
    left, chosen = {key for _, _, keys in taken for key in keys}, list[Draft]()
    while left:
        draft, met, keys = max(taken, key=lambda each: len(left & each[2]) / (len(each[1]) + TOLL))
        chosen.append(Draft(draft.start, draft.first, draft.steps[: _end(met, left & keys)]))
        left -= keys
    return chosen


def all_of(goal: Wanted, draft: Draft) -> set[Key]:
    """All that a draft takes."""
    return set().union(*draft.met(goal))


def cost_of(drafts: Iterable[Draft]) -> int:
    """What paths cost: each firing and each answer counts."""
    return sum(_cost(draft.steps) for draft in drafts)


def _cost(steps: Iterable[AnswerStep]) -> int:
    return sum(len(step.records) + 1 for step in steps)


def _end(met: Sequence[set[Key]], needed: set[Key]) -> int:
    """After how many answers all that is needed is taken."""
    rest = set(needed)
    for number, keys in enumerate(met):
        rest -= keys
        if not rest:
            return number
    return len(met) - 1


def _passes(goal: Wanted) -> Iterator[Order]:
    model = goal.ground.model
    tests = {fact.test for fact in model.facts}
    for state in (*model.of_kind("phase"), *model.of_kind("step")):
        level, what = state.kind, (state.family or state.name) if state.kind == "phase" else state.name
        if ("skip_due", level, what) in tests:
            yield SKIPS["phase" if level == "phase" else "step"](what)


def _turns(draft: Draft) -> list[int]:
    """After how many answers each turn begins."""
    turns = [draft.at(number).controller.request.at.turn for number in range(len(draft.steps))]
    return [number for number, turn in enumerate(turns) if number == 0 or turn != turns[number - 1]]


def _less(answer: Answer) -> Iterator[Answer]:
    """The same answer with less in it."""
    for number in range(len(answer.orders)):
        yield replace(answer, orders=(*answer.orders[:number], *answer.orders[number + 1 :]))
    if answer.signal is not None:
        yield replace(answer, signal=None)
