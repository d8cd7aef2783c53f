"""What several commands share of their options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fsm.engine.trace import Trace
    from fsm.model import Model

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def default_file(ruleset: str, ending: str) -> str:
    """Return the file that is written for a ruleset where none is named: NAME.svg for module:NAME."""
    name = ruleset.partition("?")[0].rpartition(":")[2]
    return Path(name).stem + ending


def read_trace(path: str, model: Model) -> Trace:
    """Return the trace in a file, which must be of this model. Raises TraceError."""
    from fsm.engine.trace import Trace
    from fsm.errors import TraceError
    from fsm.files import regular

    try:
        with open(path, encoding="utf-8", errors="replace", opener=regular) as lines:
            trace = Trace.read(lines)
        trace.replay(model)
    except TraceError as error:
        raise TraceError(f"{path}: {error}", line=error.line) from None
    return trace
