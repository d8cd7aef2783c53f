"use strict";
// The calendar: when delayed triggers trigger and durations run out. Told each moment, it answers with ids.

const newCalendar = () => ({ lasting: [], delayed: [], standing: [] });

function expireAt(calendar, moment, durations) {
  const ending = new Map(durations.filter((one) => one.moment === moment.kind && moment.names.includes(one.what))
    .map((one) => [one.name, one]));
  return forget(calendar, (entry) => ending.has(entry.until) && isOver(entry, ending.get(entry.until), moment));
}

function isOver(entry, duration, moment) {
  if ((duration.whose === "yours" && entry.side !== moment.active) || !isIn(moment, entry)) return false;
  return duration.turn === "any" || entry.turn === moment.turn;
}

/** Is the moment in what the entry is bound to? */
const isIn = (moment, { within }) => !within || moment.labels.includes(within);

function bindTurn(calendar, moment, durations) {
  const next = durations.filter((one) => one.turn === "next").map((one) => one.name);
  const isTheirs = (entry) => entry.side === moment.active && isIn(moment, entry);
  const bound = (entry, waits) => (waits && !entry.turn ? { ...entry, turn: moment.turn } : entry);
  calendar.lasting = calendar.lasting.map((entry) => bound(entry, next.includes(entry.until) && isTheirs(entry)));
  calendar.delayed = calendar.delayed.map((entry) =>
    bound(entry, entry.on === "next_turn" || (entry.on === "your_next_turn" && isTheirs(entry))));
}

/** `coming`: the labels of the turns still to come. What waits for another label is over. */
function closeTurn(calendar, turn, coming) {
  const isLost = (entry) => entry.turn === turn || !["", ...coming].includes(entry.within);
  calendar.delayed = calendar.delayed.filter((entry) => !isLost(entry));
  return forget(calendar, isLost);
}

function withdrawId(calendar, id) {
  for (const kind of Object.keys(calendar)) calendar[kind] = calendar[kind].filter((entry) => entry.id !== id);
}

function missTurn(calendar, side, durations) {
  const yours = durations.filter((one) => one.whose === "yours").map((one) => one.name);
  return forget(calendar, (entry) => entry.side === side && yours.includes(entry.until));
}

/** `earlier`: the names of what began before this turn. */
function triggerAt(calendar, moment, earlier) {
  const due = calendar.delayed.filter((entry) => moment.names.includes(entry.step) && waitsFor(entry, moment));
  calendar.delayed = calendar.delayed.filter((entry) => !due.includes(entry));
  const ringing = calendar.standing.filter((entry) => moment.names.includes(entry.step)
    && !(entry.first_each_turn && earlier.includes(entry.step)) && ["each", moment.active].includes(entry.whose));
  return [...due, ...ringing].map((entry) => entry.id);
}

function waitsFor(entry, moment) {
  if (!isIn(moment, entry)) return false;
  if (entry.on === "your_next") return entry.side === moment.active;
  return entry.on === "next" || entry.turn === moment.turn;
}

function forget(calendar, gone) {
  const ids = calendar.lasting.filter(gone).map((entry) => entry.id);
  calendar.lasting = calendar.lasting.filter((entry) => !gone(entry));
  return ids;
}
