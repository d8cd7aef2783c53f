"use strict";
// What the verbs of a scenario do, which facts its game knows, and what a turn-based action changes there.

const NO_FLOW = ["hand_size", "spells_cast", "saga", "add_mana", "spend_mana"];

const VERBS = new Map(Object.entries({
  ...Object.fromEntries(NO_FLOW.map((verb) => [verb, () => {}])),
  add_turn(actor, item) {
    const { count, id, after, players } = item;
    actor.order("AddTurn", { player: players ? "" : actor.who(item), count, id, after, players });
  },
  skip_turn(actor, { player, count, extra, scope, id, players }) {
    actor.order("SkipTurn", { player, count, extra, scope, id, players });
  },
  control_next_turn(actor, { player, by, extra_turn_after, in: within, id }) {
    actor.order("ControlNextTurn", { player, by, extra_turn_after, within, id });
  },
  reverse_turn_order: (actor) => actor.order("ReverseTurnOrder", {}),
  withdraw: (actor, { id }) => actor.order("Withdraw", { id }),
  appoint: (actor, { role, player }) => actor.order("Appoint", { role, player }),
  add_phase(actor, item) {
    const { phases, count, you_get, id } = item, { phase = "", nth } = typeof item.after === "object" ? item.after : {};
    actor.order("AddPhase", { phases, after: phase, nth, count, player: actor.who(item), you_get, id });
  },
  add_step(actor, item) {
    const { step, before, count, you_get, id } = item, after = item.after || (before ? "" : "current_step");
    actor.order("AddStep", { step, after, before, count, player: actor.who(item), you_get, id });
  },
  skip_step(actor, { step, player, scope, in: within, id, players }) {
    actor.order("SkipStep", { step, player, scope, within, id, players });
  },
  skip_phase(actor, { phase, player, scope, in: within, id, players }) {
    actor.order("SkipPhase", { phase, player, scope, within, id, players });
  },
  effect: (actor, item) => actor.order("Effect", { id: item.id, player: actor.who(item), until: item.until, within: item.in }),
  delayed_trigger(actor, item) {
    actor.abilities.set(item.id, [actor.who(item), item.then]);
    actor.order("DelayedTrigger", { id: item.id, step: item.step, player: actor.who(item), on: item.on, within: item.in });
  },
  standing_trigger(actor, { id, step, whose, limit, then }) {
    actor.abilities.set(id, ["", then]);
    actor.order("StandingTrigger", { id, step, whose, first_each_turn: limit === "first_each_turn" });
  },
  end_turn: (actor, item) => actor.end(item, "end_turn", true),
  end_phase: (actor, item) => actor.end(item, "end_phase", actor.endable),
  end_combat: (actor, item) => actor.end(item, "end_phase", actor.inCombat && actor.endable),
  signal: (actor, { event }) => actor.signals.push(signalOf(event)),
  player_leaves: (actor, { player, players = [player] }) => players.forEach((one) => actor.leave(one)),
  trigger: (actor, { id }) => actor.trigger(id),
  sba(actor) {
    actor.sba = true;
  },
  tell(actor, { fact, value = true }) {
    actor.telling.set(fact, value);
    if (value) actor.told.add(fact);
    else actor.told.delete(fact);
  },
  attackers(actor, { count = 1, first_strike = false }) {
    actor.declared += count;
    actor.firstStrike = actor.firstStrike || (first_strike && count > 0);
  },
  put_attacking(actor, { count = 1 }) {
    if (!actor.inCombat || !count) return;
    actor.attackers += count;
    actor.told.add("put_in_attacking");
  },
  remove_attackers: (actor) => Object.assign(actor, { attackers: 0, firstStrike: false }),
  first_strike(actor, { value = true }) {
    if (actor.inCombat) actor.firstStrike = value;
  },
}));

const KNOWN = new Map(Object.entries({
  sba_performed: (actor) => actor.sbaPerformed,
  triggers_waiting: (actor) => actor.waiting.length > 0,
  stack_empty: (actor) => !actor.stack.length,
  attackers_declared: (actor) => actor.declared > 0,
  first_strike_in_combat: (actor) => actor.firstStrike,
  damage_assigned: (actor) => actor.attackers > 0,
}));

function clearStack(actor) {
  actor.stack = [];
}

const PERFORM = new Map(Object.entries({
  declare_attackers(actor, players) {
    if (!players.length) Object.assign(actor, { declared: 0, firstStrike: false });
    actor.attackers += actor.declared;
  },
  cease_triggers(actor) {
    actor.waiting = actor.waiting.filter((one) => one.late).map((one) => ({ ...one, late: false }));
  },
  exile_stack: clearStack,
  banish_stack: clearStack,
  remove_stack: clearStack,
  remove_from_combat: (actor) => actor.leaveCombat(),
  put_damage_on_stack: (actor) => actor.stack.push({ player: "", items: [] }),
}));
