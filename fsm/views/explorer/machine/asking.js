"use strict";
// From a waiting state to a request: what is asked, of whom, and which game facts the answer may have to tell.

const KINDS = new Map([["priority", "Priority"], ["check", "Check"], ["perform", "Perform"], ["place", "Place"],
  ["resolve", "Resolve"]]);

function positionOf(run) {
  const { agenda } = run, { current_phase: phase, current_step: step } = agenda;
  return { turn: agenda.turn, active: agenda.active, controller: agenda.decider,
    extra: Boolean(agenda.current_turn && agenda.current_turn.extra), phase: phase ? phase.name : "",
    step: step ? step.name : "", iteration: step ? step.iteration : 0, stage: run.state };
}

function waitingState(run) {
  return run.frame && run.model.window ? run.model.window.state(run.frame) : run.model.state(run.state);
}

function requestOf(run) {
  const { agenda } = run, state = waitingState(run), at = positionOf(run);
  const detours = agenda.extras.length + agenda.returns_phase.length + agenda.returns_step.length > 0;
  const asked = { at, state: state.id, facts: factsAsked(run.model, run.state, state, run.frame, detours),
    expired: run.expired, triggered: run.triggered };
  if (state.kind === "final") return { is: "Over", ...asked, facts: [] };
  const is = KINDS.get(state.asks);
  if (!is) throw new Refused("Stuck", `nothing can fire here: “${state.id}” is an action, but asks for nothing`);
  return { is, ...asked, ...extraWords(run, state) };
}

function extraWords(run, state) {
  const { agenda } = run;
  if (state.asks === "priority") {
    const players = membersOf(agenda, run.holder);
    return { player: players[0] || "", players };
  }
  if (state.asks === "perform") {
    return { action: state.action, manner: state.manner, players: performers(agenda, state.by) };
  }
  if (state.asks === "place") {
    return { players: fromActive(agenda).flatMap((side) => membersOf(agenda, side)), manner: state.manner };
  }
  return {};
}

function factsAsked(model, state, waits, frame, detours) {
  const asked = new Set(waits.tells), inside = frame ? model.window : model;
  for (const event of model.signals) factsAfter(model, state, event, detours).facts.forEach((fact) => asked.add(fact));
  for (const word of wordsOf(waits)) {
    const { facts, closes } = factsAfter(inside, waits.id, word, detours);
    facts.forEach((fact) => asked.add(fact));
    if (closes) factsAfter(model, state, "closed", detours).facts.forEach((fact) => asked.add(fact));
  }
  return [...asked];
}

function factsAfter(model, state, event, detours) {
  const key = JSON.stringify([state, event, detours]);
  if (!model.searches.has(key)) model.searches.set(key, searchFacts(model, state, event, detours));
  return model.searches.get(key);
}

/** The game facts that may be read before the next request, and whether a window may close. */
function searchFacts(model, state, event, detours) {
  const facts = new Set(), seen = new Set(), todo = [[state, event]];
  let closes = false;
  while (todo.length) {
    for (const row of model.rows(...todo.pop())) {
      if (row.generic && row.layer === "extra" && !detours) continue;
      row.guard.map((term) => model.fact(term.fact)).filter(isTold).forEach((fact) => facts.add(fact.name));
      const target = row.target === null ? null : model.state(row.target);
      if (!target || seen.has(target.id)) continue;
      seen.add(target.id);
      closes = closes || target.kind === "final";
      if (["choice", "stage"].includes(target.kind)) todo.push([target.id, "done"]);
    }
  }
  return { facts: [...facts], closes };
}

const isTold = (fact) => fact.owner === "game" && fact.timing !== "latched";
