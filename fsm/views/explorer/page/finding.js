"use strict";
// A way to a place on the map: the nearest moves that lead there, found by trying them on copies of the game.

const SEARCHED = 250, FOLLOWED = 30;

/** The nearest way to where `isThere(way)` is true, as a session that has gone it; null if none is found. */
function findWay(session, isThere) {
  return searchWay(session, isThere, ordinaryMoves) || searchWay(session, isThere, allMoves) || extraWay(session, isThere);
}

/** The way if an effect adds a phase, a step or a turn here, and the game goes on quietly. */
function extraWay(session, isThere) {
  const { model } = session, names = (kind, field) => [...new Set(model.ofKind(kind).map((state) => state[field] || state.name))];
  const orders = [...names("phase", "family").map((phase) => ({ is: "AddPhase", phases: [phase] })), ...names("step", "name").map((step) => ({ is: "AddStep", step })),
    { is: "AddTurn", player: session.game.run.agenda.active }].filter((order) => !refusalOf(session, order));
  for (const order of orders) {
    let here = session.twin();
    here.orders = [...here.orders, order];
    for (let i = 0; here && i < FOLLOWED && here.game.request.is !== "Over"; i += 1) {
      const way = tryWay(here);
      if (way && isThere(way)) return way.twin;
      here = way && way.twin;
    }
  }
  return null;
}

function searchWay(session, isThere, movesFrom) {
  const start = session.twin(), seen = new Set([situation(start)]), todo = [start];
  for (let tried = 0; todo.length && tried < SEARCHED; tried += 1) {
    const here = todo.shift();
    for (const way of movesFrom(here)) {
      if (isThere(way)) return way.twin;
      const key = situation(way.twin);
      if (seen.has(key) || way.twin.game.request.is === "Over") continue;
      seen.add(key);
      todo.push(way.twin);
    }
  }
  return null;
}

/** The quiet way and those that a fact opens. */
function ordinaryMoves(session) {
  const { quiet, others } = waysFrom(session);
  return [quiet, ...others].filter(Boolean);
}

/** Those, what effects cut short, and that somebody acts first. */
function allMoves(session) {
  const signals = session.model.signals.filter((event) => event !== "player_left");
  return [...ordinaryMoves(session), ...signals.flatMap((event) => signalWays(session, event)), actFirst(session)].filter(Boolean);
}

/** Two positions of the same situation go on in the same way, whichever turn it is. */
function situation({ game: { run }, places }) {
  const { agenda } = run, counts = [agenda.own_turns.map((turns) => Math.min(turns, 2))];
  return JSON.stringify([places[run.state] ?? run.state, run.state, agenda.active, [...run.latched].sort(), ...counts,
    agenda.extras.length, agenda.turns.length, agenda.skips.length, Boolean(agenda.current_step?.extra)]);
}
