"""The report as JSON for programs. `fsm/schemas/coverage.schema.json` describes it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from fsm.coverage.subjects import subject_of
from fsm.coverage.target import Coverage, Result
from fsm.coverage.ways import way_to

FORMAT = "fsm-coverage-report-1"


def as_json(results: Sequence[Result]) -> str:
    """Return the whole report as JSON text."""
    contexts = set[str]()
    for result in results:
        for coverage in result.coverages:
            contexts.update(*coverage.by.values())
    numbers = {context: number for number, context in enumerate(sorted(contexts))}
    machines = [_machine(result, numbers) for result in results]
    return json.dumps({"format": FORMAT, "contexts": [*numbers], "machines": machines}) + "\n"


def _machine(result: Result, contexts: dict[str, int]) -> dict[str, Any]:
    subject = subject_of(result.model)
    return {
        "name": result.name,
        "model": subject.name,
        "fingerprint": subject.fingerprint,
        "firings": result.firings,
        "notes": list(result.notes),
        "refused": dict(result.refused),
        "criteria": [_criterion(result, coverage, contexts) for coverage in result.coverages],
    }


def _criterion(result: Result, coverage: Coverage, contexts: dict[str, int]) -> dict[str, Any]:
    return {
        "criterion": coverage.criterion,
        "targets": len(coverage.targets),
        "taken": len(coverage.covered),
        "missing": len(coverage.missing),
        "allowed": len(coverage.of("allowed")),
        "impossible": len(coverage.infeasible),
        "share": coverage.share,
        "items": [*_items(result, coverage, contexts)],
    }


def _items(
    result: Result, coverage: Coverage, contexts: dict[str, int]
) -> Iterator[dict[str, Any]]:
    """Yield items without empty values. `contexts` has numbers of contexts, each with a count."""
    for target in coverage.targets:
        by = coverage.by.get(target.key, {})
        is_missing = coverage.kind(target) == "missing"
        way = way_to(result.model, target) if is_missing else ()
        item = {"id": target.id, "machine": target.machine}
        optional = {
            "text": target.text,
            "rule": target.rule,
            "allowed": coverage.allowed.get(target.key),
            "impossible": target.infeasible,
            "contexts": [[contexts[context], count] for context, count in sorted(by.items())],
            "way": [[arc.at, arc.row.id] for arc in way],
        }
        told = {name: value for name, value in optional.items() if value}
        yield {**item, "taken": coverage.taken.get(target.key, 0), **told}
