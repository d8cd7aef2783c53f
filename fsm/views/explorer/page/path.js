"use strict";
// The way so far, read off the records: one entry for each turn, and for each phase or step that began or was skipped.

/** The entries up to a position: {kind, turn, id, code, label, rule, extra, at}; `at` is the position after it began. */
function pathOf(session) {
  const found = [];
  let turn = 0, step = 0;
  if (session.head.snapshot) {
    const { agenda } = session.games[0].run, begun = agenda.current_step;
    found.push({ kind: "turn", turn: agenda.turn, active: agenda.active, extra: Boolean(agenda.current_turn?.extra), at: 0 });
    if (begun) found.push({ ...placeEntry(session, begun.name, session.games[0].run.state), turn: agenda.turn, extra: begun.extra, iteration: begun.iteration, at: 0 });
    [turn, step] = [agenda.turn, begun?.id ?? 0];
  }
  for (let at = 0; at <= session.at; at += 1) {
    for (const record of session.games[at].records.filter((one) => one.machine === "turn")) {
      if (record.turn !== turn) found.push({ kind: "turn", turn: record.turn, active: record.active, extra: record.extra, at });
      turn = record.turn;
      const row = rowById(session.model, record.transition);
      for (const skipped of skippedBy(session.model, row)) found.push({ ...skipped, kind: "skipped", turn, rule: row.rule, at });
      if (record.step_id && record.step_id !== step && record.step_id > step) found.push({ ...stepEntry(session, record), at });
      else if (signalled(session.model, record, row)) {
        found.push({ kind: "jump", turn, label: upperFirst(eventWords(session.model, record.event)), rule: row.rule, at });
      }
      step = Math.max(step, record.step_id);
    }
  }
  return found;
}

function rowById(model, id) {
  if (!model.idIndex) model.idIndex = new Map(model.transitions.map((row) => [row.id, row]));
  return model.idIndex.get(id);
}

function signalled(model, record, row) {
  return row && row.target !== null && model.signals.includes(record.event);
}

/** The steps that a row leaves out. */
function skippedBy(model, row) {
  const steps = Object.hasOwn(PAGE.skips, model.transitions.indexOf(row)) ? PAGE.skips[model.transitions.indexOf(row)] : [];
  return steps.map((id) => model.state(id)).map((state) => ({ id: state.id, label: labelOf(state), code: codeOf(model, state) }));
}

function stepEntry(session, record) {
  const { turn, iteration, extra_step, extra_phase } = record;
  return { ...placeEntry(session, record.step, record.target), turn, extra: extra_step || extra_phase, iteration };
}

/** The step of this name, near this state. */
function placeEntry({ model }, step, near) {
  const here = placeOf(model, model.state(near));
  const state = here.name === step ? here : model.ofKind("step").find((one) => one.name === step) || here;
  return { kind: "step", id: state.id, label: labelOf(state), code: codeOf(model, state), rule: state.rule };
}

function codeOf(model, state) {
  if (Object.hasOwn(PAGE.codes, state.id)) return PAGE.codes[state.id];
  return labelOf(state).slice(0, 2).toUpperCase();
}

/** The number of the tint of the phase around a state, or null. */
function hueOf(model, id) {
  const phase = model.enclosing(id, "phase");
  return phase && Object.hasOwn(PAGE.hues, phase.id) ? PAGE.hues[phase.id] : null;
}
