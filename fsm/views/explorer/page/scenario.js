"use strict";
// Scenario files on the page: the flow of a turn, played by answering like a small scripted game. What needs more of
// a card game than that is refused by name: `fsm run --trace` plays it, and the page walks the trace.

const ENDLESS = 10000;
const FORCED = { attackers: "begin", hand_size: "begin" };
const FIRST_SIGNALS = ["end_turn", "end_phase"];
const wrongFile = (message) => new Refused("FileError", message);

/** The game of a scenario: {head, answers}. Throws Refused naming the entry that cannot be played here. */
function playScenario(model, data) {
  const actor = new Actor(model, data), game = new Controller(model, actor.head), answers = [];
  while (game.request.is !== "Over" && game.request.at.turn <= actor.through) {
    if (answers.length >= ENDLESS) throw wrongFile(`the scenario goes on for more than ${ENDLESS} answers`);
    answers.push(actor.answer(game));
    try {
      game.answer(last(answers));
    } catch (error) {
      if (error instanceof Refused) error.message = `answer ${answers.length}: ${error.message}`;
      throw error;
    }
    actor.notice(game.records);
  }
  return { head: actor.head, answers };
}

function playersOf(data) {
  const letters = (i) => (i > 25 ? letters(Math.floor(i / 26) - 1) : "") + String.fromCharCode(65 + (i % 26));
  if (data.turn_order) return data.turn_order.map(String);
  return Array.from({ length: Math.min(Math.max(1, Number(data.players ?? 2)), 100) }, (_, i) => letters(i));
}

/** Every turn that is mentioned. */
function turnsIn(value) {
  if (Array.isArray(value)) return value.flatMap(turnsIn);
  if (!value || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (["turn", "to_turn"].includes(key) && typeof part === "number") return [part];
    if (key === "turn_order") return [part.length];
    return key === "on_turns" ? part : turnsIn(part);
  });
}

class Actor {
  constructor(model, data) {
    this.model = model;
    if ((data.ruleset ?? "magic").split("?")[0] !== model.name) throw wrongFile(`the scenario is for “${plain(data.ruleset ?? "magic")}”`);
    for (const [name, value] of Object.entries(data.options || {})) {
      if (JSON.stringify(own(model.options || {}, name, null)) !== JSON.stringify(value)) {
        throw wrongFile(`the scenario plays with the option ${plain(name)}=${plain(value)}; make a page of that ruleset`);
      }
    }
    Object.assign(this, { left: [], turn: 0, active: "", where: "", phaseId: 0, inCombat: false, waiting: [], stack: [],
      sba: false, sbaPerformed: false, attackers: 0, declared: 0, firstStrike: false, abilities: new Map(), orders: [],
      departing: [], signals: [], told: new Set(), telling: new Map(), done: new Set(), pending: new Map(), ending: false });
    const settings = { ...data.settings };
    if ("first_draw_skipped" in data) settings.first_draw_skipped = data.first_draw_skipped;
    this.players = playersOf(data);
    this.given = (data.given || []).map((item, i) => this.checked(item, `given[${i}]`));
    this.through = Number(data.through_turn) || Math.max(1, ...turnsIn(data.given || []), ...turnsIn(data.expect || []));
    this.fighting = new Set(model.states.filter((state) => state.action === "declare_attackers")
      .map((state) => model.enclosing(state.id, "phase")?.name));
    this.carryOut(this.given.filter((item) => !item.when));
    this.head = { players: this.players, teams: data.teams || [], settings, orders: this.orders };
    this.orders = [];
  }

  checked(item, place) {
    if (!VERBS.has(item.do)) {
      throw wrongFile(`${place}: the page cannot play “${plain(item.do)}”; play the file with fsm run FILE --trace T.jsonl, then load T.jsonl`);
    }
    if (item.day_night_change || item.step === "day_night_change") throw wrongFile(`${place}: the page does not follow day and night`);
    (item.then || []).forEach((one, i) => this.checked(one, `${place}.then[${i}]`));
    if (!item.when) return item;
    const { step, iteration = 1 } = item.when;
    const natural = this.model.ofKind("step").filter((state) => state.name === step)
      .some((home) => this.model.states.some((state) => state.parent === home.id && state.opens === "natural"));
    const at = FORCED[item.do] && !this.model.state(item.when.at) ? FORCED[item.do] : item.when.at || (natural ? "priority" : "begin");
    return { ...item, where: `${item.when.turn}/${step}/${iteration}`, at };
  }

  answer({ request, run }) {
    this.arrive(request, run);
    const word = this.respond(request);
    const facts = request.facts.map((name) => [name, this.fact(name)]);
    const known = this.model.gameFacts.map((fact) => fact.name);
    for (const name of this.told) if (known.includes(name)) facts.push([name, true]);
    this.told.clear();
    const orders = this.takeOrders();
    return { word, facts: Object.fromEntries(facts), orders: [...orders, ...this.takeSignals()] };
  }

  notice(records) {
    for (const record of records) {
      record.guards.forEach(([name]) => this.telling.delete(name));
      if (record.machine !== "turn" || record.phase_id === this.phaseId) continue;
      this.phaseId = record.phase_id;
      if (this.inCombat) this.leaveCombat();
    }
  }

  arrive({ at, triggered, state }, run) {
    const where = at.step ? `${at.turn}/${at.step}/${at.iteration}` : this.where, moved = where !== this.where;
    if (at.turn !== this.turn) this.pending = new Map();
    if (this.inCombat && !this.fighting.has(at.phase)) this.leaveCombat();
    Object.assign(this, { turn: at.turn, active: at.active, inCombat: this.fighting.has(at.phase), where,
      endable: run.model.signals.includes("end_phase") && whyNot(run, "end_phase") === null });
    triggered.forEach((id) => this.trigger(id, ...(this.abilities.get(id) || [])));
    if (moved) this.enter();
    if (state === at.stage) this.happen(state);
  }

  enter() {
    if (this.pending.has(this.where)) return;
    this.declared = 0;
    this.telling.clear();
    const units = new Map();
    for (const item of this.given.filter((one) => one.where === this.where && this.isWindow(one.at))) {
      units.set(item.at, [...(units.get(item.at) || []), item]);
    }
    this.pending.set(this.where, [...units].map(([at, items]) => ({ stage: at === "priority" ? "" : at, items })));
    this.happen("begin");
  }

  isWindow(at) {
    return at === "priority" || this.model.state(at)?.kind === "window";
  }

  happen(stage) {
    const key = `${this.where} ${stage}`;
    const items = this.given.filter((item) => item.where === this.where && item.at === stage && !this.isWindow(stage));
    if (!items.length || this.done.has(key)) return;
    this.done.add(key);
    this.carryOut(items);
  }

  respond(request) {
    if (request.is === "Priority") return this.withPriority(request);
    if (request.is === "Perform") PERFORM.get(request.action)?.(this, request.players);
    else if (request.is === "CheckState") [this.sbaPerformed, this.sba] = [this.sba, false];
    else if (request.is === "PlaceTriggers") this.place(request.players);
    else if (request.is === "Resolve" && this.stack.length) this.carryOut(this.stack.pop().items);
    return "done";
  }

  withPriority({ player, at }) {
    const waiting = this.pending.get(this.where) || [];
    const unit = this.stack.length ? null : waiting.find((one) => ["", at.stage].includes(one.stage));
    if (!unit) return "passed";
    waiting.splice(waiting.indexOf(unit), 1);
    this.stack.push({ player, items: unit.items });
    return "acted";
  }

  carryOut(items) {
    for (const item of items) VERBS.get(item.do)(this, item);
    this.ending = false;
  }

  fact(name) {
    if (this.told.has(name)) return true;
    return this.telling.has(name) ? this.telling.get(name) : Boolean(KNOWN.get(name)?.(this));
  }

  /** Who leaves in one resolution leaves together. */
  takeOrders() {
    const leaving = this.departing.length ? [{ is: "Leave", players: this.departing }] : [];
    const orders = [...this.orders, ...leaving];
    Object.assign(this, { orders: [], departing: [] });
    return orders;
  }

  takeSignals() {
    const rank = ({ event }) => (FIRST_SIGNALS.includes(event) ? FIRST_SIGNALS.indexOf(event) : FIRST_SIGNALS.length);
    const first = [...this.signals].sort((a, b) => rank(a) - rank(b)).slice(0, 1);
    this.signals = [];
    return first;
  }

  trigger(id, player = "", then = []) {
    if (!this.left.includes(player)) this.waiting.push({ id, player, then, late: this.ending });
  }

  place(players) {
    const rank = ({ player }) => Math.max(0, players.indexOf(player));
    this.waiting.sort((a, b) => rank(a) - rank(b));
    this.stack.push(...this.waiting.map(({ player, then }) => ({ player, items: then })));
    this.waiting = [];
  }

  leaveCombat() {
    Object.assign(this, { attackers: 0, declared: 0, firstStrike: false });
  }

  end(item, event, happens) {
    this.signals.push(signalOf(event));
    if (!happens) return;
    this.ending = true;
    (item.triggers_during || []).forEach((id) => this.trigger(id));
  }

  leave(player) {
    if (this.left.includes(player)) return;
    this.left.push(player);
    this.waiting = this.waiting.filter((one) => one.player !== player);
    this.stack = this.stack.filter((one) => one.player !== player);
    this.departing.push(player);
    const team = (this.head?.teams || []).find((one) => one[0] === this.active) || [this.active];
    if (team.every((one) => this.left.includes(one))) Object.assign(this, { attackers: 0, firstStrike: false });
  }

  order(is, fields) {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    this.orders.push({ is, ...Object.fromEntries(given) });
  }

  who(item) {
    return item.player || this.active || this.players[0];
  }
}
