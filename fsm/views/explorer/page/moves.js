"use strict";
// What can happen now, and what cannot and why: each answer is tried on a copy of the game.

const AHEAD = 30;

/** The answers that are possible (each with what comes of it), and the ways that are closed. */
function movesOf(session) {
  const { request, run } = session.game, open = [], closed = [];
  if (request.is === "Over") return { open, closed, effects: [], cuts: [] };
  const words = wordsOf(waitingState(run)).reverse();
  words.forEach((word) => tryMove(session, { key: word, word, title: answerWords(session.model, request, word) }, open, closed));
  for (const event of session.model.signals.filter((name) => name !== "player_left")) {
    const tried = whyNot(run, event);
    const title = upperFirst(eventWords(session.model, event));
    if (tried) closed.push({ title, why: closedWords(tried), rule: ruleOf(session.model, tried) });
    else tryMove(session, { key: `signal:${event}`, word: last([...words]), signal: { event }, title }, open, closed);
  }
  const taken = new Set(open.map((move) => move.to));
  const ways = closed.filter((one) => !taken.has(one.title));
  return { open, closed: together(ways.filter((one) => !one.generic)), effects: together(ways.filter((one) => one.generic)), cuts: [] };
}

function tryMove(session, move, open, closed) {
  const orders = [...session.orders, ...(move.signal ? [signalOf(move.signal.event)] : [])];
  const answer = { word: move.word, facts: session.facts(orders), orders };
  const twin = session.twin();
  try {
    twin.follow(answer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    closed.push({ title: move.title, why: clause(error.message), rule: "" });
    return;
  }
  const near = twin.game, rows = recordsSince(twin, session.at).map((record) => considered(session.model, record));
  const count = twin.at, asked = twin.games.slice(session.at + 1, count).flatMap((game) => game.request.facts);
  passOn(twin, session.game);
  const far = recordsSince(twin, count).filter((record) => record.machine === "turn").map((record) => considered(session.model, record));
  const to = whereTo(session, move.signal ? twin.game : near);
  const then = !move.signal && move.word !== "acted" && twin.at > count && isElsewhere(session.game, twin.game) ? whereTo(session, twin.game) : "";
  const way = then || move.signal ? [...rows, ...far] : rows;
  const said = way.filter(({ record }) => (move.signal ? record.event === move.signal.event : session.every || record.machine === "turn"));
  open.push({ ...move, answer, asked, to, then, far: then || move.signal ? twin.game : near, near, way: way.map((one) => one.record),
    deciding: deciding(said), rule: citedBy(move.signal ? said : rows) });
  closed.push(...said.flatMap(closedRows));
}

const recordsSince = (session, at) => session.games.slice(at + 1, session.at + 1).flatMap((game) => game.records);
const isElsewhere = (before, now) => now.request.is === "Over"
  || now.run.agenda.current_step?.id !== before.run.agenda.current_step?.id || now.request.at.turn !== before.request.at.turn;

/** Let everybody pass until another step comes. */
function passOn(twin, before) {
  try {
    for (let i = 0; i < AHEAD && !isElsewhere(before, twin.game); i += 1) {
      twin.follow({ ...twin.quietly(), orders: [] });
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** The rows an event could have fired, in order, and the one that did. */
function considered(model, record) {
  const inside = record.machine === "window", shown = modelOf(model, inside);
  const rows = shown.rows(record.source, record.event);
  return { record, shown, rows, fired: rows.findIndex((row) => row.id === record.transition) };
}

/** The facts that decided the way, as they were. */
function deciding(considered) {
  const found = new Map();
  for (const { rows, fired, record, shown } of considered) {
    const values = new Map(record.guards), before = rows.slice(0, fired).filter((row) => !row.generic);
    if (rows[fired].guard.length && !rows[fired].generic) rows[fired].guard.forEach((term) => found.set(term.fact, values.get(term.fact)));
    else before.map((row) => wrongTerm(row, values)).filter((term) => term && isGames(shown, term)).forEach((term) => found.set(term.fact, values.get(term.fact)));
  }
  return factsWords([...found]);
}

const isGames = (model, term) => model.fact(term.fact).owner === "game";

function citedBy(considered) {
  const rows = considered.map(({ rows, fired }) => rows[fired]).filter((row) => row.rule);
  const special = rows.find((row) => row.layer !== "core") || rows.find((row) => row.guard.length) || rows[0];
  return special ? special.rule : "";
}

const wrongTerm = (row, values) => row.guard.find((term) => values.has(term.fact) && values.get(term.fact) !== term.value);

function closedRows({ rows, fired, record, shown }) {
  const values = new Map(record.guards), taken = rows[fired];
  return rows.flatMap((row, i) => {
    if (i === fired || row.target === null || row.target === taken.target) return [];
    const wrong = wrongTerm(row, values);
    if (!wrong && i < fired) return [];
    const terms = wrong ? [wrong] : taken.guard.filter((term) => values.has(term.fact));
    const why = factsWords(terms.map((term) => [term.fact, values.get(term.fact)])) || "another way comes first";
    const title = upperFirst(goalWords(shown, shown.state(row.target)));
    return [{ title, why, rule: row.rule, generic: row.generic || !terms.length, row, shown }];
  });
}

/** What a way leads to: a step by its name, if it goes to where that begins. */
function goalWords(model, state) {
  return ["before", "begin"].includes(state.role) ? labelOf(placeOf(model, state)) : labelOf(state);
}

/** The same way closed for several reasons is one entry. */
function together(closed) {
  const found = new Map();
  for (const one of closed) {
    const other = found.get(one.title);
    if (!other) found.set(one.title, { ...one });
    else if (!other.why.includes(one.why)) other.why += `, and ${one.why}`;
  }
  return [...found.values()];
}

function closedWords(tried) {
  const words = tried.map(({ row, fact, value }) => {
    if (fact) return factWords(fact, value);
    return `nothing comes of it${row.doc ? ` (${clause(row.doc)})` : ""}`;
  });
  return words.join(", and ") || "nothing can come of it here";
}

function ruleOf(model, tried) {
  return tried.length ? last(tried).row.rule : "";
}

/** Where an answer leads, in words: the next step, or what is asked next in this one. */
function whereTo(session, game) {
  const { model } = session, before = session.game.request, { request } = game;
  if (request.is === "Over") return "the end of the game";
  const turn = request.at.turn !== before.at.turn ? `, turn ${request.at.turn} of ${plain(request.at.active)}` : "";
  const moved = game.run.agenda.current_step?.id !== session.game.run.agenda.current_step?.id
    || placeWords(model, request.at.stage) !== placeWords(model, before.at.stage);
  return moved ? placeWords(model, request.at.stage) + turn : askedWords(model, request);
}
