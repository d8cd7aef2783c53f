"""The published JSON Schemas: `model`, `scenario`, `coverage` (the report) and `wire`.

Each is named by an `$id` with its version. It is a name, not an address: nothing is fetched. A file
may say by `$schema` which of them it follows, so that an editor can complete and check it.
"""

from __future__ import annotations

IDS = {
    "coverage": "urn:turn-fsm:coverage-report-1",
    "model": "urn:turn-fsm:model-1",
    "scenario": "urn:turn-fsm:scenario-1",
    "wire": "urn:turn-fsm:wire-1",
}
SAID: dict[str, object] = {
    "type": "string",
    "description": "The schema that this file follows, for editors.",
}
"""What the schemas of files allow as `$schema`."""
