"""What `fsm conform --machine` does: it follows logs of a machine and prints what it finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fsm.coverage.logs.bare import BareMachine
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
    jobs: int = 1,
    cluster: str = "",
) -> bool:
    """Follow the logs and print the results. Return whether all of them are runs of the machine."""
    from fsm.parallel import spread

    name = _bare(spec).name
    apart = [logs] if options.continued else [(path,) for path in logs]
    with spread(
        partial(_followed, spec, options, refusals), apart, jobs=jobs, cluster=cluster
    ) as found:
        results = list(found)
    for path, result in results:
        (_print_json if output == "json" else _print_text)(path, name, result)
    return all(result.ok for _, result in results)


def _followed(
    spec: str, options: LogOptions, refusals: int, logs: tuple[str, ...]
) -> tuple[str, LogConformance]:
    """Follow logs that continue each other. Return the last that was read, and the result."""
    from fsm.coverage.logs.following import LogFollower
    from fsm.coverage.logs.records import MachineLog

    follower = LogFollower(_bare(spec), **options.reading, refusals=refusals)
    for path in logs:
        if not follower.follow(MachineLog.open(path, options.keys)).ok:
            break
    return path, follower.result


@lru_cache(maxsize=8)
def _bare(spec: str) -> BareMachine:
    from fsm.coverage.extension import extension
    from fsm.coverage.logs.covering import Followed

    return Followed.of(extension().machine(spec)).bare


def read_in_words(path: str, result: LogConformance) -> Iterator[str]:
    """Yield sentences about what was read."""
    skipped = (
        f", {_many(result.skipped_lines, 'damaged line')} skipped" if result.skipped_lines else ""
    )
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
