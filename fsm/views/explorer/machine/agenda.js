"use strict";
// The agenda: what is scheduled beyond the ordinary course, and what was interrupted. Values are never changed
// in place, only fields replaced, so a shallow copy is a snapshot.

const NO_CANDIDATE = { what: "", only: "", extra: false, label: "" };
const AGAIN = { ...NO_CANDIDATE, extra: true };

/** `allies` are the teams whose members take turns one by one; of other teams, all members are one side. */
function newAgenda(players, groups, oneByOne) {
  const [teams, allies] = oneByOne ? [[], groups] : [groups, []];
  return { players, teams, allies, left: [], turn: 0, turns_taken: [], own_turns: [], active: "", decider: "", natural: "",
    occurrences: 0, candidate_turn: "", candidate_turn_extra: false, candidate_turn_label: "", candidate_phase: NO_CANDIDATE,
    candidate_step: NO_CANDIDATE, current_turn: null, current_phase: null, current_step: null, cursor_phase: 0,
    cursor_step: 0, returns_phase: [], returns_step: [], suspended: [], begun: [], tallies: {}, reversed: false, turns: [],
    controls: [], skips: [], extras: [], appointed: [] };
}

const own = (counts, name, otherwise) => (Object.hasOwn(counts, name) ? counts[name] : otherwise);
const oneMore = (counts, name) => ({ ...counts, [name]: own(counts, name, 0) + 1 });
const last = (list) => list[list.length - 1];

// sides

/** In turn order: each player alone, or a team together where its first member sits. */
function sidesAmong({ players, teams }) {
  const sides = players.map((player) => teams.find((team) => team.includes(player)) || [player]);
  return sides.filter((side, i) => sides.findIndex((other) => other[0] === side[0]) === i);
}

function sideOf(agenda, player) {
  const team = agenda.teams.find((players) => players.includes(player));
  return team ? team[0] : player;
}

function membersOf(agenda, side) {
  const players = sidesAmong(agenda).find((members) => members[0] === side) || [];
  return players.filter((player) => !agenda.left.includes(player));
}

/** Who stands for a side: its first player who is still in the game. */
const headOf = (agenda, side) => membersOf(agenda, side)[0] || side;

function leaveGame(agenda, player) {
  agenda.left = [...agenda.left, player];
  if (agenda.left.includes(agenda.decider)) agenda.decider = headOf(agenda, agenda.active);
}

function living(agenda) {
  return sidesAmong(agenda).filter((side) => side.some((player) => !agenda.left.includes(player))).map((side) => side[0]);
}

/** The side that stands for a side and its allies. */
const partyOf = (agenda, side) => (agenda.allies.find((team) => team.includes(side)) || [side])[0];

/** The living sides that are opponents of the active one, or of who follows it if it is gone. */
function opposing(agenda) {
  const first = partyOf(agenda, firstSide(agenda));
  return living(agenda).filter((side) => partyOf(agenda, side) !== first);
}

function following(agenda, side) {
  const order = sidesAmong(agenda).map((players) => players[0]), alive = living(agenda);
  if (agenda.reversed && order.includes(side)) order.reverse();
  const start = order.indexOf(side) + 1;
  return [...order.slice(start), ...order.slice(0, start)].find((one) => alive.includes(one)) || "";
}

function firstSide(agenda) {
  return living(agenda).includes(agenda.active) ? agenda.active : following(agenda, agenda.active);
}

function fromActive(agenda) {
  const alive = agenda.reversed ? living(agenda).reverse() : living(agenda), start = Math.max(0, alive.indexOf(firstSide(agenda)));
  return [...alive.slice(start), ...alive.slice(0, start)];
}

const roleNamed = (model, by) => model.roles.find((role) => role.name === by);

/** Who performs an action, from the active player in turn order. */
function performers(run, by) {
  const { agenda } = run, role = roleNamed(run.model, by);
  if (by === "active") return membersOf(agenda, agenda.active);
  if (role) {
    const given = agenda.appointed.find(([one]) => one === by), whose = role.default || "opponents";
    if (given) return agenda.left.includes(given[1]) ? [] : [given[1]];
    return whose === "nobody" ? [] : performers(run, whose);
  }
  const sides = fromActive(agenda).filter((side) => by === "everyone" || takesPart(agenda, side, by));
  return sides.flatMap((side) => membersOf(agenda, side));
}

const roleOf = (by) => (by === "active_and_defending" ? "defending" : by);

function takesPart(agenda, side, by) {
  if (side === agenda.active && roleOf(by) !== by) return true;
  const given = agenda.appointed.find(([role]) => role === roleOf(by));
  return given ? sideOf(agenda, given[1]) === side : partyOf(agenda, side) !== partyOf(agenda, agenda.active);
}

/** Keep the roles of those appointed for as long as this. */
function keepAppointed(run, ...until) {
  run.agenda.appointed = run.agenda.appointed.filter(([name]) => {
    const role = roleNamed(run.model, name);
    return role && until.includes(role.until || "phase");
  });
}

/** The sides of those who take part in the window under way, or act first in it. */
function takingPart(run) {
  const seats = performers(run, run.model.state(run.state).by);
  return [...new Set(seats.map((player) => sideOf(run.agenda, player)))];
}

// turns: a number for each side, in turn order

const turnsOfActive = (agenda, counts) => counts[sidesAmong(agenda).findIndex((side) => side[0] === agenda.active)];

function oneMoreTurn(agenda, counts) {
  return sidesAmong(agenda).map((side, i) => (counts[i] || 0) + (side[0] === agenda.active));
}

function nextPlayer(agenda) {
  const order = sidesAmong(agenda).map((side) => side[0]);
  const next = order.indexOf(agenda.natural) + (agenda.reversed ? -1 : 1);
  agenda.natural = agenda.natural ? order[(next + order.length) % order.length] : order[0];
  Object.assign(agenda, { candidate_turn: agenda.natural, candidate_turn_extra: false, candidate_turn_label: "" });
}

/** The newest extra turn, but for those after a turn that is still to come. */
function turnDue(agenda) {
  return agenda.turns.find((turn) => !turn.after) || null;
}

function takeTurn(agenda) {
  const due = turnDue(agenda);
  agenda.turns = agenda.turns.filter((turn) => turn !== due);
  Object.assign(agenda, { candidate_turn: due.side, candidate_turn_extra: true, candidate_turn_label: due.label });
}

function beginTurn(agenda) {
  const label = agenda.candidate_turn_label;
  agenda.turn += 1;
  agenda.active = agenda.candidate_turn;
  agenda.decider = headOf(agenda, agenda.active);
  agenda.turns_taken = oneMoreTurn(agenda, agenda.turns_taken);
  if (!agenda.candidate_turn_extra) agenda.own_turns = oneMoreTurn(agenda, agenda.own_turns);
  agenda.current_turn = occurrenceOf(agenda, "turn", "turn", "turn",
    { ...NO_CANDIDATE, extra: agenda.candidate_turn_extra, label });
  if (label) {
    const [after, others] = [true, false].map((now) => agenda.turns.filter((turn) => (turn.after === label) === now));
    agenda.turns = [...after.map((turn) => ({ ...turn, after: "" })), ...others];
  }
  const isMine = (one, player) => ["", label].includes(one.within) && sideOf(agenda, player) === agenda.active;
  agenda.skips = agenda.skips.map((skip) =>
    skip.scope === "all_next_turn" && !skip.turn && isMine(skip, skip.side) ? { ...skip, turn: agenda.turn } : skip);
  const controls = agenda.controls.filter((control) => isMine(control, control.player));
  if (!controls.length) return;
  if (!agenda.left.includes(last(controls).by)) agenda.decider = last(controls).by;
  agenda.controls = agenda.controls.filter((control) => !controls.includes(control));
  const after = controls.filter((control) => control.extra_turn_after).map(() => ({ side: agenda.active, label: "", after: "" }));
  agenda.turns = [...after, ...agenda.turns];
}

function endTurn(agenda) {
  agenda.current_turn = agenda.current_phase = agenda.current_step = null;
  dropTurn(agenda);
  agenda.begun = [];
  agenda.tallies = {};
  const labels = ["", ...comingLabels(agenda)];
  agenda.turns = agenda.turns.filter((turn) => labels.includes(turn.after));
  agenda.skips = agenda.skips.filter((skip) => skip.turn !== agenda.turn && labels.includes(skip.within));
  agenda.controls = agenda.controls.filter((control) => labels.includes(control.within));
}

const comingLabels = (agenda) => agenda.turns.map((turn) => turn.label).filter(Boolean);

// phases and steps

function occurrenceOf(agenda, level, name, family, candidate) {
  agenda.occurrences += 1;
  const before = agenda.begun.filter((one) => one.name === name && one.level === level).length;
  return { id: agenda.occurrences, level, name, family, extra: candidate.extra, only: candidate.only, under_way: true,
    iteration: before + 1, label: candidate.label };
}

function begin(agenda, level, name, family) {
  const candidate = agenda[`candidate_${level}`];
  const again = level === "step" && agenda.returns_step.length > 0 && !candidate.extra;
  const occurrence = occurrenceOf(agenda, level, name, family, again ? AGAIN : candidate);
  agenda[`candidate_${level}`] = NO_CANDIDATE;
  agenda[`current_${level}`] = occurrence;
  agenda[`cursor_${level}`] = occurrence.id;
  if (level === "phase") {
    agenda.current_step = null;
    agenda.cursor_step = 0;
  }
  agenda.begun = [...agenda.begun, occurrence];
}

function end(agenda, level) {
  const current = agenda[`current_${level}`];
  if (!current || !current.under_way) return null;
  agenda[`current_${level}`] = { ...current, under_way: false };
  return current;
}

function isUnderWay(agenda, occurrence) {
  const going = [agenda.current_phase, agenda.current_step, ...agenda.suspended.flatMap((one) => [one.phase, one.step])];
  return going.some((one) => one && one.id === occurrence.id && one.under_way);
}

/** Those of the current and the suspended turn, phases and steps that have a label. */
function labelled(agenda) {
  const waiting = agenda.suspended.flatMap((one) => [one.phase, one.step]);
  return [agenda.current_turn, agenda.current_phase, agenda.current_step, ...waiting].filter((one) => one && one.label);
}

function suspend(agenda) {
  const { current_phase: phase, current_step: step, cursor_phase, cursor_step, returns_phase, returns_step } = agenda;
  agenda.suspended = [...agenda.suspended, { phase, step, cursor_phase, cursor_step, returns_phase, returns_step }];
  agenda.returns_phase = [];
  agenda.returns_step = [];
}

function resume(agenda) {
  const { phase, step, ...sequences } = last(agenda.suspended);
  agenda.suspended = agenda.suspended.slice(0, -1);
  Object.assign(agenda, sequences, { current_phase: phase, current_step: step });
}

function passOver(agenda, level) {
  agenda[`candidate_${level}`] = NO_CANDIDATE;
  agenda[`cursor_${level}`] = 0;
}

const visits = (agenda, level, name) => agenda.begun.filter((one) => one.level === level && [one.name, one.family].includes(name));

// skips and extras

function skipDue(agenda, level, what) {
  const side = level === "turn" ? agenda.candidate_turn : agenda.active;
  return agenda.skips.find((skip) => skip.level === level && skip.what === what && ["", side].includes(skip.side)
    && (["next", "each"].includes(skip.scope) || skip.turn === agenda.turn)
    && (!skip.extra || agenda.candidate_turn_extra) && (!skip.within || comesWithin(agenda, level, skip.within))) || null;
}

function comesWithin(agenda, level, label) {
  const candidate = level === "phase" ? agenda.candidate_phase : agenda.candidate_step;
  return candidate.label === label || labelled(agenda).some((one) => one.label === label && one.under_way);
}

/** End what has this label and has not begun. What something else came before is a candidate already: it is skipped. */
function withdrawLabel(agenda, label) {
  const others = (list) => list.filter((one) => one.label !== label);
  const gone = ["phase", "step"].flatMap((level) => agenda[`returns_${level}`].map(({ candidate }) => candidate)
    .filter((candidate) => candidate.label === label).map(({ what }) => ({ level, what, side: agenda.active, scope: "next",
      turn: agenda.turn, within: label, label: "", extra: false })));
  agenda.turns = others(agenda.turns);
  agenda.controls = others(agenda.controls);
  agenda.skips = [...others(agenda.skips), ...gone];
  agenda.extras = others(agenda.extras);
}

function consumeSkip(agenda, level, what) {
  const due = skipDue(agenda, level, what);
  if (due && due.scope === "next") agenda.skips = agenda.skips.filter((skip) => skip !== due);
}

function extraDue(agenda, level) {
  const cursor = agenda[`cursor_${level}`];
  const isDue = (extra) => extra.level === level && visits(agenda, level, extra.after)[extra.nth - 1]?.id === cursor;
  return (cursor && agenda.extras.find(isDue)) || null;
}

function extraBefore(agenda, step) {
  return agenda.extras.find((extra) => extra.before === step) || null;
}

function take(agenda, extra) {
  agenda.extras = agenda.extras.filter((one) => one !== extra);
  agenda[`candidate_${extra.level}`] = { what: extra.what, only: extra.only, extra: true, label: extra.label };
}

function pushReturn(agenda, level, state) {
  const place = { state, cursor: agenda[`cursor_${level}`], candidate: agenda[`candidate_${level}`] };
  agenda[`returns_${level}`] = [...agenda[`returns_${level}`], place];
}

function popReturn(agenda, level) {
  const stack = agenda[`returns_${level}`], place = last(stack);
  agenda[`cursor_${level}`] = place.cursor;
  agenda[`candidate_${level}`] = place.candidate;
  agenda[`returns_${level}`] = stack.slice(0, -1);
}

function dropPhase(agenda) {
  agenda.returns_step = [];
  passOver(agenda, "step");
}

function dropTurn(agenda) {
  dropPhase(agenda);
  const phase = agenda.current_phase;
  agenda.cursor_phase = phase && phase.under_way ? phase.id : 0;
  agenda.returns_phase = [];
  agenda.candidate_phase = NO_CANDIDATE;
  agenda.suspended = [];
  agenda.extras = [];
}
