"""Tokens: a game as short text of letters, digits, "-" and "_".

The token of a quiet game says where the game stands by numbers: places in the Model's own lists of
states and facts, and seats. Only a Model that behaves the same can read it, so it begins with the
start of the Model's behaviour fingerprint. It needs nothing that another process remembers. The
token of any other game is its snapshot, compressed.

A token has these parts, of which the last is a checksum over the others:

    2 | fingerprint | position, with its length | progress, with its length | names of the players | checksum

The position is what `fsm.engine.positions` calls one, apart from the progress. So a process that
knows the node of a position finds it by that part of the text. A token is data from outside: what
it says is checked as a snapshot is.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar
from zlib import compress, crc32, decompressobj
from zlib import error as zlib_error

from fsm.engine.askers import Players
from fsm.engine.decoding import LARGEST
from fsm.engine.positions import (
    Node,
    Progress,
    at_most,
    is_quiet,
    positions_of,
    progress,
    progress_of,
)
from fsm.engine.snapshot import Migrate, check_run, compact, dump
from fsm.engine.snapshot import load as load_snapshot
from fsm.errors import FsmError, SnapshotError
from fsm.model import Model
from fsm.model.permodel import per_model
from fsm.state.agenda import Agenda
from fsm.state.entries import Occurrence, Suspended, occurrence_of
from fsm.state.run import Run
from fsm.state.setup import GameHeader, checked_seats

_T = TypeVar("_T")
FORMAT = "2"
"""How a token begins that says where a quiet game stands. That of a snapshot never begins so."""
PRINT = 8
"""So many digits of the Model's behaviour fingerprint are in a token."""
LONGEST = 4_000_000
"""No snapshot in a token may be longer, in bytes. That of a usual game has 1,500."""
NAMES = 4_000
"""The players take at most so many characters. A game with longer names has a snapshot as its
token.
"""
_CHECK = 6
"""The checksum has so many characters."""


# writing ------------------------------------------------------------------------------------------


def token(model: Model, run: Run, head: GameHeader, node: Node | None) -> str:
    """The token of a waiting run, which stands at this node if it has one."""
    here = _named(model, run, head) if _is_plain(head) and is_quiet(run) else ""
    if not here:
        return _base64(compress(compact(dump(model, run, head)).encode()))
    if node is not None:
        remember(model, here, node, progress(run), head)
    return _joined(here, progress(run), head.players)


def packed(text: str) -> str | bytes:
    """A token as a pickle holds it: a snapshot without the detour through text, which makes it a
    third longer.
    """
    return text if text.startswith(FORMAT) else _raw(text)


def unpacked(saved: str | bytes) -> str:
    """The token that was packed."""
    return saved if isinstance(saved, str) else _base64(saved)


def token_at(node: Node, head: GameHeader, progress: Progress, players: Players) -> str:
    """The token of a game at a node, or "" if that takes longer, or cannot be."""
    if not node.name or not _is_plain(head):
        return ""
    try:
        return _joined(node.name, progress, players)
    except ValueError:
        return ""


def _is_plain(head: GameHeader) -> bool:
    """Is nothing to be said of how a game was set up, but its players and settings?"""
    return not head.orders and head.start is None and head.complete


def _joined(here: str, progress: Progress, players: Players) -> str:
    """The token of a game at a position whose text is known. Raises ValueError if a part cannot be
    written.
    """
    body = here + _progress_text(progress) + _players_text(players)
    return body + _checksum(body)


def remember(model: Model, here: str, node: Node, progress: Progress, head: GameHeader) -> None:
    """Find this node from now on by the text of its position."""
    node.name = here
    memo = positions_of(model)
    memo.remember((here, _apart(progress, memo.told_apart)), node, head)


def _named(model: Model, run: Run, head: GameHeader) -> str:
    """The text of a position, or "" if it cannot be written so, or not be read again."""
    try:
        position = _base64(_bytes(_numbers(_lists(model), run)))
        text = f"{FORMAT}{model.behaviour_fingerprint[:PRINT]}{_with_length(position)}"
        whole = _joined(text, progress(run), head.players)
        return text if _read(model, whole)[:2] == (run, head) else ""
    except (LookupError, ValueError, FsmError):
        return ""


@lru_cache(4096)
def _progress_text(progress: Progress) -> str:
    """The progress as text. Raises ValueError if there are too many players."""
    counts = (progress.turn, progress.base, *progress.turns_taken, *progress.own_turns)
    return _with_length(_base64(_bytes(counts)))


@lru_cache(4096)
def _players_text(players: Players) -> str:
    """The players as text. Raises ValueError if a name holds the null character, which stands
    between them.
    """
    names = "\0".join(players)
    if names.count("\0") != len(players) - 1:
        raise ValueError("a name holds a null character")
    text = _base64(names.encode("utf-8", "surrogatepass"))
    if len(text) > NAMES:
        raise ValueError("the names are too long")
    return text


def _numbers(lists: _Lists, run: Run) -> Iterator[int]:
    """A position as numbers, in which ids of occurrences count from that of the turn.

    Raises KeyError or ValueError if something has no number.
    """
    agenda, turn = run.agenda, run.agenda.current_turn
    if turn is None:
        raise ValueError("no turn is under way")
    seats = {"": 0, **{player: seat for seat, player in enumerate(agenda.players, 1)}}
    yield lists.states[run.state]
    yield lists.frames[run.frame]
    yield sum(1 << lists.latched[fact] for fact in run.latched)
    yield sum(run.settings[name] << place for name, place in lists.settings.items())
    yield len(agenda.players)
    yield from map(
        seats.__getitem__, (agenda.active, agenda.decider, agenda.natural, agenda.candidate_turn)
    )
    yield agenda.candidate_turn_extra | agenda.reversed << 1 | turn.extra << 2
    yield seats[run.holder]
    yield from _series([[seats[side]] for side in run.passed])
    yield from _series([_begun_numbers(lists, begun) for begun in agenda.begun])
    yield from _standing_numbers(agenda, turn.id)
    yield from _series([_standing_numbers(waiting, turn.id) for waiting in agenda.suspended])
    yield from _series([[lists.words[name]] for name in agenda.missed])
    yield from _series([[lists.words[name], count] for name, count in agenda.tallies.items()])
    yield from _series([[lists.words[role], seats[side]] for role, side in agenda.appointed])


def _begun_numbers(lists: _Lists, begun: Occurrence) -> Iterator[int]:
    yield (
        lists.kinds[begun.level, begun.name, begun.family] << 2
        | bool(begun.only) << 1
        | begun.extra
    )
    if begun.only:
        yield lists.words[begun.only]


def _standing_numbers(at: Agenda | Suspended, base: int) -> Iterator[int]:
    """The phase, the step and the cursors of an agenda, or of what is suspended."""
    phase, step = (
        (at.current_phase, at.current_step) if isinstance(at, Agenda) else (at.phase, at.step)
    )
    for o in (phase, step):
        yield 0 if o is None else (o.id - base) << 1 | o.under_way
    for cursor in (at.cursor_phase, at.cursor_step):
        yield cursor and cursor - base


def _series(each: Sequence[Iterable[int]]) -> Iterator[int]:
    yield len(each)
    for numbers in each:
        yield from numbers


class _Lists(NamedTuple):
    """The places of names in the lists of a Model."""

    states: Mapping[str, int]
    frames: Mapping[str, int]
    latched: Mapping[str, int]
    settings: Mapping[str, int]
    kinds: Mapping[tuple[str, str, str], int]
    words: Mapping[str, int]


@per_model
def _lists(model: Model) -> _Lists:
    machines = model.machines.values()
    composite = [state for state in model.states if state.composite]
    words = [word for state in model.states for word in (state.name, state.family, state.by)]
    words += [
        word
        for m in machines
        for row in m.transitions
        for action in row.actions
        for word in action.args
    ]
    return _Lists(
        _places(state.id for state in model.states),
        _places(
            ["", *(state.id for state in (model.window.states if model.window is not None else ()))]
        ),
        _places(f.name for m in machines for f in m.facts if f.timing == "latched"),
        _places(setting.name for setting in model.settings),
        _places(
            (state.kind, state.name, family)
            for state in composite
            for family in (state.family, state.name)
        ),
        _places(words),
    )


def _places(names: Iterable[_T]) -> dict[_T, int]:
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


# reading ------------------------------------------------------------------------------------------


def load(model: Model, text: str, migrate: Migrate | None = None) -> tuple[Run, GameHeader, str]:
    """The run and head of a token, and the text of its position, which is "" if the token is a
    snapshot.

    Raises SnapshotError saying what does not fit.
    """
    if not text.startswith(FORMAT):
        return *load_snapshot(model, _snapshot(text), migrate), ""
    if _checksum_of(text) != text[-_CHECK:]:
        raise _no_token("it has been changed or cut")
    whole = model.behaviour_fingerprint
    print_ = text[1 : 1 + PRINT]
    if print_ != whole[:PRINT]:
        raise SnapshotError(
            f"the token was taken with a model {print_}, not with {model.name} {whole}: restore it with the model it "
            f"was taken with, or one that behaves the same, and take a snapshot, which a function can migrate"
        )
    try:
        return _read(model, text)
    except (ValueError, LookupError, FsmError) as error:
        raise _no_token(f"it does not describe a game: {error}") from None


def standing(model: Model, text: str) -> tuple[Node, GameHeader, Progress, Players] | None:
    """Where the game of a token stands, if this process knows the node, or None."""
    try:
        end = 1 + PRINT + 2 + int(text[1 + PRINT : 3 + PRINT], 16)
        onward = end + 2 + int(text[end : end + 2], 16)
        if _checksum_of(text) != text[-_CHECK:]:
            return None
        memo = positions_of(model)
        along, apart = _progress(text[end + 2 : onward], memo.told_apart)
        players = _players(text[onward:-_CHECK])
    except (ValueError, FsmError):
        return None  # `load` says why
    found = memo.named.get((text[:end], apart))
    if found is None or not len(players) == len(found[1].players) == len(along.turns_taken):
        return None
    return *found, along, players


def _read(model: Model, text: str) -> tuple[Run, GameHeader, str]:
    """What a token of this Model says. Raises LookupError, ValueError or FsmError if it says no
    game.
    """
    end = 1 + PRINT + 2 + int(text[1 + PRINT : 3 + PRINT], 16)
    onward = end + 2 + int(text[end : end + 2], 16)
    along, _ = _progress(text[end + 2 : onward], None)
    players = _players(text[onward:-_CHECK])
    if len(players) != len(along.turns_taken):
        raise ValueError("its players and turns differ in number")
    lists, numbers = _lists(model), _integers(_raw(text[3 + PRINT : end]))
    run = _run(model, lists, _each(numbers), along, players)
    if list(_numbers(lists, run)) != numbers or not is_quiet(run):
        raise ValueError("its numbers do not fit together")
    check_run(run)
    _check_place(run)
    if (
        _joined(text[:end], along, players) != text
        or _base64(_bytes(numbers)) != text[3 + PRINT : end]
    ):
        raise ValueError("it is not written as a token is")
    return (
        run,
        GameHeader(model.name, model.fingerprint, players, (), dict(run.settings)),
        text[:end],
    )


def _run(
    model: Model, lists: _Lists, numbers: Iterator[int], along: Progress, players: Players
) -> Run:
    seats, words = ("", *players), tuple(lists.words)
    state, frame = _pick(lists.states, next(numbers)), _pick(lists.frames, next(numbers))
    latched, chosen = next(numbers), next(numbers)
    if next(numbers) != len(players):
        raise ValueError("it names other players")
    active, decider, natural, candidate = (seats[next(numbers)] for _ in range(4))
    flags, holder = next(numbers), seats[next(numbers)]
    passed = tuple([seats[next(numbers)] for _ in _times(numbers)])
    begun = list[Occurrence]()
    for _ in _times(numbers):
        begun.append(_begun(lists, words, numbers, begun, along.base))
    phase, step, *cursors = _stand(begun, numbers, along.base)
    agenda = Agenda(
        players,
        turn=along.turn,
        turns_taken=along.turns_taken,
        own_turns=along.own_turns,
        active=active,
        decider=decider,
        natural=natural,
        occurrences=along.base + len(begun),
        candidate_turn=candidate,
        candidate_turn_extra=bool(flags & 1),
        current_turn=occurrence_of(
            along.base, "turn", "turn", "turn", bool(flags & 4), "", True, 1, ""
        ),
        current_phase=phase,
        current_step=step,
        cursor_phase=cursors[0],
        cursor_step=cursors[1],
        suspended=tuple([Suspended(*_stand(begun, numbers, along.base)) for _ in _times(numbers)]),
        begun=tuple(begun),
        missed=tuple([words[next(numbers)] for _ in _times(numbers)]),
        tallies={words[next(numbers)]: next(numbers) for _ in _times(numbers)},
        reversed=bool(flags & 2),
        appointed=tuple([(words[next(numbers)], seats[next(numbers)]) for _ in _times(numbers)]),
    )
    return Run(
        model,
        agenda,
        settings={name: bool(chosen >> place & 1) for name, place in lists.settings.items()},
        state=state,
        frame=frame,
        holder=holder,
        passed=passed,
        latched=frozenset(fact for fact, place in lists.latched.items() if latched >> place & 1),
    )


def _begun(
    lists: _Lists,
    words: Sequence[str],
    numbers: Iterator[int],
    before: Sequence[Occurrence],
    base: int,
) -> Occurrence:
    number = next(numbers)
    level, name, family = _pick(lists.kinds, number >> 2)
    only = words[next(numbers)] if number & 2 else ""
    iteration = 1 + sum(o.level == level and o.name == name for o in before)
    return occurrence_of(
        base + 1 + len(before), level, name, family, bool(number & 1), only, True, iteration, ""
    )


def _stand(
    begun: Sequence[Occurrence], numbers: Iterator[int], base: int
) -> tuple[Occurrence | None, Occurrence | None, int, int]:
    phase, step = (_one_of(begun, next(numbers)) for _ in range(2))
    for o, level in ((phase, "phase"), (step, "step")):
        if o is not None and o.level != level:
            raise ValueError(f"{o.name!r} is not a {level}")
    cursor_phase, cursor_step = (
        number and base + number for number in (next(numbers), next(numbers))
    )
    return phase, step, cursor_phase, cursor_step


def _one_of(begun: Sequence[Occurrence], number: int) -> Occurrence | None:
    """One that has begun, under way or not."""
    if not number:
        return None
    o = begun[(number >> 1) - 1]
    return occurrence_of(
        o.id, o.level, o.name, o.family, o.extra, o.only, bool(number & 1), o.iteration, ""
    )


def _check_place(run: Run) -> None:
    """Raise ValueError if the state is not in this phase and step, or if nobody is next in an open
    window.
    """
    agenda = run.agenda
    if run.frame and not run.holder:
        raise ValueError("nobody is next to have priority")
    for level, o in (("phase", agenda.current_phase), ("step", agenda.current_step)):
        around = run.model.enclosing(run.state, "phase" if level == "phase" else "step")
        if around is not None and (o is None or o.name != around.name):
            raise ValueError(
                f"{run.state!r} is not in the {level} {o.name if o else 'that there is not'!r}"
            )
    if max(agenda.cursor_phase, agenda.cursor_step) > agenda.occurrences:
        raise ValueError("it goes on after something that has not begun")


@lru_cache(4096)
def _progress(
    text: str, told: tuple[bool, int | None, int | None] | None
) -> tuple[Progress, object]:
    """The progress that a text says, and what of it tells positions apart. Raises ValueError if it
    says none.
    """
    turn, base, *counts = _integers(_raw(text))
    half = len(counts) // 2
    if not counts or len(counts) != 2 * half or not base:
        raise ValueError("its counts of turns are cut")
    along = progress_of(turn, base, tuple(counts[:half]), tuple(counts[half:]))
    if _progress_text(along)[2:] != text:
        raise ValueError("its counts of turns are not written as those of a token are")
    return along, _apart(along, told)


@lru_cache(4096)
def _players(text: str) -> Players:
    """The players that a text names. Raises ValueError or FsmError if it names none."""
    if len(text) > NAMES:  # also so that what is remembered stays small
        raise ValueError("its names are too long")
    players = tuple(_raw(text).decode("utf-8", "surrogatepass").split("\0"))
    checked_seats(players, ())
    if _players_text(players) != text:
        raise ValueError("its names are not written as those of a token are")
    return players


def _apart(along: Progress, told: tuple[bool, int | None, int | None] | None) -> object:
    """What of a progress tells positions apart, as `told_apart` of the Model says."""
    if told is None:
        return None
    turn, taken, own = told
    return (
        along.turn if turn else None,
        at_most(taken, along.turns_taken),
        at_most(own, along.own_turns),
    )


def _snapshot(text: str) -> object:
    """The snapshot of a token that is one. Raises SnapshotError when it is damaged, or too long to
    be one.
    """
    try:
        unpack = decompressobj()
        data = unpack.decompress(_raw(text), LONGEST)
        if not unpack.eof:
            raise ValueError("it is cut, or too long")
        return json.loads(data)
    except (ValueError, RecursionError, zlib_error) as error:
        remedy = "; read JSON with json.loads first" if text.lstrip().startswith("{") else ""
        raise _no_token(f"{error}{remedy}") from None


def _no_token(why: str) -> SnapshotError:
    return SnapshotError(f"this is no token of a game: {why}")


# numbers and text ---------------------------------------------------------------------------------


def _pick(places: Mapping[_T, int], place: int) -> _T:
    return tuple(places)[place]


def _each(numbers: Iterable[int]) -> Iterator[int]:
    """Yield numbers. Raises ValueError when more are wanted than there are."""
    yield from numbers
    raise ValueError("its numbers are cut")


def _times(numbers: Iterator[int]) -> range:
    """As many times as the next number says."""
    return range(next(numbers))


def _bytes(numbers: Iterable[int]) -> bytes:
    """Numbers that are not negative, seven bits in a byte. Raises ValueError for others."""
    found = bytearray()
    for number in numbers:
        if number < 0:
            raise ValueError("a number is negative")
        while number > 127:
            found.append(number & 127 | 128)
            number >>= 7
        found.append(number)
    return bytes(found)


def _integers(data: bytes) -> list[int]:
    """The numbers that `_bytes` wrote. Raises ValueError if one is cut or too large."""
    found, number, shift = list[int](), 0, 0
    for byte in data:
        if byte < 128:
            found.append(number | byte << shift)
            number = shift = 0
        else:
            number |= (byte & 127) << shift
            shift += 7
            if number > LARGEST:
                raise ValueError("a number is too large")
    if shift or (found and max(found) > LARGEST):
        raise ValueError("a number is cut or too large")
    return found


def _with_length(text: str) -> str:
    if len(text) > 255:
        raise ValueError("a part is too long")
    return f"{len(text):02x}{text}"


def _base64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _raw(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _checksum(body: str) -> str:
    return urlsafe_b64encode(crc32(body.encode()).to_bytes(4, "big"))[:_CHECK].decode()


def _checksum_of(text: str) -> str:
    return _checksum(text[:-_CHECK])
