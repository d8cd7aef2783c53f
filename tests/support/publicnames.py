"""The public names: whoever changes one changes this list, and says so in the changelog."""

from __future__ import annotations

PUBLIC = {
    "fsm": (
        "AddPhase AddStep AddTurn Answer Appoint BaseHost CheckState ControlNextTurn DelayedTrigger "
        "Effect EndPhase EndTurn FsmError History Leave Model Over Perform PlaceTriggers "
        "Priority Request Resolve Result ReverseTurnOrder Signal SkipPhase SkipStep SkipTurn StandingTrigger "
        "StartAt Trace TurnController Withdraw check diff draw drive "
        "inspect load"
    ),
    "fsm.adapters": "Reading is_machine model_of read",
    "fsm.aio": "AutoPass BaseHost StackHost TimeLimit ask drive",
    "fsm.analysis.checks": "Allowance Finding Kind MEANING Report SEVERITY Severity check reachable report solve",
    "fsm.analysis.modelchecking": "Bounds FULL Proof Witness prove",
    "fsm.compiled": "CompiledCondition CompiledEvent CompiledMachine CompiledState CompiledTransition",
    "fsm.conformance": "Conformance LogConformance Mismatch conform",
    "fsm.coverage": (
        "Coverage CoverageError Data Difference Session Subject Target Walk collecting combine context "
        "covered criteria data_of difference model_in process_startup read save start stop subject_of "
        "switch targets"
    ),
    "fsm.embedding": (
        "AutoPass BaseHost Coming Decision Game History HostWarning Option Position Refusal StackHost Stops "
        "PreviewError ask coming drive entering logged next_turn saving write_safely"
    ),
    "fsm.engine": (
        "Answer Answered CheckState Machine Over Perform PlaceTriggers Position Priority Record Request "
        "Resolve Result Signal Trace TurnController"
    ),
    "fsm.errors": (
        "AnswerError CoverageError DrawError FsmError HostError LogError ModelError ModelFileError OrderError "
        "PreviewError RulesetError ScenarioError SnapshotError StaleAnswerError StuckError TraceError"
    ),
    "fsm.model": (
        "Action Asks By COMPOSITE Duration Event Fact Kind LAYERS Layer Model Opens Owner Role STAND_IN "
        "Setting State Term Timing Transition"
    ),
    "fsm.orders": (
        "AddPhase AddStep AddTurn Appoint ControlNextTurn DelayedTrigger Effect EndPhase EndTurn "
        "Leave Order ReverseTurnOrder Signal SkipPhase SkipStep SkipTurn StandingTrigger Withdraw"
    ),
    "fsm.rulesets": (
        "Absent Act Again Back During Duration Either Fact FrameRules Phase PriorityRules RulesetOption Step Swap "
        "Table Then Window load load_without_code names options priority_window row window_alone"
    ),
    "fsm.scenarios": "Outcome Scenario ScriptedTurn forget_verb load parse_scenarios play verb",
    "fsm.stateless": "Waiting answer answer_many at start",
    "fsm.testing": "Traversal answers broken games paths traversed",
    "fsm.testing.generation": "Path PathSet Start paths",
    "fsm.views": "draw explore tabulate timeline",
    "fsm.views.inspector": "Inspector inspect",
}
"""The names that each public module offers, by module."""
