"use strict";
// One game on the page: every position of it, the answers between them, where clicks ended, and what the next answer will
// tell.

const HURRY = 400;

/** Is this asked again and again in passing: are there state-based actions, triggers to be placed? */
const isPassing = (request) => request.is === "CheckState" || request.is === "PlaceTriggers";

class Session {
  /** `places` says which part of the map a state is on, by the state's id. */
  constructor(model, quiet, places = {}) {
    this.model = model;
    this.quiet = new Set(quiet);
    this.places = places;
    this.every = false;
    this.words = new Map(); // of the orders that were added on the page
    this.coarse = false; // does one move of a game that was loaded go from place to place on the map?
  }

  /** Start again. Throws Refused when the game cannot be; then nothing has changed. */
  start(head) {
    const game = head.snapshot ? restored(this.model, PAGE.fingerprint, head.snapshot) : new Controller(this.model, head);
    Object.assign(this, { head: game.head, games: [game], given: [], at: 0, told: new Map(), orders: [], known: 0, stops: new Set() });
  }

  /** Start with these answers, standing before the first of them. */
  load({ head, answers }) {
    this.start(head);
    answers.forEach((answer, i) => this.give(answer, `answer ${i + 1}`));
    Object.assign(this, { at: 0, known: answers.length, told: new Map(), loaded: true });
  }

  another() {
    const { every, coarse } = this;
    return Object.assign(new Session(this.model, this.quiet, this.places), { every, coarse });
  }

  /** Forget what was answered after the first answers. */
  cut(length) {
    this.go(length);
    this.games.splice(length + 1);
    this.given.splice(length);
  }

  /** An independent session that has come as far. */
  twin() {
    const { games, given, told, orders } = this;
    return Object.assign(this.another(), this,
      { games: [...games], given: [...given], told: new Map(told), orders: [...orders] });
  }

  get game() {
    return this.games[this.at];
  }

  /** Take an answer; what could still be done again is forgotten. */
  give(given, where = "") {
    const next = this.game.fork(), answer = typeof given === "function" ? given(this.game) : given;
    try {
      next.answer(answer);
    } catch (error) {
      if (error instanceof Refused && where) error.message = `${where}: ${error.message}`;
      throw error;
    }
    this.games.splice(this.at + 1, Infinity, next);
    this.given.splice(this.at, Infinity, answer);
    this.at += 1;
    for (const [name] of next.records.flatMap((record) => record.guards)) this.told.delete(name);
    this.orders = [];
  }

  /** Take an answer, and then answer what is asked in passing. */
  follow(answer) {
    this.give(answer);
    for (let i = 0; i < HURRY && !this.every && isPassing(this.game.request); i += 1) this.give(this.quietly());
  }

  /** The answer of a quiet game: nobody does anything special, but for what was told. */
  quietly(signal = null) {
    const words = wordsOf(waitingState(this.game.run));
    const orders = [...this.orders, ...(signal ? [signalOf(signal)] : [])];
    return { word: signal ? words[0] : last(words), facts: this.facts(orders), orders };
  }

  // clicks: what was done at once is undone at once

  /** Do all of this as one click. If any of it is refused, nothing has changed. */
  click(what) {
    const twin = this.twin(), from = this.at;
    what(twin);
    twin.known = Math.min(this.known, from);
    twin.stops = new Set([...this.stops, from, twin.at].filter((one) => one <= from || one === twin.at));
    Object.assign(this, twin);
  }

  /** Take an answer as one click. */
  choose(answer) {
    this.click((twin) => twin.follow(answer));
  }

  undo() {
    if (!this.at) return;
    do this.at -= 1; while (this.at && !this.isStop(this.at));
    this.recall();
  }

  redo() {
    if (this.at >= this.given.length) return;
    do this.at += 1; while (this.at < this.given.length && !this.isStop(this.at));
    this.orders = [];
  }

  /** Does one stop here when one goes back and forth? Where a click ended; in a game that was loaded, at each place or request. */
  isStop(at) {
    if (at > this.known) return this.stops.has(at);
    return at === this.known || (this.coarse ? this.isArrival(at) : !isPassing(this.games[at].request));
  }

  /** Has the game just come to another place of the map? */
  isArrival(at) {
    if (!isVisible(this, this.games[at])) return false;
    let before = at - 1;
    while (before > 0 && !isVisible(this, this.games[before])) before -= 1;
    return before < 0 || placeKey(this, this.games[before]) !== placeKey(this, this.games[at]);
  }

  go(at) {
    this.at = Math.max(0, Math.min(at, this.given.length));
    this.orders = [];
  }

  // facts

  /** The switches stand as they did when this answer was given. */
  recall() {
    const facts = Object.entries(this.given[this.at].facts || {});
    this.told = new Map(facts.filter(([name, value]) => value !== this.standing(name)));
    this.orders = [];
  }

  /** How many objects were put on the stack and not resolved, as far as the answers tell. */
  objects(at) {
    let found = 0;
    for (let i = 0; i < at; i += 1) {
      const asked = this.games[i].request.is, { word, orders = [] } = this.given[i];
      if (word === "acted" && !orders.some(eventOf)) found += 1;
      if (asked === "Resolve") found = Math.max(0, found - 1);
      if (!this.games[i + 1].run.frame) found = 0;
    }
    return found;
  }

  /** A fact where nothing special is told: as in a quiet game, unless an object waits to be resolved. */
  standing(name, at = this.at) {
    return this.quiet.has(name) && !this.objects(at);
  }

  value(name) {
    return this.told.has(name) ? this.told.get(name) : this.standing(name);
  }

  tell(name, value) {
    if (value === this.standing(name)) this.told.delete(name);
    else this.told.set(name, value);
  }

  /** The facts that the next answer tells: those asked for, and those set that stay true. With orders, any may be read. */
  facts(orders) {
    const names = new Set([...this.game.request.facts, ...(orders.length ? this.model.liveFacts : [])]);
    const asked = [...names].map((name) => [name, this.value(name)]);
    const known = new Set(this.model.gameFacts.filter((fact) => !fact.last).map((fact) => fact.name));
    const more = [...this.told].filter(([name, value]) => value && known.has(name));
    return Object.fromEntries([...more, ...asked]);
  }
}

// places: where a game is seen to be

/** What differs if a game is at another place of the map: turn, step, part of the map. */
function placeKey(session, { run, request }) {
  return [request.at.turn, run.agenda.current_step?.id ?? 0, session.places[run.state] ?? run.state].join(" ");
}

/** Does the game stand where one can see it, and not only in passing? Without a map, every state is seen. */
function isVisible(session, { run, request }) {
  const seen = !Object.keys(session.places).length || Object.hasOwn(session.places, run.state);
  return request.is === "Over" || (seen && !isPassing(request));
}
