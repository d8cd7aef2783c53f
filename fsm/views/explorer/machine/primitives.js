"use strict";
// The closed set of primitives: what a guard may test, and what a transition's action may do to a run.

const TESTS = new Map(Object.entries({
  skip_due: (run, level, family) => skipDue(run.agenda, level, family) !== null,
  extra_due: (run, level) =>
    (level === "turn" ? turnDue(run.agenda) : extraDue(run.agenda, level)) !== null,
  extra_before: (run, step) => extraBefore(run.agenda, step) !== null,
  candidate_is: (run, level, family) => run.agenda[`candidate_${level}`].what === family,
  inside_extra: (run, level) => run.agenda[`returns_${level}`].length > 0,
  inside_any_extra: (run) => run.agenda.returns_phase.length + run.agenda.returns_step.length > 0,
  returns_to(run, level, state) {
    const place = last(run.agenda[`returns_${level}`]);
    return place !== undefined && place.state === state;
  },
  only_another(run, step) {
    const phase = run.agenda.current_phase;
    return phase !== null && !["", step].includes(phase.only) && run.agenda.candidate_step.what !== step;
  },
  phase_under_way(run, family) {
    const phase = run.agenda.current_phase;
    return phase !== null && phase.under_way && phase.family === family;
  },
  begun: (run, level, family) => visits(run.agenda, level, family).length > 0,
  left({ agenda, holder }, side) {
    const who = { active: agenda.active, holder, next_side: agenda.candidate_turn }[side];
    return who !== "" && !living(agenda).includes(who);
  },
  tallied: (run, name, number) => own(run.agenda.tallies, name, 0) >= Number(number),
  starters_turn_is: (run, number) => run.agenda.active === sidesAmong(run.agenda)[0][0]
    && turnsOfActive(run.agenda, run.agenda.turns_taken) === Number(number),
  own_turn_is(run, number) {
    const turn = run.agenda.current_turn;
    return turn !== null && !turn.extra && turnsOfActive(run.agenda, run.agenda.own_turns) === Number(number);
  },
  starter_active: (run) => run.agenda.active === sidesAmong(run.agenda)[0][0],
  active_sits_last(run, among) {
    const alive = living(run.agenda);
    const sides = sidesAmong(run.agenda).map((side) => side[0]).filter((one) => among === "seated" || alive.includes(one));
    return last(sides) === run.agenda.active;
  },
  shared_turns: (run) => sidesAmong(run.agenda).some((side) => side.length > 1),
  setting: (run, name) => own(run.settings, name, false),
  more_sides_than: (run, number) => opposing(run.agenda).length >= Number(number) && living(run.agenda).length > 0,
  window_opens: (run, kind) => run.model.state(run.state).opens === kind,
  everyone_passed: (run) => living(run.agenda).every((side) => run.passed.includes(side) || run.out.includes(side)),
  everyone_done: (run) => takingPart(run).every((side) => run.passed.includes(side)),
  window_enters: (run, state) => run.model.state(run.state).enters === state,
  window_waits: (run) => run.interrupted.length > 0 && last(run.interrupted).state === run.state,
  waits_in: (run, state) => run.interrupted.length > 0 && last(run.interrupted).state === state,
  phase_waits: (run, name) => run.agenda.suspended.some((one) => one.phase && one.phase.name === name),
  turn_is: (run, number) => run.agenda.turns_taken.reduce((sum, one) => sum + one, 0) === Number(number),
}));

const ACTIONS = new Map(Object.entries({
  next_player: (run) => nextPlayer(run.agenda),
  take_turn: (run) => takeTurn(run.agenda),
  begin_turn(run) {
    beginTurn(run.agenda);
    bindTurn(run.calendar, momentOf(run, "begin", ["turn"]), run.model.durations);
    expire(run, "begin", "turn");
  },
  same_player(run) {
    const { agenda } = run, side = agenda.active ? firstSide(agenda) : sidesAmong(agenda)[0][0];
    Object.assign(agenda, { candidate_turn: side, candidate_turn_extra: false, candidate_turn_label: "" });
  },
  end_turn(run) {
    endTurn(run.agenda);
    run.interrupted = [];
    keepAppointed(run, "game");
    run.expired = [...run.expired, ...closeTurn(run.calendar, run.agenda.turn, comingLabels(run.agenda))];
  },
  miss_turn(run) {
    run.expired = [...run.expired, ...missTurn(run.calendar, run.agenda.candidate_turn, run.model.durations)];
  },
  begin: beginLoudly,
  begin_quietly(run, level, name, family) {
    begin(run.agenda, level, name, family);
    expire(run, "begin", name, family);
  },
  end: endNow,
  pass_over: (run, level) => passOver(run.agenda, level),
  consume_skip(run, level, family) {
    consumeSkip(run.agenda, level, family);
    if (level !== "turn") passOver(run.agenda, level);
  },
  suspend: (run) => suspend(run.agenda),
  resume: (run) => resume(run.agenda),
  suspend_window(run, state) {
    run.interrupted = [...run.interrupted, { state, holder: run.holder, passed: run.passed, out: run.out }];
  },
  resume_window(run) {
    const { holder, passed, out } = last(run.interrupted);
    const holds = holder || firstSide(run.agenda); // it had not opened yet
    Object.assign(run, { holder: holds, passed, out, interrupted: run.interrupted.slice(0, -1) });
  },
  break_off(run, name) {
    while (run.agenda.suspended.length && (run.agenda.current_phase || {}).name !== name) {
      endNow(run, "step");
      endNow(run, "phase");
      resume(run.agenda);
      run.interrupted = run.interrupted.slice(0, -1);
    }
  },
  tally(run, name) {
    run.agenda.tallies = oneMore(run.agenda.tallies, name);
  },
  push_return: (run, level, state) => pushReturn(run.agenda, level, state),
  pop_return: (run, level) => popReturn(run.agenda, level),
  take_extra: (run, level) => take(run.agenda, extraDue(run.agenda, level)),
  take_before: (run, step) => take(run.agenda, extraBefore(run.agenda, step)),
  drop(run, level) {
    if (level === "phase") return dropPhase(run.agenda);
    run.interrupted = [];
    return dropTurn(run.agenda);
  },
  latch(run, fact) {
    if (!run.latched.includes(fact)) run.latched = [...run.latched, fact];
  },
  clear(run, scope) {
    const facts = [...run.model.facts, ...(run.model.window ? run.model.window.facts : [])];
    const gone = facts.filter((fact) => fact.scope === scope).map((fact) => fact.name);
    run.latched = run.latched.filter((name) => !gone.includes(name));
  },
  mark: (run, name) => expire(run, "mark", name),
  priority_to_next(run) {
    for (const side of sidesAmong(run.agenda)) {
      run.holder = following(run.agenda, run.holder);
      if (side && !run.out.includes(run.holder)) return;
    }
  },
  priority_to_first(run) {
    run.holder = takingPart(run)[0] || firstSide(run.agenda);
    run.passed = [];
  },
  priority_onward(run) {
    run.holder = takingPart(run).find((side) => !run.passed.includes(side)) || run.holder;
  },
  all_in(run) {
    run.out = [];
  },
  note_out(run) {
    run.out = [...run.out, run.holder];
  },
  note_pass(run) {
    run.passed = [...run.passed, run.holder];
  },
  note_action(run) {
    run.passed = [];
  },
}));

const momentOf = (run, kind, names) => ({ kind, names, active: run.agenda.active, turn: run.agenda.turn,
  labels: labelled(run.agenda).map((one) => one.label) });

function expire(run, kind, ...names) {
  run.expired = [...run.expired, ...expireAt(run.calendar, momentOf(run, kind, names), run.model.durations)];
}

function endNow(run, level) {
  const ended = end(run.agenda, level);
  if (!ended) return;
  if (level === "phase") keepAppointed(run, "turn", "game");
  expire(run, "end", ended.name, ended.family);
}

function beginLoudly(run, level, name, family) {
  begin(run.agenda, level, name, family);
  expire(run, "begin", name, family);
  if (level !== "step") return;
  const began = run.agenda.begun.map((one, i, all) => (one.level === "step" ? beginningNames(run.model, all[i - 1], one) : []));
  const due = triggerAt(run.calendar, momentOf(run, "begin", last(began)), began.slice(0, -1).flat());
  run.triggered = [...run.triggered, ...due];
}

/** The names of what begins with a step: its own, and those of its phase if that is what began before it. */
function beginningNames(model, before, step) {
  if (!before || before.level !== "phase") return [step.name, step.family];
  const steps = model.ofKind("step").flatMap((one) => [one.name, one.family]);
  return [step.name, step.family, ...[before.name, before.family].filter((word) => !steps.includes(word))];
}

/** The value of a fact now. Throws Refused when the game has not told it. */
function holds(run, fact) {
  if (fact.timing === "latched") {
    const chosen = run.told instanceof Choices && fact.owner === "game" && !fact.last && run.told.get(fact.name);
    if (chosen && !run.latched.includes(fact.name)) run.latched = [...run.latched, fact.name];
    return run.latched.includes(fact.name);
  }
  if (fact.owner !== "game") return TESTS.get(fact.test[0])(run, ...fact.test.slice(1));
  if (!run.told.has(fact.name)) throw new Refused("AnswerError", `the answer does not tell the fact “${fact.name}”`);
  return run.told.get(fact.name);
}
