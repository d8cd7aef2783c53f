"use strict";
// What states, guards and answers are called.

const LONGEST = 160;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff\s]+/gu;

/** A text as one line without control characters, cut off at a sane length: it comes from outside. */
function plain(text) {
  const line = String(text ?? "").slice(0, 4 * LONGEST).replace(UNPRINTABLE, " ").trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}

const blanks = (name) => plain(String(name).replaceAll("_", " "));
const upperFirst = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
const labelOf = (state) => plain(state.label) || blanks(state.name || state.id);
const layerWords = (layer) => ({ core: "normal", skip: "left out", extra: "again or extra", jump: "cut short" })[layer] || layer;

/** The step (or phase) that a state stands in, as a state; the state itself when there is none. */
function placeOf(model, state) {
  return model.enclosing(state.id, "step") || model.enclosing(state.id, "phase") || state;
}

/** Where a state is, in words. */
function placeWords(model, id) {
  const state = model.state(id);
  return state ? labelOf(placeOf(model, state)) : "";
}

function modelOf(model, inside) {
  return inside && model.window ? model.window : model;
}

/** What a request asks for, in words. */
function askedWords(model, request) {
  if (request.is === "Over") return "The game is over";
  const inside = request.state !== request.at.stage;
  const state = modelOf(model, inside).state(request.state);
  if (request.is === "Priority") return `${request.players.map(plain).join(" and ")} may act`;
  return request.action && state.role === "end" ? upperFirst(blanks(request.action)) : labelOf(state);
}

/** What an answer is called. */
function answerWords(model, request, word) {
  if (word === "passed") return "Pass";
  if (word === "acted") return "Act";
  return askedWords(model, request);
}

function turnWords(at) {
  if (!at.turn) return "The first turn has not begun";
  const decides = at.controller !== at.active ? `, ${plain(at.controller)} decides` : "";
  return `${at.extra ? "Extra turn" : "Turn"} ${at.turn}, ${plain(at.active)}${decides}`;
}

// plain words: what the Model says of a part (`says`, `denies`), else what it means

/** A text of the model as it stands inside a sentence. */
const clause = (text) => blanks(text ?? "").replace(/\.+$/, "").replace(/^.(?!\p{Lu}|\S* \p{Lu})/u, (first) => first.toLowerCase());

/** What it means that a fact is true or false, as a clause. */
function factWords(name, value) {
  const fact = model.fact(name) || model.window?.fact(name), own = fact?.[value ? "says" : "denies"];
  if (own) return plain(own);
  const said = clause(fact?.says || fact?.doc) || blanks(name);
  return value ? said : `it is not so that ${said}`;
}

/** Facts with their values, as one clause. */
function factsWords(facts) {
  const words = facts.map(([name, value]) => factWords(name, value));
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(", and ");
}

/** What it means that somebody or something interrupts. */
const eventWords = (model, name) => clause(model.events.find((one) => one.name === name)?.doc) || blanks(name);

/** What is done in a state. */
const doneWords = (state) => plain(state.says) || labelOf(state);

/** Why a row is taken: what the Model says of it, else its event and its guard. */
function rowSays(model, row) {
  if (row.says) return [plain(row.says)];
  const isSaid = model.events.some((one) => one.name === row.event && !one.completion);
  return [...(isSaid ? [eventWords(model, row.event)] : []), ...row.guard.map((term) => factWords(term.fact, term.value))];
}

/** What a step is for, and one fact worth knowing: [sentence, sentence], or nothing. */
const stepWords = (state) => (Object.hasOwn(PAGE.steps, state.name) ? PAGE.steps[state.name] : ["", ""]);
