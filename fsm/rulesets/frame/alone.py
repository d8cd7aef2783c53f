"""The window of a ruleset alone, for engines that have turns of their own."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.errors import RulesetError
from fsm.model import Model, Opens, State, Transition
from fsm.model.likeness import ModelLike, as_model
from fsm.rulesets.frame.rows import CLOSED, DONE, row


def window_alone(model: ModelLike, opens: Opens = "natural") -> Model:
    """Return a Model whose whole game is one window of another Model. The game is over when the
    window closes.

    The game has one step, `window`, and the first player is the active one. Whoever leaves is
    treated as in the window, but no procedure of the turn follows.

    Parameters
    ----------
    model
        The Model that has the window.
    opens
        When the window opens: a word that its rulebook's windows have.

    Returns
    -------
    Model
        The Model of the window alone.

    Raises
    ------
    RulesetError
        If the Model has no window, or no window that opens like this.
    """
    model = as_model(model)
    windows = {state.opens: state for state in reversed(model.of_kind("window"))}
    if model.window is None or not windows:
        raise RulesetError(f"{model.name} has no window")
    if opens not in windows:
        raise RulesetError(
            f"no window of {model.name} opens {opens!r}; there is {' and '.join(map(repr, windows))}"
        )
    rule, leaving = model.window.state(model.window.initial).rule, tuple(_leaving(model))
    read = {term.fact for transition in leaving for term in transition.guard}
    ends = {transition.target for transition in leaving}
    return Model(
        name=f"{model.name}-window-alone",
        title=f"{model.title}: a window alone",
        edition=model.edition,
        initial="turn_before",
        states=(
            State("turn", "turn", "turn", "Turn", rule=rule),
            State("turn_before", "choice", "", "Before the window", "turn", "before", rule),
            State("turn_begin", "stage", "", "The first player is active", "turn", "begin", rule),
            State("step", "step", "window", "The window", "turn", rule=rule, family="window"),
            State("step_begin", "stage", "", "The window comes", "step", "begin", rule),
            State(
                "window", "window", "", windows[opens].label, "step", "window", rule, opens=opens
            ),
            State("window_closed", "final", "", "The window has closed", role="end", rule=rule),
            *(state for state in model.of_kind("final") if state.id in ends),
        ),
        transitions=(
            row("turn_before", "turn_begin", do=["next_player", "begin_turn"], rule=rule),
            row("turn_begin", "step_begin", do=["begin(step, window, window)"], rule=rule),
            row("step_begin", "window", rule=rule),
            row("window", "window_closed", event="closed", rule=rule),
            *leaving,
        ),
        events=(DONE, CLOSED, *(event for event in model.events if event.name == model.leaving)),
        facts=tuple(fact for fact in model.facts if fact.name in read),
        window=model.window,
    )


def _leaving(model: Model) -> Iterator[Transition]:
    """Yield what happens in any turn when a player leaves, but for the procedures that follow."""
    for transition in model.transitions:
        ends = transition.target is None or model.state(transition.target).kind == "final"
        if (
            transition.event == model.leaving
            and model.state(transition.source).kind == "turn"
            and ends
        ):
            yield transition
