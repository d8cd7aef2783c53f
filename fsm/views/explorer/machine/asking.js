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
  const asked = { at, state: state.id, facts: factsAsked(run),
    expired: run.expired, triggered: run.triggered };
  if (state.kind === "final") return { is: "Over", ...asked, facts: [], winners: winnersOf(agenda) };
  const is = KINDS.get(state.asks);
  if (!is) throw new Refused("StuckError", `nothing can fire here: “${state.id}” is an action, but asks for nothing`);
  return { is, ...asked, ...extraWords(run, state) };
}

function winnersOf(agenda) {
  return opposing(agenda).length ? [] : fromActive(agenda).flatMap((side) => membersOf(agenda, side));
}

function extraWords(run, state) {
  const { agenda } = run;
  if (state.asks === "priority") {
    const members = membersOf(agenda, run.holder), acting = performers(run, run.model.state(run.state).by);
    const taking = state.manner === "taking_part" ? members.filter((player) => acting.includes(player)) : [];
    const players = taking.length ? taking : members;
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

/** The facts that an answer without orders must tell, or may have to: every answer is tried, with every fact both ways. */
function factsAsked(run) {
  const state = waitingState(run), asked = new Set(state.tells);
  const live = new Set(run.model.liveFacts);
  for (const word of wordsOf(state)) {
    const later = [];
    later.push(new Choices([], later));
    for (let tried = 0; later.length && tried < MOST_TRIED; tried += 1) {
      const told = later.pop(), { agenda, calendar } = run;
      const twin = { run: { ...run, agenda: { ...agenda }, calendar: { ...calendar }, told }, records: [] };
      try {
        fire(twin, Boolean(run.frame && run.model.window), word);
        onward(twin);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
      [...told.keys()].filter((name) => live.has(name)).forEach((name) => asked.add(name));
    }
  }
  return [...asked];
}

const MOST_TRIED = 512;

/** Values of facts that are chosen when they are read. `later` gets what was not chosen. */
class Choices extends Map {
  constructor(chosen, later) {
    super(chosen);
    this.later = later;
  }

  has() {
    return true;
  }

  get(name) {
    if (!super.has(name)) {
      this.later.push(new Choices([...this, [name, true]], this.later));
      this.set(name, false);
    }
    return super.get(name);
  }
}

const isTold = (fact) => fact.owner === "game" && fact.timing !== "latched";
