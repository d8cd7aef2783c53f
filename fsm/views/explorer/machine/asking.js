"use strict";
// From a waiting state to a request: what is asked, of whom, and which game facts the answer may have to tell.

const KINDS = new Map([["priority", "Priority"], ["check", "CheckState"], ["perform", "Perform"], ["place", "PlaceTriggers"],
  ["resolve", "Resolve"]]);

function positionOf(run) {
  const { agenda } = run, { current_phase: phase, current_step: step } = agenda;
  return { turn: agenda.turn, active: headOf(agenda, agenda.active), controller: agenda.decider,
    extra: Boolean(agenda.current_turn && agenda.current_turn.extra), phase: phase ? phase.name : "",
    step: step ? step.name : "", iteration: step ? step.iteration : 0, stage: run.state };
}

function waitingState(run) {
  return run.frame && run.model.window ? run.model.window.state(run.frame) : run.model.state(run.state);
}

function requestOf(run) {
  const { agenda } = run, state = waitingState(run), at = positionOf(run);
  const detours = agenda.extras.length + agenda.returns_phase.length + agenda.returns_step.length > 0;
  const busy = detours || (agenda.skips.length > 0 && state.role === "end");
  const asked = { at, state: state.id, facts: factsAsked(run.model, run.state, state, run.frame, busy),
    expired: run.expired, triggered: run.triggered };
  if (state.kind === "final") return { is: "Over", ...asked, facts: [], winners: winnersOf(agenda) };
  const is = KINDS.get(state.asks);
  if (!is) throw new Refused("StuckError", `nothing can fire here: “${state.id}” is an action, but asks for nothing`);
  return { is, ...asked, ...extraWords(run, state) };
}

function winnersOf(agenda) {
  const sides = living(agenda);
  return sides.length === 1 ? membersOf(agenda, sides[0]) : [];
}

function extraWords(run, state) {
  const { agenda } = run;
  if (state.asks === "priority") {
    const players = membersOf(agenda, run.holder);
    return { player: players[0] || "", players };
  }
  if (state.asks === "perform") {
    return { action: state.action, manner: state.manner, players: performers(run, state.by) };
  }
  if (state.asks === "place") {
    return { players: fromActive(agenda).flatMap((side) => membersOf(agenda, side)), manner: state.manner };
  }
  return {};
}

function factsAsked(model, state, waits, frame, busy) {
  const leftOut = busy ? [] : waits.role === "end" ? ["extras", "skips"] : ["extras"];
  const asked = new Set(waits.tells), inside = frame ? model.window : model;
  for (const event of model.signals) factsAfter(model, state, event, leftOut).facts.forEach((fact) => asked.add(fact));
  for (const word of wordsOf(waits)) {
    const { facts, closes } = factsAfter(inside, waits.id, word, leftOut);
    facts.forEach((fact) => asked.add(fact));
    if (closes) factsAfter(model, state, "closed", leftOut).facts.forEach((fact) => asked.add(fact));
  }
  return [...asked];
}

function factsAfter(model, state, event, leftOut) {
  const key = JSON.stringify([state, event, leftOut]);
  if (!model.searches.has(key)) model.searches.set(key, searchFacts(model, state, event, leftOut));
  return model.searches.get(key);
}

/** The game facts that may be read before the next request, and whether a window may close. */
function searchFacts(model, state, event, leftOut) {
  const facts = new Set(), seen = new Set(), todo = [[state, event, new Map()]];
  let closes = false;
  while (todo.length) {
    const [here, word, known] = todo.pop();
    for (const row of model.rows(here, word)) {
      if (row.guard.some((term) => known.get(term.fact) === !term.value)) continue;
      if (row.guard.some((term) => term.value && leftOut.includes(scheduledIn(model.fact(term.fact))))) continue;
      row.guard.map((term) => model.fact(term.fact)).filter(isTold).forEach((fact) => facts.add(fact.name));
      const target = row.target === null ? null : model.state(row.target);
      if (!target) continue;
      closes = closes || target.kind === "final";
      const after = latchedAfter(model, row, known), key = JSON.stringify([target.id, [...after].sort()]);
      if (!["choice", "stage"].includes(target.kind) || seen.has(key)) continue;
      seen.add(key);
      todo.push([target.id, "done", after]);
    }
  }
  return { facts: [...facts], closes };
}

/** What is known of latched facts after a transition: what its guard says, unless it changes such facts. */
function latchedAfter(model, row, known) {
  if (row.actions.some((action) => ["latch", "clear"].includes(action.name))) return new Map();
  const said = row.guard.filter((term) => model.fact(term.fact).timing === "latched");
  return new Map([...known, ...said.map((term) => [term.fact, term.value])]);
}

const OF_EXTRAS = ["extra_due", "extra_before", "inside_extra", "inside_any_extra", "returns_to", "only_another"];

/** What must be scheduled for this fact to hold: "skips" or "extras" of phases and steps, or "". */
function scheduledIn({ test: [name, level] }) {
  if (level === "turn") return "";
  return name === "skip_due" ? "skips" : OF_EXTRAS.includes(name) ? "extras" : "";
}

const isTold = (fact) => fact.owner === "game" && fact.timing !== "latched";
