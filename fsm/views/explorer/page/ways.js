"use strict";
// A newcomer's moves: each goes from one place on the map to the next, and what is asked between is answered.

const FAR = 60;

/** Go on until another place is seen. Returns whether one was; `first` is the event that interrupts with the first answer, if any. */
function goOn(session, first = null) {
  const start = placeKey(session, session.game);
  for (let i = 0; i < FAR && session.game.request.is !== "Over"; i += 1) {
    session.follow(session.quietly(i ? null : first));
    if (isVisible(session, session.game) && placeKey(session, session.game) !== start) return true;
  }
  return false;
}

/** One way, tried on a copy: the copy, and what fired; null if it is refused or comes nowhere. */
function tryWay(session, { told = [], signal = null } = {}) {
  const twin = session.twin();
  told.forEach(([name, value]) => twin.tell(name, value));
  try {
    if (!goOn(twin, signal)) return null;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
  return wayOf(session, twin, { told, signal });
}

function wayOf(session, twin, change) {
  const records = recordsSince(twin, session.at);
  return { ...change, twin, records, at: placeKey(session, twin.game), near: twin.game, far: twin.game, way: records };
}

/** What else can come of a fact's other value: the quiet way, and each other way with the facts that open it. */
function waysFrom(session, signal = null) {
  const quiet = tryWay(session, { signal });
  if (!quiet) return { quiet, others: [], shut: [] };
  const others = [], shut = [], seen = new Set([quiet.at]);
  for (const one of quiet.records.map((record) => considered(session.model, record))) {
    for (const { row, terms, late } of notTaken(one)) {
      const names = terms.filter((term) => one.shown.fact(term.fact).owner === "game");
      const told = late ? names.slice(0, 1).map((term) => [term.fact, !term.value]) : names.map((term) => [term.fact, term.value]);
      const way = told.length && (late || names.length === terms.length) ? tryWay(session, { told, signal }) : null;
      const why = terms.map((term) => [term.fact, late ? term.value : !term.value]);
      const fires = way && way.records.some((record) => record.transition === row.id || one.record.machine === "window");
      if (fires && !seen.has(way.at)) {
        seen.add(way.at);
        others.push({ ...way, row, shown: one.shown, why });
      } else if (!way && isStepsBegin(one, row)) shut.push({ row, shown: one.shown, why });
    }
  }
  return { quiet, others, shut };
}

/** The rows that did not fire, each with the terms that decided so: its own, or those of the row that came first. */
function notTaken({ rows, fired, record }) {
  const values = new Map(record.guards), taken = rows[fired];
  return rows.flatMap((row, i) => {
    if (i === fired || row.generic || row.target === null || row.target === taken.target) return [];
    const wrong = row.guard.filter((term) => values.has(term.fact) && values.get(term.fact) !== term.value);
    if (i < fired) return wrong.length ? [{ row, terms: wrong, late: false }] : [];
    return taken.guard.length && !wrong.length ? [{ row, terms: taken.guard, late: true }] : [];
  });
}

/** Is it a step that this row would have gone to, beyond the one that was taken? */
function isStepsBegin({ shown, rows, fired }, row) {
  const state = shown.state(row.target), home = shown.enclosing(state.id, "step");
  return rows[fired].layer === "skip" && row.layer === "core" && Boolean(home) && ["before", "begin"].includes(state.role);
}

/** Somebody acts before the game goes on, and it resolves; null where nobody may act. */
function actFirst(session) {
  const twin = session.twin(), here = placeKey(session, session.game);
  const isHere = () => placeKey(session, twin.game) === here;
  try {
    for (let i = 0; i < FAR && isHere() && twin.game.request.is !== "Priority"; i += 1) twin.follow(twin.quietly());
    if (!isHere() || twin.game.request.is !== "Priority") return null;
    twin.follow({ ...twin.quietly(), word: "acted" });
    for (let i = 0; i < FAR && isHere() && (twin.objects(twin.at) || twin.game.request.is !== "Priority"); i += 1) twin.follow(twin.quietly());
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
  return isHere() ? wayOf(session, twin, {}) : null;
}

/** All that a newcomer sees of what can happen: ways that are open, ways that are closed and why, and cuts. */
function newcomerMoves(session) {
  if (session.game.request.is === "Over") return { open: [], closed: [], effects: [], cuts: [] };
  const { quiet, others, shut } = waysFrom(session), decided = decisions(session, quiet);
  const isDecision = (way) => way.told.length > 0 && way.told.every(([name]) => decided.has(name));
  const chosen = others.filter(isDecision), act = chosen.length || !quiet ? null : actFirst(session);
  const open = [], cuts = [], to = (way) => whereTo(session, way.twin.game);
  const again = (name) => (name === placeWords(session.model, session.game.run.state) ? `Another ${name}` : name);
  chosen.forEach((way) => open.push({ ...way, key: way.told.join(), title: `${upperFirst(factWords(...way.told[0]))}: ${to(way)}`, rule: way.row.rule }));
  if (quiet) {
    const word = chosen.length ? upperFirst(factWords(...chosen[0].why[0])) : doingWords(session, quiet);
    open.unshift({ ...quiet, key: "on", title: `${word}: ${to(quiet)}`, then: "", main: word, reason: chosen.length ? "" : reasonWords([...others, ...shut]), rule: citedIn(session, quiet) });
  }
  if (act) open.push({ ...act, key: "act", title: "Somebody acts first", reason: "A spell or ability; then you are here again.", rule: session.model.window?.transitions.find((row) => row.event === "acted")?.rule || "" });
  for (const event of session.model.signals.filter((name) => name !== "player_left")) {
    const way = signalWays(session, event).find((one) => one.at !== quiet?.at);
    if (!way) continue;
    const row = rowById(session.model, way.records.find((record) => record.event === event)?.transition);
    const cut = row?.layer === "jump";
    (cut ? cuts : open).push({ ...way, key: `signal:${event}`, title: `${upperFirst(row ? rowSays(session.model, row)[0] : eventWords(session.model, event))}: ${to(way)}`, rule: row?.rule || "" });
  }
  const names = new Set(open.map((move) => move.at));
  const closed = [
    ...others.filter((way) => !isDecision(way)).map((way) => ({ ...way, title: again(to(way)), retry: way })),
    ...shut.filter((one) => one.row).map((one) => ({ ...one, title: goalWords(one.shown, one.shown.state(one.row.target)) })),
  ].filter((one) => !names.has(one.at)).map((one) => ({ ...one, why: whyWords(one.why), rule: one.row.rule }));
  return { open, closed: together(closed), effects: [], cuts };
}

/** The ways of a signal, if it can come now. */
function signalWays(session, event) {
  if (whyNot(session.game.run, event)) return [];
  const { quiet, others } = waysFrom(session, event);
  return [quiet, ...others].filter(Boolean);
}

/** The facts that are decided on the way, such as whether a creature attacks. */
function decisions(session, quiet) {
  const games = quiet ? quiet.twin.games.slice(session.at, quiet.twin.at) : [];
  return new Set(games.flatMap((game) => waitingState(game.run).tells || []));
}

/** What people do on this way: what is decided, else that all pass, else the last thing that is done. */
function doingWords(session, { twin }) {
  const games = twin.games.slice(session.at, twin.at), count = living(session.game.run.agenda).length;
  if (games.some((game) => game.request.is === "Priority")) return count > 2 ? "All pass" : count > 1 ? "Both pass" : "Pass";
  const done = games.filter((game) => game.request.is === "Perform" && waitingState(game.run).role !== "end").map((game) => doneWords(waitingState(game.run)));
  return done.length ? upperFirst(last(done)) : "Go on";
}

/** Why the quiet way is the one: what closes the others. */
function reasonWords(closed) {
  const facts = new Map(closed.flatMap((one) => one.why));
  return facts.size ? `${upperFirst(whyWords([...facts]))}.` : "";
}

/** Facts with their values, in words: what is so comes before what is not so, and two of them are enough. */
function whyWords(facts) {
  const holding = facts.filter(([, value]) => value);
  return factsWords((holding.length ? holding : facts).slice(0, 2));
}

/** The rule of a way: of a fork or a jump on it, else of the step that comes. */
function citedIn(session, way) {
  const rows = way.records.map((record) => considered(session.model, record)).filter(({ record }) => record.machine === "turn").map(({ rows, fired }) => rows[fired]);
  const special = rows.find((row) => row.rule && (row.layer !== "core" || row.guard.some((term) => session.model.fact(term.fact).owner === "game")));
  return special ? special.rule : placeOf(session.model, session.model.state(way.twin.game.run.state)).rule;
}
