"""Draw the gallery anew: the turn of every built-in ruleset, light and dark, beside this file."""

from pathlib import Path

from fsm.drawing import draw
from fsm.rulesets import load, names

for name in names():
    for theme, suffix in (("light", ""), ("dark", "-dark")):
        path = Path(__file__).with_name(f"{name}{suffix}.svg")
        path.write_text(draw(load(name), theme=theme), encoding="utf-8", newline="\n")
        print(path.name)
