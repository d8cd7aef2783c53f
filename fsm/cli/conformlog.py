"""What `fsm conform --machine` does: it follows logs of a machine and prints what it finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fsm.coverage.logs.following import LogConformance
    from fsm.coverage.logs.options import LogOptions

MOST_JUMPS = 20


def conform_logs(
    spec: str,
    logs: tuple[str, ...],
    options: LogOptions,
    *,
    refusals: int,
    output: str,
) -> bool:
    """Follow the logs and print the results. Return whether all of them are runs of the machine."""
    from fsm.coverage.extension import extension
    from fsm.coverage.logs.covering import Followed
    from fsm.coverage.logs.following import LogFollower
    from fsm.coverage.logs.records import MachineLog

    bare = Followed.of(extension().machine(spec)).bare
    results: list[tuple[str, LogConformance]] = []
    follower: LogFollower | None = None
    for path in logs:
        if follower is None or not options.continued:
            follower = LogFollower(bare, **options.reading, refusals=refusals)
            results.append((path, follower.result))
        results[-1] = (path, follower.follow(MachineLog.open(path, options.keys)))
        if not results[-1][1].ok and options.continued:
            break
    for path, result in results:
        (_print_json if output == "json" else _print_text)(path, bare.name, result)
    return all(result.ok for _, result in results)


def read_in_words(path: str, result: LogConformance) -> Iterator[str]:
    """Yield sentences about what was read."""
    skipped = f", {_many(result.skipped_lines, 'damaged line')} skipped" if result.skipped_lines else ""
    other = f", {result.other_lines} about other things" if result.other_lines else ""
    records = f"{_many(result.records, 'record')} of {_many(result.machines, 'object')}"
    yield f"{path}: {records}, {_many(result.read, 'line')} read{skipped}{other}"
    if result.problem:
        yield f"the first line that cannot be read: {result.problem}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _print_text(path: str, name: str, result: LogConformance) -> None:
    from fsm.cli.show import say, show

    for sentence in read_in_words(path, result):
        say(sentence)
    if result.unseen:
        say(f"something happened unseen before {_many(result.unseen, 'record')}:")
        for jump in result.jumps[:MOST_JUMPS]:
            say(f"  {jump}")
        if len(result.jumps) > MOST_JUMPS:
            say(f"  and {len(result.jumps) - MOST_JUMPS} more (--json lists them)")
    for refusal in result.refusals:
        show([[(f"refused: {refusal}", "bad")]])
    if result.ok:
        show([[(f"every record is part of a run of {name}", "good")]])


def _print_json(path: str, name: str, result: LogConformance) -> None:
    from fsm.cli.show import say

    found: dict[str, Any] = {"log": path, "machine": name, "ok": result.ok, **asdict(result)}
    for refusal, one in zip(result.refusals, found["refusals"], strict=True):
        one["says"] = str(refusal)
    say(json.dumps(found))
