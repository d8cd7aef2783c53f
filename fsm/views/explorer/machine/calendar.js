"use strict";
// The calendar: when delayed triggers trigger and durations run out. Told each moment, it answers with ids.

const newCalendar = () => ({ lasting: [], delayed: [], standing: [] });
const isIdle = (calendar) => !(calendar.lasting.length || calendar.delayed.length || calendar.standing.length);

function expireAt(calendar, moment, durations) {
  const ending = new Map(durations.filter((one) => one.moment === moment.kind && moment.names.includes(one.what))
    .map((one) => [one.name, one]));
  return forget(calendar, (entry) => ending.has(entry.until) && isOver(entry, ending.get(entry.until), moment));
}

function isOver(entry, duration, moment) {
  if (duration.whose === "yours" && entry.side !== moment.active) return false;
  return duration.turn === "any" || entry.turn === moment.turn;
}

function bindTurn(calendar, active, turn, durations) {
  const next = durations.filter((one) => one.turn === "next").map((one) => one.name);
  const bound = (entry, waits) => (waits && !entry.turn && entry.side === active ? { ...entry, turn } : entry);
  calendar.lasting = calendar.lasting.map((entry) => bound(entry, next.includes(entry.until)));
  calendar.delayed = calendar.delayed.map((entry) => bound(entry, entry.on === "your_next_turn"));
}

function closeTurn(calendar, turn) {
  calendar.delayed = calendar.delayed.filter((entry) => entry.turn !== turn);
  return forget(calendar, (entry) => entry.turn === turn);
}

function missTurn(calendar, side, durations) {
  const yours = durations.filter((one) => one.whose === "yours").map((one) => one.name);
  return forget(calendar, (entry) => entry.side === side && yours.includes(entry.until));
}

function triggerAt(calendar, moment, first, madeBefore) {
  const fresh = (entry) => madeBefore && entry.made === moment.turn && moment.names.includes(entry.made_in);
  const due = calendar.delayed.filter((entry) => moment.names.includes(entry.step)
    && (entry.on === "next" || entry.turn === moment.turn) && !fresh(entry));
  calendar.delayed = calendar.delayed.filter((entry) => !due.includes(entry));
  const ringing = calendar.standing.filter((entry) => moment.names.includes(entry.step)
    && (first || !entry.first_each_turn) && ["each", moment.active].includes(entry.whose));
  return [...due, ...ringing].map((entry) => entry.id);
}

function forget(calendar, gone) {
  const ids = calendar.lasting.filter(gone).map((entry) => entry.id);
  calendar.lasting = calendar.lasting.filter((entry) => !gone(entry));
  return ids;
}
