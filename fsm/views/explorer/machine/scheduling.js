"use strict";
// How orders enter agenda and calendar: words are checked against the model, anchors are resolved.

const MOST = 1000;
const SCOPES = ["next", "each", "this_turn", "all_next_turn"];
const DELAYS = ["next", "your_next", "your_next_turn", "next_turn"];
const ORDERS = new Map(Object.entries({
  AddTurn: { player: "", count: 1, id: "", after: "", players: [] },
  SkipTurn: { player: "", count: 1, extra: false, scope: "next", id: "", players: [] },
  ControlNextTurn: { extra_turn_after: false, within: "", id: "" },
  AddPhase: { after: "", nth: 1, count: 1, player: "", you_get: false, id: "" },
  AddStep: { after: "current_step", before: "", count: 1, player: "", you_get: false, id: "" },
  SkipPhase: { player: "", scope: "next", within: "", id: "", players: [] },
  SkipStep: { player: "", scope: "next", within: "", id: "", players: [] },
  DelayedTrigger: { player: "", on: "next", within: "" },
  StandingTrigger: { whose: "each", first_each_turn: false },
  Effect: { until: "end_of_turn", within: "" },
  ReverseTurnOrder: {},
  Withdraw: {},
  Appoint: {},
  Leave: {},
  Signal: {},
  EndTurn: {},
  EndPhase: {},
}));
const LEAVING = "player_left";
const ENDING = { EndTurn: "end_turn", EndPhase: "end_phase" };

/** The event by which an order interrupts the turn, or "". */
const eventOf = (order) => (order.is === "Signal" ? order.event : ENDING[order.is] || "");
const signalOf = (event) => ({ is: "Signal", event });

/** Something the run cannot do: what was asked, told or scheduled does not fit. */
class Refused extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const wrongOrder = (message) => new Refused("OrderError", message);

/** Carry out one order, written as in a trace: {"is": "AddTurn", "player": "A"}. */
function applyOrder(run, given) {
  if (!ORDERS.has(given.is)) throw wrongOrder(`“${given.is}” is not an order`);
  const order = { ...ORDERS.get(given.is), ...given };
  SCHEDULE.get(order.is)(run, order);
  const { agenda, calendar } = run;
  hasRoom("agenda", agenda.turns.length + agenda.controls.length + agenda.skips.length + agenda.extras.length);
  hasRoom("calendar", calendar.lasting.length + calendar.delayed.length + calendar.standing.length);
}

function hasRoom(what, held) {
  if (held > MOST) throw wrongOrder(`the ${what} holds at most ${MOST} entries, and with this order it would hold ${held}`);
}

/** It interrupts the turn after the transition of the answer's word, and is only checked before. */
function checkEvent(run, order) {
  const event = eventOf(order);
  if (!run.model.signals.includes(event)) throw wrongOrder(`event “${event}” is not in ${run.model.name}`);
  if (event === LEAVING) throw wrongOrder(`“${event}” does not say who leaves: order Leave`);
}

const SCHEDULE = new Map(Object.entries({
  Signal: checkEvent,
  EndTurn: checkEvent,
  EndPhase: checkEvent,
  Leave(run, { players }) {
    if (!players.length || new Set(players).size !== players.length) throw wrongOrder("one or more different players leave");
    for (const player of players) {
      sideIn(run, player);
      if (run.agenda.left.includes(player)) throw wrongOrder(`player “${player}” has left the game already`);
    }
    run.leaving = [...(run.leaving || []), ...players]; // until the answer's orders have been carried out
  },
  AddTurn(run, order) {
    const { agenda } = run, sides = sidesIn(run, order), alive = fromActive(agenda);
    if (!sides.length) throw wrongOrder("AddTurn names no player: say who takes the turn");
    const now = agenda.current_turn, after = now && now.label === order.after ? "" : order.after;
    const rank = (side) => (alive.includes(side) ? alive.indexOf(side) : alive.length);
    for (const side of sides.sort((a, b) => rank(a) - rank(b))) {
      agenda.turns = [...times(order.count, { side, label: order.id, after }), ...agenda.turns];
    }
  },
  SkipTurn(run, order) {
    const { scope, id: label, extra } = order;
    oneOf("skip scope", scope, ["next", "each"]);
    const skip = { level: "turn", what: "turn", scope, turn: 0, within: "", label, extra };
    const skips = sidesOrAll(run, order).map((side) => ({ ...skip, side }));
    run.agenda.skips = [...run.agenda.skips, ...Array.from({ length: counted(order.count) }, () => skips.map((one) => ({ ...one }))).flat()];
  },
  ControlNextTurn(run, { player, by, extra_turn_after, within, id: label }) {
    sideIn(run, by);
    sideIn(run, player);
    if (run.agenda.left.includes(by)) throw wrongOrder(`player “${by}” has left the game, and decides for nobody any more`);
    run.agenda.controls = [...run.agenda.controls, { player, by, extra_turn_after, within, label }];
  },
  AddPhase(run, order) {
    needs(run.model, "extra phases", "extra_due", "phase");
    const block = order.phases.map((phase) => pending("phase", phaseFamily(run.model, phase, "candidate_is"), "", order.id));
    addExtras(run, order, block, phaseAnchor(run, order));
  },
  AddStep(run, order) {
    const step = known(run.model, "step", order.step);
    if (order.after === "current_phase" && !order.before) {
      needs(run.model, "steps added after a phase", "only_another");
      return addExtras(run, order, [phaseOfOneStep(run.model, step, order.id)], afterCurrent(run.agenda, "phase"));
    }
    needs(run.model, "extra steps", "extra_due", "step");
    const extra = pending("step", step, "", order.id);
    if (order.before) {
      const anchor = known(run.model, "step", order.before);
      return addExtras(run, order, [extra], (one) => ({ ...one, anchor, before: true }));
    }
    return addExtras(run, order, [extra], stepAnchor(run, order.after));
  },
  SkipPhase(run, order) {
    addSkips(run, order, "phase", phaseFamily(run.model, order.phase, "skip_due"));
  },
  SkipStep(run, order) {
    addSkips(run, order, "step", known(run.model, "step", order.step));
  },
  DelayedTrigger(run, { id, step: word, player, on, within }) {
    oneOf("delay", on, DELAYS);
    const { agenda, calendar } = run;
    const side = player ? sideIn(run, player) : agenda.active, step = beginning(run.model, word);
    calendar.delayed = [...calendar.delayed, { id, side, step, on, turn: 0, within }];
  },
  StandingTrigger(run, { id, step, whose, first_each_turn }) {
    const side = whose === "each" ? whose : sideIn(run, whose);
    const entry = { id, step: beginning(run.model, step), whose: side, first_each_turn };
    run.calendar.standing = [...run.calendar.standing, entry];
  },
  Effect(run, { id, player, until, within }) {
    oneOf("duration", until, run.model.durations.map((one) => one.name));
    const entry = { id, side: sideIn(run, player), until, turn: 0, within };
    run.calendar.lasting = [...run.calendar.lasting, entry];
  },
  ReverseTurnOrder(run) {
    run.agenda.reversed = !run.agenda.reversed;
  },
  Withdraw(run, { id }) {
    if (!id) throw wrongOrder("Withdraw needs the id of earlier orders");
    withdrawLabel(run.agenda, id);
    withdrawId(run.calendar, id);
  },
  Appoint(run, { role, player }) {
    const { agenda } = run, side = sideIn(run, player), phase = agenda.current_phase;
    if (role === "active") {
      if (!hasToken(run.model)) throw wrongOrder("turns go round, so nobody is appointed to be active");
      agenda.active = side;
      agenda.decider = player;
      return;
    }
    if (roleNamed(run.model, role)) {
      if (agenda.left.includes(player)) throw wrongOrder(`player “${player}” has left the game, and can have no role`);
      agenda.appointed = [...agenda.appointed.filter(([one]) => one !== role), [role, player]];
      return;
    }
    const known = phase && phase.under_way ? rolesIn(run.model, phase.name) : [];
    if (!known.length) throw wrongOrder("nobody is appointed here, since no role matters in this phase");
    if (!known.includes(role)) throw wrongOrder(`no action of this phase is done by “${role}”`);
    if (agenda.left.includes(player)) throw wrongOrder(`player “${player}” has left the game, and can have no role`);
    if (role === "defending" && partyOf(agenda, side) === partyOf(agenda, agenda.active)) {
      throw wrongOrder(`player “${player}” is active and cannot be the defending player`);
    }
    agenda.appointed = [...agenda.appointed.filter(([one]) => one !== role), [role, player]];
  },
}));

const hasToken = (model) => model.transitions.some((row) => row.actions.some((action) => action.name === "same_player"));

/** The roles in which somebody can be appointed in a phase, also those of a phase inside it. */
function rolesIn(model, phase) {
  const inside = model.states.filter((state) =>
    model.path(state.id).some((home) => home.kind === "phase" && home.name === phase));
  return inside.map((state) => roleOf(state.by)).filter((role) => role && !["active", "everyone", "opponents"].includes(role));
}

function addSkips(run, order, level, what) {
  const { scope, within, id: label } = order;
  oneOf("skip scope", scope, SCOPES);
  needs(run.model, `skipped ${level}s`, "skip_due", level);
  if (scope === "this_turn" && !run.agenda.current_turn) return; // before the first turn, none is this turn
  const turn = scope === "this_turn" ? run.agenda.turn : 0;
  const skips = sidesOrAll(run, order).map((side) => ({ level, what, side, scope, turn, within, label, extra: false }));
  run.agenda.skips = [...run.agenda.skips, ...skips];
}

const pending = (level, what, only, label) => ({ level, what, only, after: 0, anchor: "", nth: 0, before: false, label });
const times = (count, thing) => Array.from({ length: counted(count) }, () => ({ ...thing }));

/** Newest first, a block together. Without an anchor it hangs on what is past: nothing comes of it. */
function addExtras(run, order, block, anchor) {
  const count = counted(order.count);
  const side = order.player || order.you_get ? sideIn(run, order.player) : "";
  if (order.you_get) needs(run.model, "rule for what “you get”", "only_another");
  if (!anchor || (order.you_get && side !== run.agenda.active)) return;
  hasRoom("agenda", count * block.length);
  const made = Array.from({ length: count }, () => block.map(anchor)).flat();
  run.agenda.extras = [...made, ...run.agenda.extras];
}

function phaseAnchor(run, order) {
  const { agenda } = run;
  if (!order.after) return afterCurrent(agenda, "phase");
  const anchor = known(run.model, "phase", order.after), nth = counted(order.nth);
  const found = agenda.begun.filter((one) => one.level === "phase" && [one.name, one.family].includes(anchor));
  if (found.length < nth) return (extra) => ({ ...extra, anchor, nth });
  const meant = found[nth - 1];
  return isUnderWay(agenda, meant) ? (extra) => ({ ...extra, after: meant.id }) : null;
}

function stepAnchor(run, after) {
  const { agenda } = run, current = agenda.current_step;
  if (["", "current_step"].includes(after)) return afterCurrent(agenda, "step");
  const anchor = known(run.model, "step", after);
  if (current && current.under_way && current.name === anchor) return afterCurrent(agenda, "step");
  return (extra) => ({ ...extra, anchor });
}

function afterCurrent(agenda, level) {
  const current = agenda[`current_${level}`];
  return current && current.under_way ? (extra) => ({ ...extra, after: current.id }) : null;
}

function phaseOfOneStep(model, step, label) {
  const here = model.ofKind("step").find((state) => state.name === step);
  if (!here) throw wrongOrder(`name a step, not the family “${step}”`);
  return pending("phase", model.state(here.parent).family, step, label);
}

function needs(model, what, ...test) {
  const found = model.facts.some((fact) => test.every((word, i) => fact.test[i] === word));
  if (!found) throw wrongOrder(`${model.name} knows no ${what}`);
}

function sideIn(run, player) {
  if (!run.agenda.players.includes(player)) throw wrongOrder(`player “${player}” is not in this game`);
  return sideOf(run.agenda, player);
}

/** The sides of the players whom an order names, each once. */
function sidesIn(run, { is, player, players }) {
  if (player && players.length) throw wrongOrder(`${is} has both a player and players: one is right`);
  return [...new Set((player ? [player] : players).map((one) => sideIn(run, one)))];
}

function sidesOrAll(run, order) {
  const sides = sidesIn(run, order), leaving = run.leaving || [];
  const stays = (side) => membersOf(run.agenda, side).some((player) => !leaving.includes(player));
  return sides.length ? sides : living(run.agenda).filter(stays);
}

/** What a trigger waits for: a step, or a phase as its first step begins. */
function beginning(model, word) {
  return model.ofKind("phase").some((state) => [state.name, state.family].includes(word)) ? word : known(model, "step", word);
}

function counted(number) {
  if (!Number.isInteger(number) || number < 1 || number > MOST) {
    throw wrongOrder(`a count must be a number from 1 to ${MOST}, not ${number}`);
  }
  return number;
}

function oneOf(what, word, words) {
  if (!words.includes(word)) throw wrongOrder(`${what} “${word}” is unknown; known: ${words.join(", ")}`);
}

function phaseFamily(model, label, test) {
  const found = model.ofKind("phase").findLast((state) => [state.name, state.family].includes(label));
  if (!found) throw wrongOrder(`phase “${label}” is not in ${model.name}`);
  if (model.facts.some((fact) => fact.test[0] === test && fact.test[2] === label)) return label;
  return found.family;
}

function known(model, kind, label) {
  const found = model.ofKind(kind).some((state) => [state.name, state.family].includes(label));
  if (!found) throw wrongOrder(`${kind} “${label}” is not in ${model.name}`);
  return label;
}
