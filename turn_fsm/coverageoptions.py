"""The options of the pytest plugin, under each of its names: `--fsm-cov`, or `--transitions-cov`.

The second is that of the distribution pytest-transitions-cov, which is built from the same sources.
pytest imports this module in every project of its Python, so it imports nothing else of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest


def _no_trouble() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Spelling:
    """What differs between the names of the plugin.

    `flag` begins the names of all options, `command` is the command that reads the data, and
    `directory` is where the data is kept. `what` says in the help what a SPEC names, and `kinds`
    which reports there are. `trouble` says in a sentence why the plugin cannot work, or "".
    """

    flag: str
    command: str
    directory: str
    what: str
    kinds: str
    trouble: Callable[[], str] = _no_trouble

    @property
    def key(self) -> str:
        """The name in the configuration file: `flag` with underscores."""
        return self.flag.replace("-", "_")

    @property
    def mark(self) -> str:
        """The marker of tests during which nothing is measured."""
        return f"no_{self.key}"

    def options(self) -> dict[str, tuple[str, str]]:
        """Return the placeholder and the help of each option, by what follows `flag`."""
        return {
            "": (
                "SPEC",
                f"Measure which ways through state machines the tests take: of {self.what} "
                "(may be given more than once), or without a name of every machine that the tests use.",
            ),
            "criteria": (
                "LIST",
                "By which criteria, as 'transitions,pairs' (default: states,transitions). Also: literals, mcdc, "
                "rules, refusals.",
            ),
            "report": ("KIND[:FILE]", f"{self.kinds} (may be given more than once)."),
            "fail-under": (
                "PERCENT",
                "Fail when less is taken: 90 in total, or transitions=100,pairs=80.",
            ),
            "baseline": (
                "FILE",
                f"Fail when something is no longer taken that this file lists; '{self.command} baseline' writes it.",
            ),
            "allow": (
                "FILE",
                "A list (TOML) of what may be missing, with reasons; an entry that is taken after all fails the run.",
            ),
            "data": (
                "DIR",
                f"Where what is recorded is kept, for '{self.command}' (default: {self.directory}; emptied as the run "
                "begins).",
            ),
        }

    def key_of(self, option: str) -> str:
        """Return the key of an option, such as `fsm_cov_fail_under`."""
        return f"{self.key}_{option.replace('-', '_')}" if option else self.key

    def words(self, config: pytest.Config, option: str) -> list[str]:
        """Return the values of an option from the command line or, if there are none, from the
        configuration file.
        """
        key = self.key_of(option)
        return list(config.getoption(key) or config.getini(key))

    def asked(self, config: pytest.Config) -> bool:
        """Whether the run is to be measured."""
        return bool(self.words(config, "")) and not config.getoption(self.mark)

    def add_options(self, parser: pytest.Parser) -> None:
        """Add the options, each of them to the configuration file, too, with underscores: fsm_cov =
        ["magic"].
        """
        group = parser.getgroup(self.flag, "coverage of state machines")
        for option, (what, help) in self.options().items():
            flag, key = f"--{self.flag}-{option}".rstrip("-"), self.key_of(option)
            more = {} if option else {"nargs": "?", "const": "all"}
            group.addoption(
                flag, action="append", default=None, metavar=what, dest=key, help=help, **more
            )
            parser.addini(key, f"as {flag}", type="linelist", default=[])
        help = "Measure nothing, whatever else is said."
        group.addoption(f"--no-{self.flag}", action="store_true", dest=self.mark, help=help)

    def add_marker(self, config: pytest.Config) -> None:
        """Declare the marker."""
        config.addinivalue_line(
            "markers", f"{self.mark}: nothing is measured while this test runs."
        )


def spare_assertions(pluginmanager: pytest.PytestPluginManager, *packages: str) -> None:
    """Keep pytest from rewriting the assertions of these packages.

    pytest does so for all packages of a distribution that has a plugin. It would cost seconds
    wherever no bytecode is written, and would meet a stranger's `fsm` as well. A pytest without
    this set is only slower.
    """
    marked = getattr(pluginmanager.rewrite_hook, "_must_rewrite", set[str]())
    marked.difference_update(packages)


def explained(op: str, left: object, right: object) -> list[str] | None:
    """Return the lines of a failed comparison with a path that was recorded: they say where the two
    part.
    """
    for one, other in ((left, right), (right, left)):
        kind = type(one)
        if (
            op == "=="
            and kind.__module__.endswith(".coverage.traversal.paths")
            and hasattr(one, "explain_against")
        ):
            lines: list[str] = one.explain_against(other)
            return lines
    return None
