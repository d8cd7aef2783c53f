"use strict";
// A running game, of which the page is told as it goes on. The reader may look at the past, or try something else.

/** Is this page served, so that it follows a running game? */
const isLive = "live" in document.documentElement.dataset;

class Live {
  /** `show()` is called when the reader sees something else. */
  constructor(session, show) {
    Object.assign(this, { session, show, told: session.another(), follows: true, ended: false });
    const source = new EventSource("events");
    source.onmessage = ({ data }) => this.hear(JSON.parse(data));
    source.onerror = () => {
      this.ended = true;
      this.show(false);
    };
  }

  /** The game started anew, went back to so many answers, and went on with these. */
  hear({ start, at, answers }) {
    this.ended = false;
    if (start) this.told.start({ players: start.players, snapshot: start });
    this.told.cut(at);
    answers.forEach((answer) => this.told.give(answer));
    if (this.follows) this.follow();
    else this.show(false);
  }

  follow() {
    const { every, coarse } = this.session;
    Object.assign(this.session, this.told.twin(), { every, coarse, loaded: false, known: this.told.at });
    this.follows = true;
    this.show(true);
  }

  get words() {
    if (this.ended) return "The program has ended, or has closed this page.";
    if (this.follows) return "You are watching a running game.";
    return `The game goes on: it is in turn ${this.told.game.request.at.turn}, after ${this.told.at === 1 ? "1 answer" : `${this.told.at} answers`}.`;
  }
}
