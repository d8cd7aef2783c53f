"use strict";
// The Controller: one game of a Model. It says what it needs next (`request`) and takes the answer (`answer`).

const SILENT_LIMIT = 10000;

class Controller {
  /** `head` is that of a trace: {players, teams, settings, orders}. Throws Refused when it does not fit. */
  constructor(model, head) {
    this.model = model;
    this.head = { teams: [], settings: {}, orders: [], ...head };
    const { players, teams } = this.head;
    checkNames(players);
    this.run = { model, agenda: newAgenda(players, teams, takenOneByOne(model)), calendar: newCalendar(), settings: settingsOf(model, this.head),
      state: model.initial, frame: "", holder: "", passed: [], latched: [], out: [], interrupted: [], heard: [], told: new Map(), expired: [], triggered: [] };
    this.head.orders.forEach((order) => applyOrder(this.run, order));
    this.records = [];
    onward(this);
    this.request = requestOf(this.run);
  }

  /** An independent game that has come as far. */
  fork() {
    const { agenda, calendar } = this.run;
    const run = { ...this.run, agenda: { ...agenda }, calendar: { ...calendar } };
    return Object.assign(Object.create(Controller.prototype), this, { run });
  }

  /** Take the answer to `request`; `records` are then what it made fire. Throws Refused, and nothing has changed. */
  answer(given) {
    const answer = { word: "done", facts: {}, orders: [], ...given };
    if (waitingState(this.run).kind === "final") throw new Refused("AnswerError", "the game is over: there is nothing to answer");
    const next = this.fork();
    next.records = [];
    const whole = answer.player || (next.run.heard.length && answer.word) ? wholeAnswer(next.run, answer) : answer;
    if (whole) {
      takeAnswer(next, whole);
      if (next.run.heard.length && !awaited(next.run).length) takeAnswer(next, wholeAnswer(next.run, { word: "done", facts: {}, orders: [] }));
      onward(next);
    }
    next.request = requestOf(next.run);
    next.run.told = new Map();
    return Object.assign(this, next).request;
  }
}

const hasToken = (model) => model.transitions.some((row) => row.actions.some((action) => action.name === "same_player"));
const takenOneByOne = (model) => model.states.some((state) => state.kind === "turn" && state.manner === "one_by_one");

function checkNames(players) {
  const named = players.every((player) => typeof player === "string" && player);
  if (!players.length || !named || new Set(players).size !== players.length) {
    throw new Refused("GameError", "players must be one or more different names, each a string that is not empty");
  }
}

function settingsOf(model, head) {
  const sides = sidesAmong(head);
  const two = sides.length === 2 && sides[0].length === sides[1].length;
  const standing = (one) => (one.default === "two_sides" ? two : one.default === "two_players" ? two && sides[0].length === 1 : one.default);
  return Object.fromEntries(model.settings.map((one) => [one.name, own(head.settings, one.name, standing(one))]));
}

// the loop between two requests

/** Those of several players who have still to answer. */
function awaited(run) {
  const state = waitingState(run);
  if (state.asks !== "perform") return [];
  return performers(run, state.by).filter((player) => !run.heard.some((one) => one.player === player));
}

/** The answer of all, or null while that of one of several players is missing. */
function wholeAnswer(run, answer) {
  if (answer.player) {
    run.heard = [...run.heard, answer];
    if (awaited(run).length) return null;
  }
  const state = waitingState(run), given = answer.player ? [] : [answer];
  const heard = performers(run, state.by).flatMap((player) => run.heard.filter((one) => one.player === player));
  const facts = Object.assign({}, ...state.tells.map((name) => ({ [name]: false })), ...given.map((one) => one.facts));
  heard.flatMap((one) => Object.entries(one.facts)).filter(([, value]) => value).forEach(([name]) => { facts[name] = true; });
  run.heard = [];
  return { word: "done", facts, orders: [...heard, ...given].flatMap((one) => one.orders) };
}

function takeAnswer(game, answer) {
  const { run } = game, facts = Object.entries(answer.facts);
  run.expired = [];
  run.triggered = [];
  run.told = new Map(facts);
  const stays = run.model.gameFacts.filter((fact) => fact.timing === "latched" && !fact.last && run.told.get(fact.name));
  run.latched = [...new Set([...run.latched, ...stays.map((fact) => fact.name)])];
  answer.orders.forEach((order) => applyOrder(run, order));
  delete run.leaving;
  if (answer.word) fire(game, Boolean(run.frame && run.model.window), answer.word);
  const leaving = answer.orders.filter((order) => order.is === "Leave").flatMap((order) => order.players);
  if (leaving.length) takeLeaving(game, leaving);
  for (const order of answer.orders.filter(eventOf)) interrupt(game, eventOf(order));
}

function takeLeaving(game, players) {
  const { agenda } = game.run;
  players.forEach((player) => leaveGame(agenda, player));
  if (hasToken(game.run.model) && !living(agenda).includes(agenda.active)) {
    agenda.active = following(agenda, agenda.active);
    if (agenda.left.includes(agenda.decider)) agenda.decider = headOf(agenda, agenda.active);
  }
  interrupt(game, LEAVING);
}

function interrupt(game, event) {
  const { run } = game, { window } = run.model;
  if (!run.model.rows(run.state, event).length) return;
  if (fire(game, false, event).target !== null) run.frame = "";
  else if (window && run.frame && window.rows(run.frame, event).length) fire(game, true, event);
}

function onward(game) {
  const { run } = game;
  for (let i = 0; i < SILENT_LIMIT; i += 1) {
    const state = waitingState(run), inside = Boolean(run.frame);
    if ((state.kind === "action" && isAsked(run, state)) || (state.kind === "final" && !inside)) return;
    if (state.kind === "action") state.tells.forEach((name) => run.told.set(name, false));
    if (state.kind === "final") {
      run.frame = "";
      fire(game, false, "closed");
    } else if (state.kind === "window") openWindow(run);
    else fire(game, inside, "done");
  }
  throw new Refused("StuckError", `${SILENT_LIMIT} transitions fired and nothing was asked`);
}

/** Nobody is asked to perform an action when nobody has its role. */
function isAsked(run, state) {
  return !roleNamed(run.model, state.by) || performers(run, state.by).length > 0;
}

/** What an action decides is the last answer. */
function decide(run, state) {
  for (const name of state.tells.filter((one) => run.model.fact(one).last)) {
    run.latched = run.latched.filter((one) => one !== name).concat(run.told.get(name) ? [name] : []);
  }
}

function openWindow(run) {
  if (!run.model.window) {
    throw new Refused("StuckError", `nothing can fire here: “${run.state}” is a window, and there is no window model`);
  }
  run.frame = run.model.window.initial;
}

/** Fire the first row whose guard holds, and note it. Throws Refused when there is none. */
function fire(game, inside, event) {
  const { run } = game, model = inside ? run.model.window : run.model, attribute = inside ? "frame" : "state";
  const source = run[attribute], guards = new Map();
  if (!inside && event === "done") decide(run, model.state(source));
  const consult = (term) => {
    if (!guards.has(term.fact)) guards.set(term.fact, holds(run, model.fact(term.fact)));
    return guards.get(term.fact) === term.value;
  };
  const row = model.rows(source, event).find((one) => one.guard.every(consult));
  if (!row) throw new Refused("StuckError", `nothing can fire here: “${event}” in “${source}”`);
  row.actions.forEach((action) => ACTIONS.get(action.name)(run, ...action.args));
  if (row.target !== null) run[attribute] = row.target;
  if (!inside && row.target !== null) run.heard = [];
  game.records.push(recordOf(run, inside, [source, run[attribute]], event, row, guards));
  return row;
}

function recordOf(run, inside, [source, target], event, row, guards) {
  const { turn, active, extra, phase, step, iteration } = positionOf(run);
  const { current_phase, current_step } = run.agenda;
  return { machine: inside ? "window" : "turn", event, transition: row.id, source, target, guards: [...guards],
    actions: row.actions.map((action) => (action.args.length ? `${action.name}(${action.args.join(", ")})` : action.name)),
    turn, active, extra, phase, step, iteration, extra_phase: Boolean(current_phase && current_phase.extra),
    extra_step: Boolean(current_step && current_step.extra), phase_id: current_phase ? current_phase.id : 0,
    step_id: current_step ? current_step.id : 0 };
}

/** Why an event cannot fire now, or nothing would come of it: the terms that stand in the way; null when it can. */
function whyNot(run, event) {
  const inside = Boolean(run.frame && run.model.window) && !run.model.signals.includes(event);
  const model = inside ? run.model.window : run.model;
  const rows = model.rows(inside ? run.frame : run.state, event), tried = [];
  for (const row of rows) {
    const wrong = row.guard.find((term) => valueOf(run, model.fact(term.fact)) !== term.value);
    if (!wrong && row.target !== null) return null;
    if (!wrong) return [...tried, { row, fact: "", value: null }];
    tried.push({ row, fact: wrong.fact, value: valueOf(run, model.fact(wrong.fact)) });
  }
  return tried;
}

/** The value of a fact, or null when only the answer will tell it. */
function valueOf(run, fact) {
  return isTold(fact) && !run.told.has(fact.name) ? null : holds(run, fact);
}
