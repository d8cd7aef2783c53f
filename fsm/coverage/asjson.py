"""The report as JSON for programs. `fsm/schemas/coverage.schema.json` describes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fsm.coverage.subjects import subject_of
from fsm.coverage.target import Coverage, Result, Target
from fsm.coverage.ways import way_to

FORMAT = "fsm-coverage-report-1"


def as_json(results: Sequence[Result]) -> str:
    """Return the whole report as JSON text."""
    contexts = sorted({c for r in results for x in r.coverages for by in x.by.values() for c in by})
    numbers = {context: number for number, context in enumerate(contexts)}
    machines = [_machine(result, numbers) for result in results]
    return json.dumps({"format": FORMAT, "contexts": contexts, "machines": machines}) + "\n"


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
    missing = {target.key for target in coverage.missing}
    return {
        "criterion": coverage.criterion,
        "targets": len(coverage.targets),
        "taken": len(coverage.covered),
        "missing": len(missing),
        "allowed": len(coverage.of("allowed")),
        "impossible": len(coverage.infeasible),
        "share": coverage.share,
        "items": [
            _item(result, coverage, t, contexts, missing=t.key in missing) for t in coverage.targets
        ],
    }


def _item(
    result: Result, coverage: Coverage, target: Target, contexts: dict[str, int], *, missing: bool
) -> dict[str, Any]:
    """Return an item without empty values. `contexts` has numbers of contexts, each with a count."""
    found: dict[str, Any] = {
        "id": target.id,
        "machine": target.machine,
        "taken": coverage.taken.get(target.key, 0),
    }
    by = coverage.by.get(target.key, {})
    optional = {
        "text": target.text,
        "rule": target.rule,
        "allowed": coverage.allowed.get(target.key, ""),
        "impossible": target.infeasible,
        "contexts": [[contexts[context], count] for context, count in sorted(by.items())],
        "way": [[a.at, a.row.id] for a in way_to(result.model, coverage.criterion, target)]
        if missing
        else [],
    }
    return found | {name: value for name, value in optional.items() if value}
