"use strict";
// How orders enter agenda and calendar. They come from the engine or from the page's own form: what they say is right,
// but a model may know no such thing, or the player may have left.

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
  const order = { ...ORDERS.get(given.is), ...given };
  SCHEDULE.get(order.is)?.(run, order); // what interrupts the turn comes after the transition of the answer's word
}

const SCHEDULE = new Map(Object.entries({
  Leave(run, { players }) {
    run.leaving = [...(run.leaving || []), ...players]; // until the answer's orders have been carried out
  },
  AddTurn(run, order) {
    needs(run.model, "extra turns", "extra_due", "turn");
    const { agenda } = run, sides = sidesIn(run, order), alive = fromActive(agenda);
    const now = agenda.current_turn, after = now && now.label === order.after ? "" : order.after;
    const rank = (side) => (alive.includes(side) ? alive.indexOf(side) : alive.length);
    for (const side of sides.sort((a, b) => rank(a) - rank(b))) {
      agenda.turns = [...times(order.count, { side, label: order.id, after }), ...agenda.turns];
    }
  },
  SkipTurn(run, order) {
    const { scope, id: label, extra } = order;
    needs(run.model, "skipped turns", "skip_due", "turn");
    const skip = { level: "turn", what: "turn", scope, turn: 0, within: "", label, extra };
    const skips = sidesOrAll(run, order).map((side) => ({ ...skip, side }));
    run.agenda.skips = [...run.agenda.skips, ...Array.from({ length: order.count }, () => skips.map((one) => ({ ...one }))).flat()];
  },
  ControlNextTurn(run, { player, by, extra_turn_after, within, id: label }) {
    if (run.agenda.left.includes(by)) throw wrongOrder(`player “${by}” has left the game, and decides for nobody any more`);
    run.agenda.controls = [...run.agenda.controls, { player, by, extra_turn_after, within, label }];
  },
  AddPhase(run, order) {
    needs(run.model, "extra phases", "extra_due", "phase");
    const block = order.phases.map((phase) => pending("phase", phaseFamily(run.model, phase, "candidate_is"), "", order.id));
    addExtras(run, order, block, phaseAnchor(run, order));
  },
  AddStep(run, order) {
    const { step } = order;
    if (order.after === "current_phase" && !order.before) {
      needs(run.model, "steps added after a phase", "only_another");
      return addExtras(run, order, [phaseOfOneStep(run.model, step, order.id)], afterCurrent(run.agenda, "phase"));
    }
    needs(run.model, "extra steps", "extra_due", "step");
    const extra = pending("step", step, "", order.id);
    const before = (one) => ({ ...one, before: order.before });
    return addExtras(run, order, [extra], order.before ? before : stepAnchor(run, order.after));
  },
  SkipPhase(run, order) {
    addSkips(run, order, "phase", phaseFamily(run.model, order.phase, "skip_due"));
  },
  SkipStep(run, order) {
    addSkips(run, order, "step", order.step);
  },
  DelayedTrigger({ agenda, calendar }, { id, step, player, on, within }) {
    const side = player ? sideOf(agenda, player) : agenda.active;
    calendar.delayed = [...calendar.delayed, { id, side, step, on, turn: 0, within }];
  },
  StandingTrigger(run, { id, step, whose, first_each_turn }) {
    const side = whose === "each" ? whose : sideOf(run.agenda, whose);
    run.calendar.standing = [...run.calendar.standing, { id, step, whose: side, first_each_turn }];
  },
  Effect(run, { id, player, until, within }) {
    const entry = { id, side: sideOf(run.agenda, player), until, turn: 0, within };
    run.calendar.lasting = [...run.calendar.lasting, entry];
  },
  ReverseTurnOrder(run) {
    run.agenda.reversed = !run.agenda.reversed;
  },
  Withdraw(run, { id }) {
    withdrawLabel(run.agenda, id);
    withdrawId(run.calendar, id);
  },
  Appoint(run, { role, player }) {
    const { agenda } = run, others = agenda.appointed.filter(([one]) => one !== role);
    if (role === "active") Object.assign(agenda, { active: sideOf(run.agenda, player), decider: player });
    else agenda.appointed = [...others, [role, player]];
  },
}));

function addSkips(run, order, level, what) {
  const { scope, within, id: label } = order;
  needs(run.model, `skipped ${level}s`, "skip_due", level);
  if (scope === "this_turn" && !run.agenda.current_turn) return; // before the first turn, none is this turn
  const turn = scope === "this_turn" ? run.agenda.turn : 0;
  const skips = sidesOrAll(run, order).map((side) => ({ level, what, side, scope, turn, within, label, extra: false }));
  run.agenda.skips = [...run.agenda.skips, ...skips];
}

const pending = (level, what, only, label) => ({ level, what, only, after: "", nth: 1, before: "", label });
const times = (count, thing) => Array.from({ length: count }, () => ({ ...thing }));

/** Newest first, a block together. Without an anchor it hangs on what is past: nothing comes of it. */
function addExtras(run, order, block, anchor) {
  const side = order.player || order.you_get ? sideOf(run.agenda, order.player) : "";
  if (order.you_get) needs(run.model, "rule for what “you get”", "only_another");
  if (!anchor || (order.you_get && side !== run.agenda.active)) return;
  const made = Array.from({ length: order.count }, () => block.map(anchor)).flat();
  run.agenda.extras = [...made, ...run.agenda.extras];
}

function phaseAnchor(run, order) {
  const { agenda } = run, { after, nth } = order;
  if (!after) return afterCurrent(agenda, "phase");
  const meant = visits(agenda, "phase", after)[nth - 1];
  return !meant || isUnderWay(agenda, meant) ? (extra) => ({ ...extra, after, nth }) : null;
}

function stepAnchor({ agenda }, anchor) {
  const current = agenda.current_step, isCurrent = current && current.under_way && current.name === anchor;
  if (isCurrent || ["", "current_step"].includes(anchor)) return afterCurrent(agenda, "step");
  return (extra) => ({ ...extra, after: anchor, nth: 1 + visits(agenda, "step", anchor).length });
}

function afterCurrent(agenda, level) {
  const current = agenda[`current_${level}`];
  if (!current || !current.under_way) return null;
  const nth = visits(agenda, level, current.name).filter((one) => one.id <= current.id).length;
  return (extra) => ({ ...extra, after: current.name, nth });
}

function phaseOfOneStep(model, step, label) {
  const here = model.ofKind("step").find((state) => state.name === step);
  return pending("phase", model.state(here.parent).family, step, label);
}

function needs(model, what, ...test) {
  const found = model.facts.some((fact) => test.every((word, i) => fact.test[i] === word));
  if (!found) throw wrongOrder(`${model.name} knows no ${what}`);
}

/** The sides of the players whom an order names, each once. */
function sidesIn(run, { player, players }) {
  return [...new Set((player ? [player] : players).map((one) => sideOf(run.agenda, one)))];
}

function sidesOrAll(run, order) {
  const sides = sidesIn(run, order), leaving = run.leaving || [];
  const stays = (side) => membersOf(run.agenda, side).some((player) => !leaving.includes(player));
  return sides.length ? sides : living(run.agenda).filter(stays);
}

function phaseFamily(model, label, test) {
  const found = model.ofKind("phase").findLast((state) => [state.name, state.family].includes(label));
  if (model.facts.some((fact) => fact.test[0] === test && fact.test[2] === label)) return label;
  return found.family;
}
