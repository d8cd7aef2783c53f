"""What turn-fsm adds where it is installed beside this: pages, pictures, and its compiled machines.

turn-fsm has the same modules under its own name. Results are handed over to them as pickles, with
the names of the classes changed, so both must have the same version.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fsm.coverage.extension import Extension, Format, Instrument, Recorder
from fsm.coverage.target import Result
from fsm.model import Model
from transitions_cov import __version__

HERE = __name__.partition(".")[0]
THERE = "fsm"
PAGES = ("html", "svg")


class TurnFsmExtension(Extension):
    """Adds what turn-fsm has, or says that it is needed."""

    def instruments(self, buffers: Sequence[Recorder]) -> Sequence[Instrument]:
        """Return the instrument that has the compiled machines of turn-fsm use the library's code."""
        if not same_version():
            return ()
        made: Instrument = import_module("fsm.testing.instruments.compiled").CompiledInstrument()
        return (made,)

    def formats(self) -> Mapping[str, Format]:
        """Return the formats of turn-fsm."""
        if not same_version():
            return {}
        theirs = import_module("fsm.testing.coverage").GamesExtension().formats()
        return {
            kind: Format(theirs[kind].file, _handing_over(theirs[kind].written)) for kind in PAGES
        }

    def unavailable(self) -> Mapping[str, str]:
        """Return the formats that need turn-fsm."""
        if same_version():
            return {}
        return dict.fromkeys(
            PAGES, f"needs turn-fsm {__version__}: run pip install 'pytest-transitions-cov[html]'"
        )


@cache
def same_version() -> bool:
    """Whether turn-fsm is installed in the version of this package."""
    try:
        return version("turn-fsm") == __version__
    except PackageNotFoundError:
        return False


def _handing_over(
    write: Callable[[Any, str], Mapping[str, str]],
) -> Callable[[Sequence[Result], str], Mapping[str, str]]:
    return lambda results, file: write(handed_over(tuple(results)), file)


def handed_over(value: object) -> Any:
    """Return a value as turn-fsm has it: of the classes with the same names in its own modules."""
    text = io.BytesIO()
    _Ours(text).dump(value)
    text.seek(0)
    return _Theirs(text).load()


def model_from(data: dict[str, Any]) -> Model:
    """Return a Model from its JSON form, which leaves out what was computed from it."""
    return Model.from_json(data)


class _Ours(pickle.Pickler):
    def reducer_override(self, value: object) -> Any:
        return (model_from, (value.to_json(),)) if isinstance(value, Model) else NotImplemented


class _Theirs(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if name == model_from.__name__:
            return import_module(f"{THERE}.model").Model.from_json
        inside = module.split(".")[0] == HERE
        return super().find_class(THERE + module.removeprefix(HERE) if inside else module, name)
