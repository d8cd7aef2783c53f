"use strict";
// Effects that a user gives: orders to agenda and calendar, which ride on the next answer, and who leaves the game.

/** What can be ordered: its name, the choices it needs, and the order made of them. */
function effectKinds(session) {
  const { model } = session, players = session.game.run.agenda.players;
  const names = (kind, field) => [...new Map(model.ofKind(kind).map((state) => [state[field] || state.name, labelOf(state)]))];
  const who = ["player", "For", players.map((player) => [player, plain(player)])];
  const step = ["step", "Step", names("step", "name")], phase = ["phase", "Phase", names("phase", "family")];
  const when = ["when", "When", [["next", "the next one"], ["this_turn", "all this turn"], ["each", "every one"]]];
  const until = ["until", "Until", model.durations.map((one) => [one.name, blanks(one.name)])];
  const id = () => `effect ${session.at + session.orders.length + 1}`;
  return [
    { name: "Extra turn", fields: [who], make: ({ player }) => ({ is: "AddTurn", player }) },
    { name: "Extra phase", fields: [phase], make: (one) => ({ is: "AddPhase", phases: [one.phase] }) },
    { name: "Extra step", fields: [step], make: (one) => ({ is: "AddStep", step: one.step }) },
    { name: "Extra step after this phase", fields: [step], make: (one) => ({ is: "AddStep", step: one.step, after: "current_phase" }) },
    { name: "Skip a turn", fields: [who], make: ({ player }) => ({ is: "SkipTurn", player }) },
    { name: "Skip a phase", fields: [phase, who, when], make: (one) => ({ is: "SkipPhase", phase: one.phase, player: one.player, scope: one.when }) },
    { name: "Skip a step", fields: [step, who, when], make: (one) => ({ is: "SkipStep", step: one.step, player: one.player, scope: one.when }) },
    { name: "Control the next turn", fields: [who, ["by", "By", who[2]]], make: ({ player, by }) => ({ is: "ControlNextTurn", player, by }) },
    { name: "Reverse the turn order", fields: [], make: () => ({ is: "ReverseTurnOrder" }) },
    { name: "Trigger at a step", fields: [step], make: (one) => ({ is: "DelayedTrigger", id: id(), step: one.step }) },
    { name: "Effect with a duration", fields: [who, until], make: ({ player, until: word }) => ({ is: "Effect", id: id(), player, until: word }) },
  ].filter((kind) => kind.fields.every(([, , options]) => options.length) && isKnown(session, kind));
}

/** Does the model have such things at all? Tried with the first choices, on a copy. */
function isKnown(session, kind) {
  const fields = Object.fromEntries(kind.fields.map(([name, , options]) => [name, options[0][0]]));
  return !refusalOf(session, kind.make(fields), true);
}

/** Why this order cannot be given now, or "". */
function refusalOf(session, order, quiet = false) {
  try {
    const twin = session.game.fork();
    if (!quiet) session.orders.forEach((one) => applyOrder(twin.run, one));
    applyOrder(twin.run, order);
    return "";
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

/** What is scheduled and still to come, in words. */
function scheduledWords(model, { agenda, calendar }) {
  const label = (kind, word) => labelOf(model.ofKind(kind).find((one) => [one.name, one.family].includes(word)) || { name: word });
  return [
    ...(agenda.reversed ? ["The turn order is reversed"] : []),
    ...agenda.turns.map(({ side }) => `Extra turn of ${plain(side)}`),
    ...agenda.controls.map(({ player, by }) => `${plain(by)} controls the next turn of ${plain(player)}`),
    ...agenda.extras.map((extra) => `Extra: ${label(extra.level, extra.what)}${extra.only ? ` with only ${label("step", extra.only)}` : ""}`),
    ...agenda.skips.map((skip) => (skip.level === "turn" ? `${skip.extra ? "An extra turn" : "A turn"} of ${plain(skip.side)} is skipped`
      : `Skipped: ${label(skip.level, skip.what)} of ${plain(skip.side)}${skip.scope === "next" ? "" : `, ${blanks(skip.scope)}`}`)),
    ...calendar.delayed.map((one) => `${plain(one.id)}: triggers at ${label("step", one.step)}`),
    ...calendar.standing.map((one) => `${plain(one.id)}: triggers at each ${label("step", one.step)}`),
    ...calendar.lasting.map((one) => `${plain(one.id)}: until ${blanks(one.until)}`),
  ];
}
