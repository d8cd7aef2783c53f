"""Android: Netrunner, Comprehensive Rules 5.6, 5.7 and 6.9. Unofficial."""

from fsm.rulesets import Absent, Act, Back, Cut, During, Fact, Phase, Step, Table, Then, Window

TRIGGERS = Window(by="nobody")
"""What has triggered is handled; nobody acts."""
RUN = Phase("run",
    Step("initiation", Act("announce_server"), Act("gain_bad_publicity"),
        Act("run_begins", decides="ice_ahead"), TRIGGERS,
        then=(Then("approach_ice", "ice_ahead"), Then("movement"))),
    Step("approach_ice", Window(label="Rez the ice"), Act("look_at_ice", decides="rezzed"),
        then=(Then("encounter_ice", "rezzed"), Then("movement"))),
    Step("encounter_ice", Window(label="Break"), Act("any_unbroken", decides="unbroken"),
        Act("resolve_subroutine", when="unbroken"), Back("any_unbroken", "unbroken")),
    Step("movement", Window(name="passed_ice"), Act("jack_out", decides="jacks_out"),
        Act("move", when="not jacks_out", decides="ice_ahead"),
        Window(name="moved", when="not jacks_out"),
        then=(Then("run_ends", "jacks_out"), Then("approach_ice", "ice_ahead"))),
    Step("success", Act("run_succeeds"), TRIGGERS, Act("breach")),
    Step("run_ends", Act("end_run", ends="this_run"), TRIGGERS),
    cut=Cut("end_run", to="run_ends", says="an effect ends the run"))
RUNS = During("run", RUN, says="the Runner runs")
NETRUNNER = Table("netrunner",
    Phase("draw", Act("gain_three"), Window(during=RUNS), Act("refill_credits"),
        Window(name="turn_begins", by="nobody"), Act("draw_card"),
        unless=Absent("not starter_active", says="the Runner's turn")),
    Phase("action", Step("runner_turn", Act("gain_four"), Window(during=RUNS),
            Act("refill_credits"), Window(name="turn_begins", by="nobody", during=RUNS),
            unless=Absent("starter_active", says="the Corp's turn")),
        Step("between", Window(during=RUNS), Act("count_clicks", decides="clicks_left"),
            then=Then("end_of_phase", "not clicks_left")),
        Step("take_action", Window(kind="once", by="active", during=RUNS), then=Then("between")),
        cut=Cut("end_actions", says="an effect ends the actions")),
    Phase("discard", Step("discard", Act("discard")), Step("turn_ends", Window(), Act("lose_clicks"),
        Act("turn_ends", ends="end_of_turn"), Window(name="triggers", by="nobody"))),
    facts=(Fact("ice_ahead", says="ice is ahead"), Fact("rezzed", says="the ice is rezzed"),
        Fact("jacks_out", says="the Runner jacks out", denies="the Runner goes on"),
        Fact("clicks_left", denies="no click is left")),
    stack="none", title="Android: Netrunner", lacks="extra_phase, extra_step")
