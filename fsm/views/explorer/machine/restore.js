"use strict";
// A game that goes on from a snapshot of the engine, in which players are seats and sides are numbers.

/** The Controller of a snapshot. Throws Refused when it was taken with another model. */
function restored(model, fingerprint, snapshot) {
  if (snapshot.fingerprint !== fingerprint) {
    throw new Refused("SnapshotError", `the game was saved with ${snapshot.model} ${snapshot.fingerprint}, this page holds ${model.name} ${fingerprint}`);
  }
  const { players, turn, run, calendar = [], news = [[], []] } = snapshot;
  const seats = { players, sides: run.sides.map((side) => side.map((seat) => players[seat])) };
  const teams = seats.sides.filter((side) => side.length > 1), game = Object.create(Controller.prototype);
  const on = new Set(run.settings || []), settings = Object.fromEntries(model.settings.map(({ name }) => [name, on.has(name)]));
  game.run = { model, settings, agenda: restoredAgenda(seats, run, turn, newAgenda(players, teams)), calendar: restoredCalendar(seats, calendar, turn),
    state: run.state, frame: run.frame || "", latched: run.latched || [], ...restoredWindow(seats, run),
    interrupted: (run.interrupted || []).map((one) => ({ state: one.state, ...restoredWindow(seats, one) })),
    heard: (run.heard || []).map((one) => restoredAnswer(seats, one)), told: new Map(), expired: news[0], triggered: news[1] };
  Object.assign(game, { model, head: { players, teams, settings, orders: [], snapshot }, records: [] });
  game.request = requestOf(game.run);
  return game;
}

const seatOf = ({ players }, seat = -1) => (seat < 0 ? "" : players[seat]);
const sideAt = ({ sides }, side = -1) => (side < 0 ? "" : sides[side][0]);
const labelOfOrder = (order) => order?.id || "";

const restoredWindow = (seats, { holder, passed = [], out = [] }) =>
  ({ holder: sideAt(seats, holder), passed: passed.map((one) => sideAt(seats, one)), out: out.map((one) => sideAt(seats, one)) });

const restoredAnswer = (seats, { seat, facts = [], orders = [] }) =>
  ({ player: seatOf(seats, seat), word: "done", facts: Object.fromEntries(facts.map((name) => [name, true])), orders });

const restoredOccurrence = (one) => (one ? { id: 0, extra: false, only: "", under_way: true, iteration: 1, label: "", ...one } : null);

const restoredCandidate = ({ what = "", only = "", extra = false, order } = {}) => ({ what, only, extra, label: labelOfOrder(order) });

function restoredAgenda(seats, run, turn, agenda) {
  const { turn: outermost = {}, phase = {}, step = {}, suspended = [], begun = [] } = run;
  const returns = (progress) => (progress.returns || []).map(({ state, cursor = 0, candidate }) => ({ state, cursor, candidate: restoredCandidate(candidate) }));
  const counts = (taken) => seats.sides.map((_, i) => (taken || [])[i] || 0);
  return { ...agenda, turn, left: (run.left || []).map((seat) => seatOf(seats, seat)), turns_taken: counts(run.taken), own_turns: counts(run.own),
    active: sideAt(seats, run.active), decider: seatOf(seats, run.decider), natural: sideAt(seats, run.natural), reversed: Boolean(run.reversed),
    occurrences: Math.max(0, ...begun.map((one) => one.id)), candidate_turn: sideAt(seats, run.next_side), candidate_turn_extra: Boolean(outermost.candidate?.extra),
    candidate_turn_label: labelOfOrder(outermost.candidate?.order), candidate_phase: restoredCandidate(phase.candidate), candidate_step: restoredCandidate(step.candidate),
    current_turn: restoredOccurrence(outermost.current), current_phase: restoredOccurrence(phase.current), current_step: restoredOccurrence(step.current),
    cursor_phase: phase.cursor || 0, cursor_step: step.cursor || 0, returns_phase: returns(phase), returns_step: returns(step),
    suspended: suspended.map(([outer, inner]) => ({ phase: restoredOccurrence(outer.current), step: restoredOccurrence(inner.current),
      cursor_phase: outer.cursor || 0, cursor_step: inner.cursor || 0 })),
    begun: begun.map(restoredOccurrence), tallies: (run.tallies || []).reduce(oneMore, {}),
    appointed: (run.appointed || []).map(([role, seat]) => [role, seatOf(seats, seat)]),
    turns: (run.turns || []).map((one) => ({ side: sideAt(seats, one.side), label: labelOfOrder(one.order), after: one.after_label || "" })),
    controls: (run.controls || []).map(({ seat, by, order }) => ({ player: seatOf(seats, seat), by: seatOf(seats, by),
      extra_turn_after: Boolean(order.extra_turn_after), within: order.within || "", label: labelOfOrder(order) })),
    skips: (run.skips || []).map((one) => restoredSkip(seats, one, turn)),
    extras: (run.extras || []).map(({ level, what, only = "", after = "", nth = 1, before = "", order }) =>
      ({ level, what, only, after, nth, before, label: labelOfOrder(order) })) };
}

function restoredSkip(seats, { level, what, side, order, bound }, turn) {
  const extra = Boolean(order.extra), { scope = "next", within = "" } = order;
  return { level, what: extra ? "turn" : what, side: sideAt(seats, side), scope, turn: bound ? turn : 0, within, label: labelOfOrder(order), extra };
}

function restoredCalendar(seats, listeners, turn) {
  const found = newCalendar();
  for (const { order, side, bound } of listeners) {
    const { id, within = "" } = order, until = bound ? turn : 0, whose = sideAt(seats, side);
    if (order.is === "Effect") {
      const owner = seats.sides.find((players) => players.includes(order.player));
      found.lasting.push({ id, side: owner[0], until: order.until || "end_of_turn", turn: until, within });
    } else if (order.is === "DelayedTrigger") found.delayed.push({ id, side: whose, step: order.step, on: order.on || "next", turn: until, within });
    else found.standing.push({ id, step: order.step, whose: whose || "each", first_each_turn: Boolean(order.first_each_turn) });
  }
  return found;
}
