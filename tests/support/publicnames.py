"""The public names: whoever changes one changes this list, and says so in the changelog."""

from __future__ import annotations

PUBLIC = {
    "fsm": (
        "AddPhase AddStep AddTurn Answer Appoint BaseHost CheckState ControlNextTurn DelayedTrigger "
        "Effect EndPhase EndTurn FsmError History Leave Model Order Over Perform PlaceTriggers "
        "Priority Request Resolve Result ReverseTurnOrder Signal SkipPhase SkipStep SkipTurn "
        "StandingTrigger StartAt Trace TurnController Withdraw check conform diff draw drive inspect load"
    ),
    "fsm.adapters": "is_machine model_of",
    "fsm.aio": "TimeLimit drive",
    "fsm.checks": "Allowance Bounds Finding Proof Report Witness check prove report",
    "fsm.coverage": (
        "Coverage Data Difference Session Subject Target collecting combine context "
        "covered criteria data_of difference process_startup read save start stop subject_of "
        "targets"
    ),
    "fsm.engine": "Answered Machine Record freeze",
    "fsm.errors": (
        "AnswerError CoverageError DrawError FsmError HostError LogError ModelError ModelFileError OrderError "
        "PreviewError RulesetError ScenarioError SnapshotError StaleAnswerError StuckError TraceError"
    ),
    "fsm.hosts": (
        "Coming Decision Option Position StackHost Stops "
        "coming entering load_game saving write_safely"
    ),
    "fsm.model": (
        "Action Asks By COMPOSITE Duration Event Fact Kind LAYERS Layer Model Opens Owner Role STAND_IN "
        "Setting State StateRole Term Timing Transition"
    ),
    "fsm.rulesets": (
        "Absent Act Again Back Cut During Duration Either Fact FrameRules Phase PriorityRules Role RulesetOption Step Swap "
        "Table Then Window names options row"
    ),
    "fsm.scenarios": "Outcome Scenario load play",
    "fsm.stateless": "Waiting answer answer_many at start",
    "fsm.testing": "Path PathSet Traversal answers broken games paths traversed",
    "fsm.views": "Counts END HOLE Line Note Now Phase Reason Step Turn Way explore read tabulate timeline",
}
"""The names that each public module offers, by module."""
