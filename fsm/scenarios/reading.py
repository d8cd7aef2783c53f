"""Reads JSON and TOML files as plain values."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from fsm.errors import ScenarioError
from fsm.inputfiles import read_text


def read(path: Path) -> object:
    """Return the plain values in a JSON or TOML file. Raises ScenarioError, which names the file
    and the line.
    """
    text = _text(path)
    try:
        if path.suffix.lower() == ".toml" or (
            path.suffix.lower() != ".json" and not text.lstrip().startswith(("{", "["))
        ):
            return tomllib.loads(text)
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise ScenarioError(
            f"{path}: line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})"
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{path}: this is not TOML ({error})") from None
    except _DuplicateKey as error:
        raise ScenarioError(
            f"{path}: the key {error.args[0]!r} is there twice in one object; keep one"
        ) from None
    except RecursionError:
        raise ScenarioError(f"{path}: the values are nested too deeply to be a scenario") from None
    except ValueError as error:
        raise ScenarioError(f"{path}: this cannot be read ({error})") from None


def _text(path: Path) -> str:
    try:
        return read_text(path, "utf-8-sig")
    except FileNotFoundError:
        raise ScenarioError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise ScenarioError(f"{path}: this is a folder; name the scenario files in it") from None
    except UnicodeDecodeError:
        raise ScenarioError(
            f"{path}: this is not text in UTF-8; scenarios are JSON or TOML files"
        ) from None
    except OSError as error:
        raise ScenarioError(f"{path}: this cannot be read ({error.strerror})") from None


class _DuplicateKey(Exception):
    pass


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _DuplicateKey(key)
        found[key] = value
    return found
