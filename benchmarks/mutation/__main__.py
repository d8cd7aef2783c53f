"""Do generated tests notice when a ruleset is changed? A mutation run of it, as a command.

    python -m benchmarks.mutation [RULESET ...] [--criteria C,C] [--sample N] [--seed S]
    [--markdown] [-o FILE]

Without a ruleset all shipped ones are tried. The exit code is 1 when a mutant is neither noticed
nor explained.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path as File

import fsm
from benchmarks.mutation import run
from benchmarks.mutation.report import as_markdown, as_text
from benchmarks.mutation.running import CRITERIA, EFFORT, SEARCH
from fsm.rulesets import names


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mutation", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "ruleset", nargs="*", default=list(names()), help="all that are shipped, if none is named"
    )
    parser.add_argument(
        "--criteria", default=",".join(CRITERIA), help="of the paths, with commas between"
    )
    parser.add_argument(
        "--sample", type=int, default=0, help="so many mutants, chosen by the seed; 0 for all"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--effort", type=int, default=EFFORT, help="so many answers at most for the paths"
    )
    parser.add_argument(
        "--search",
        type=int,
        default=SEARCH,
        help="so many answers at most in games made for mutants",
    )
    parser.add_argument("--markdown", action="store_true", help="a page for the documentation")
    parser.add_argument("-o", "--output", type=File, help="write it to this file")
    asked = parser.parse_args(arguments)
    criteria, outcomes = asked.criteria.split(","), []
    for ruleset in asked.ruleset:
        outcome = run(fsm.load(ruleset), criteria, effort=asked.effort, search=asked.search, sample=asked.sample,
                      seed=asked.seed)  # fmt: skip
        outcomes.append(outcome)
        print(
            as_text(outcome),
            file=sys.stderr if asked.markdown and not asked.output else sys.stdout,
            flush=True,
        )
    text = (
        as_markdown(outcomes, criteria)
        if asked.markdown
        else "\n".join(map(as_text, outcomes)) + "\n"
    )
    if asked.output:
        asked.output.write_text(text, "utf-8")
    elif asked.markdown:
        print(text, end="")
    return 0 if all(outcome.explained for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
