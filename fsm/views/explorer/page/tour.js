"use strict";
// Guided tours: stops with a sentence each, and the answers that lead from one stop to the next.

class Tours {
  /** `given` are those of the page's data; `go(what)` does something with the session and shows it. */
  constructor(session, given, go) {
    Object.assign(this, { session, given, go, tour: null, path: [], ends: [], stop: 0 });
  }

  start(number) {
    this.tour = this.given[number];
    this.number = number;
    this.leadTo(0);
  }

  leave() {
    this.tour = null;
  }

  /** Play the tour up to this stop in a new game: each stop is one click. */
  leadTo(stop) {
    this.go((session) => {
      session.start({ players: PAGE.players });
      this.ends = [];
      for (const [i, one] of this.tour.stops.slice(0, stop + 1).entries()) {
        if (one.answers.length) session.click((twin) => one.answers.forEach((short) => twin.give(answerFrom(twin.game, short), `${this.tour.name}, stop ${i + 1}`)));
        one.show.forEach((name) => session.tell(name, true));
        this.ends.push(session.at);
      }
      this.path = session.given.slice();
      this.stop = stop;
    });
  }

  next() {
    if (this.stop + 1 < this.tour.stops.length) this.leadTo(this.stop + 1);
  }

  /** At which stop does the game stand? The tour pauses where it stands at none of them. */
  look() {
    const { session } = this, on = this.ends.indexOf(session.at);
    const isSame = this.path.slice(0, session.at).every((answer, i) => answer === session.given[i]);
    this.paused = on < 0 || !isSame;
    if (!this.paused) this.stop = on;
  }

  show() {
    const holder = byId("tour");
    if (this.tour) this.look();
    holder.hidden = !this.tour && (!this.given.length || remembered("tours") === "closed" || isExpert() || isLive);
    if (!holder.hidden) fill(holder, this.tour ? this.strip() : this.offer());
    else fill(holder);
  }

  offer() {
    return [el("div", { class: "named" }, el("p", {}, el("small", {}, "Guided tours"), el("strong", {}, "New here?"))),
      el("p", { class: "say wide" }, "A tour plays a turn for you and says what to look at."),
      el("div", { class: "group offered" }, this.given.map((tour, i) => el("button", { "data-key": `tour:${i}`, onclick: () => this.start(i) }, plain(tour.name)))),
      el("button", { class: "quiet", "data-key": "close", "aria-label": "Close the tours", onclick: () => {
        remember("tours", "closed");
        this.show();
      } }, icon("close"))];
  }

  strip() {
    const { tour, stop, paused } = this, count = tour.stops.length, isLast = stop + 1 >= count;
    const dots = tour.stops.map((_, i) => el("i", { class: i < stop ? "done" : i === stop ? "here" : "" }));
    const press = (name, key, what, more = {}) => el("button", { "data-key": key, onclick: what, ...more }, name);
    const leave = () => {
      this.leave();
      this.go(() => {});
    };
    const following = this.given[this.number + 1];
    const onwards = paused ? press("Back to the tour", "next", () => this.leadTo(stop), { class: "blue" })
      : !isLast ? press(["Next", icon("next")], "next", () => this.next(), { class: "blue" })
        : following ? press([el("span", {}, "Next tour", el("span", { class: "wide" }, `: ${plain(following.name)}`)), icon("next")], "next", () => this.start(this.number + 1), { class: "blue" }) : null;
    return [el("div", { class: "named" }, el("p", {}, el("small", {}, `Tour ${this.number + 1} of ${this.given.length}`), el("strong", {}, plain(tour.name))),
      el("span", { class: "dots", role: "img", "aria-label": `stop ${stop + 1} of ${count}` }, dots)),
      el("p", { class: "say", role: "status" }, paused ? "The tour waits: the game has left its way." : plain(tour.stops[stop].say)),
      press([icon("back"), el("span", {}, "Back")], "back", () => this.leadTo(stop - 1), { class: "wide", disabled: !stop || paused }),
      onwards, press([el("span", {}, "Leave the tour"), icon("close")], "leave", leave, { class: "quiet leave" })];
  }
}

/** An answer as the page's data has it, [word, facts that are true, event], in full. */
function answerFrom(game, [word, facts, event = ""]) {
  const names = event ? [...game.request.facts, ...game.model.liveFacts] : game.request.facts;
  const told = names.map((name) => [name, facts.includes(name)]);
  return { word, facts: Object.fromEntries(told), orders: event ? [signalOf(event)] : [] };
}

/** What this reader chose before, where the browser keeps such things. */
function remembered(name) {
  try {
    return localStorage.getItem(`turn-explorer:${name}`);
  } catch {
    return null;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(`turn-explorer:${name}`, value);
  } catch {
    // without a place to keep it, it is forgotten
  }
}
