"use strict";
// Inside a step: its stages from top to bottom, those that are done, the one where the game stands, and the exits.

/** The stages of a step in order: states that wait, as the rows of the ordinary course link them. */
function stagesOf(model, step) {
  return model.states.filter((state) => ["action", "window"].includes(state.kind) && model.enclosing(state.id, "step")?.id === step.id);
}

function showLens(session, step, close) {
  const { model, game } = session, here = model.state(game.run.state), stages = stagesOf(model, step);
  const inStep = model.enclosing(here.id, "step")?.id === step.id, now = inStep ? stages.findIndex((one) => one.id === here.id) : -1;
  const fired = session.games.slice(0, session.at + 1).flatMap((one) => one.records).filter((record) => record.machine === "turn" && record.step_id === game.run.agenda.current_step?.id);
  const been = new Set(inStep ? fired.map((record) => record.source) : []);
  const item = (stage, i) => {
    const done = been.has(stage.id) && i !== now, doc = stage.kind === "window" && i === now ? windowWords(session) : plain(stage.doc);
    return el("li", { class: `${stage.kind}${i === now ? " now" : ""}${done ? " past" : ""}`, "aria-current": i === now ? "step" : false },
      el("span", { class: "text" }, el("strong", {}, labelOf(stage)), doc ? el("small", {}, upperFirst(doc)) : null, stage.rule ? el("span", { class: "rule" }, plain(stage.rule)) : null),
      done ? [icon("done"), el("span", { class: "unseen" }, "done")] : null);
  };
  const exits = exitsOf(model, step).map((row) => el("li", { class: "exit" }, icon("next", 13), el("span", {}, labelOf(placeOf(model, model.state(row.target))),
    el("small", {}, rowSays(model, row).join(", ")))));
  fill(byId("lens"), el("div", { class: "head" }, el("h2", {}, `Inside ${labelOf(step)}`),
    el("button", { class: "quiet", "data-key": "lens", "aria-label": "Close what is inside the step", onclick: close }, icon("close"))),
  el("ol", {}, stages.map(item)), exits.length ? el("ul", {}, exits) : null);
}

function windowWords({ game, model }) {
  const { request, run } = game;
  if (request.is !== "Priority") return model.window ? labelOf(model.window.state(request.state) || model.state(request.at.stage)) : "";
  const passed = run.passed.length ? `${run.passed.map(plain).join(" and ")} passed` : "nobody has passed yet";
  return `${request.players.map(plain).join(" and ")} may act; ${passed}`;
}

/** The rows that leave a step for another one; where a choice comes between, those of the choice. */
function exitsOf(model, step) {
  const inside = (id) => model.enclosing(id, "step")?.id === step.id, found = [];
  const follow = (id, seen) => {
    for (const row of model.rows(id, "done").filter((one) => !one.generic && one.target !== null && !seen.has(one.target))) {
      const target = model.state(row.target);
      if (inside(row.target) || (target.kind === "choice" && !model.enclosing(target.id, "step"))) follow(row.target, new Set([...seen, row.target]));
      else if (!found.includes(row)) found.push(row);
    }
  };
  const ends = model.states.filter((state) => inside(state.id) && ["end", "after"].includes(state.role));
  ends.forEach((state) => follow(state.id, new Set()));
  return found;
}
