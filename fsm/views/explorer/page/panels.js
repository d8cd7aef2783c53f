"use strict";
// The panels beside the map: where the game stands, what can happen, the facts, the way so far.

function showNow(session) {
  const { model, game } = session, { request } = game, at = request.at;
  const state = model.state(at.stage), place = placeOf(model, state), inside = request.state !== at.stage;
  const asked = askedWords(model, request), where = inside ? labelOf(state) : labelOf(model.enclosing(place.id, "phase") || place);
  const noticed = [...request.expired.map((id) => `${plain(id)} is over`), ...request.triggered.map((id) => `${plain(id)} triggers`)];
  const rule = (inside ? model.window.state(request.state).rule : state.rule) || place.rule, [purpose, line] = stepWords(place);
  fill(byId("now"),
    el("p", { class: "where" }, el("strong", {}, labelOf(place)), " ", el("span", { class: "expert" }, asked === labelOf(place) ? "" : asked)),
    el("p", { class: "newcomer" }, `${turnWords(at)}. ${mayWords(session)}`),
    el("p", { class: "expert" }, `${turnWords(at)}${where && where !== labelOf(place) ? `. ${where}` : ""}. `, citation(rule)),
    noticed.length ? el("p", {}, noticed.join(", ")) : null);
  byId("purpose").textContent = plain(purpose);
  byId("purpose").hidden = !purpose;
  byId("know").hidden = !line;
  byId("know").querySelector("p").textContent = plain(line);
  const doc = plain((inside ? model.window.state(request.state).doc : state.doc) || place.doc);
  return [labelOf(place), asked, turnWords(at), doc].filter(Boolean).join(". ");
}

/** Who may do something here, for newcomers. */
function mayWords({ model, game: { request, run } }) {
  if (request.is === "Over") return "The game is over.";
  if (request.is === "Priority") return `${request.players.map(plain).join(" and ")} may act.`;
  const here = model.enclosing(run.state, "step"), opens = here && model.states.some((one) => one.kind === "window" && one.opens === "natural" && model.enclosing(one.id, "step") === here);
  return opens ? "Players may act here." : "";
}

/** One way: what people do and where it leads, why, its rule and its key. */
function wayButton(move, i, act) {
  const why = move.reason || [move.then && `If all pass: ${move.then}.`, move.deciding && `${upperFirst(move.deciding)}.`].filter(Boolean).join(" ");
  return el("button", { class: "move", "data-key": move.key, onclick: () => act(move) },
    el("span", { class: "text" }, el("strong", {}, move.title), move.to ? `, then ${move.to}` : "", why ? el("small", {}, why) : null),
    move.rule ? el("span", { class: "rule" }, plain(move.rule)) : null,
    i < 9 ? el("kbd", { "aria-hidden": "true" }, String(i + 1)) : null);
}

function showMoves(moves, act) {
  const item = (move, i) => el("li", {}, wayButton(move, i, act));
  fill(byId("moves"), moves.open.map(item), moves.closed.map((move) => closedItem(move, act)));
  const cuts = moves.cuts.length, effects = moves.effects.length;
  fill(byId("byeffects"), moves.cuts.map((move) => item(move, 9)), moves.effects.map((move) => closedItem(move, act)));
  byId("effectsheld").hidden = !effects && !cuts;
  fill(byId("effectscount"), cuts ? ["An effect cuts the turn short ", el("span", { class: "much" }, cuts > 1 ? `${cuts} ways` : "1 way")] : `${effects} more ${effects > 1 ? "ways" : "way"}, closed`);
}

function closedItem(move, act) {
  return el("li", { class: "closed" },
    el("span", { class: "text" }, el("span", { class: "what" }, icon("lock", 14), move.title), el("small", {}, `Closed because ${plain(move.why)}.`, move.retry ? [" ",
      el("button", { class: "link", "data-key": `try:${move.title}`, "aria-label": `Try ${move.title} all the same`, onclick: () => act(move.retry) }, move.retry.told[0][1] ? "Try it anyway" : "Try it without")] : null)), citation(move.rule));
}

function showFacts(session, passing, changed) {
  const { model, game } = session, { run, request } = game;
  const all = new Map([...model.facts, ...(model.window ? model.window.facts : [])].map((fact) => [fact.name, fact]));
  const names = [...new Set([...request.facts, ...passing])], asked = names.map((name) => all.get(name)).filter(Boolean);
  const latched = [...all.values()].filter((fact) => fact.owner === "game" && fact.timing === "latched" && !names.includes(fact.name));
  const switchOf = (fact) => factSwitch(session, fact, run.latched.includes(fact.name) || session.value(fact.name), run.latched.includes(fact.name), changed);
  const holding = latched.filter((fact) => run.latched.includes(fact.name) || session.value(fact.name));
  const inside = run.frame ? model.window.facts : [];
  const known = [...model.facts, ...inside].filter((fact) => fact.owner !== "game");
  const computed = known.map((fact) => [fact, holds(run, fact)]);
  fill(byId("facts"), asked.length || holding.length ? null : el("p", {}, "Nothing has to be told here."),
    asked.map((fact) => factSwitch(session, fact, session.value(fact.name), false, changed)), holding.map(switchOf));
  fill(byId("untold"), latched.filter((fact) => !holding.includes(fact)).map(switchOf));
  byId("untoldheld").hidden = latched.length === holding.length;
  fill(byId("computed"), computed.map(([fact, value]) => el("li", { class: value ? "true" : "" },
    el("span", { class: "text", title: clause(fact.doc) }, upperFirst(factWords(fact.name, true))), citation(fact.rule),
    el("span", { class: "value" }, value === null ? "not told yet" : value ? "yes" : "no"))));
}

function factSwitch(session, fact, value, fixed, changed) {
  const flip = () => {
    session.tell(fact.name, !value);
    changed();
  };
  const lasts = fact.timing === "latched" ? (fixed ? ", holds for now" : ", then it stays") : "";
  return el("button", { class: "switch", role: "switch", "aria-checked": String(value), disabled: fixed, "data-key": `fact:${fact.name}`,
    title: clause(fact.doc), onclick: flip },
  el("span", { class: "text" }, upperFirst(factWords(fact.name, true)), lasts ? el("small", {}, lasts.slice(2)) : null), el("span", { class: "knob", "aria-hidden": "true" }));
}

function showPath(session, path, go) {
  const turn = last(path.filter((one) => one.kind === "turn"))?.turn ?? 0;
  const now = last(path.filter((one) => one.kind === "step" || one.kind === "jump"));
  fill(byId("ticks"), path.filter((one) => one.turn === turn && one.kind !== "turn").map((one) => tick(session, one, one === now, go)));
  const steps = path.filter((one) => one.kind !== "turn");
  fill(byId("path"), path.slice(-60).map((one) => el("li", { class: one.kind },
    el("button", { class: "plain", "data-key": `path:${one.at}:${one.kind}`, "aria-current": one === now ? "step" : false, onclick: () => go(one.at) },
      pathWords(one, steps.indexOf(one) + 1)), citation(one.rule))));
  byId("path").scrollTop = byId("path").scrollHeight;
  byId("pathcount").textContent = steps.length === 1 ? "1 step" : `${steps.length} steps`;
  byId("ticks").parentElement.scrollLeft = byId("ticks").scrollWidth;
}

function pathWords(one, number) {
  if (one.kind === "turn") return `${one.extra ? "Extra turn" : "Turn"} ${one.turn}, ${plain(one.active)}`;
  const again = one.iteration > 1 ? ` (again, ${one.iteration})` : "";
  const skipped = one.kind === "skipped" ? "skipped: " : "";
  return `${number}. ${skipped}${one.label}${again}${one.extra ? " (extra)" : ""}`;
}

function tick(session, one, current, go) {
  const hue = one.id ? hueOf(session.model, one.id) : null;
  const words = pathWords(one, 0).slice(3), code = one.kind === "jump" ? "" : one.code, label = `${code} ${words}`.trim();
  const button = el("button", { class: `tick ${one.kind}${one.extra ? " extra" : ""}`, "data-key": `tick:${one.at}:${one.id || one.kind}`, title: words,
    "aria-label": label, "aria-current": current ? "step" : false, onclick: () => go(one.at) }, code || icon("close", 13));
  if (hue !== null) button.dataset.hue = String(hue);
  return el("li", {}, button);
}

function showEffects(session, changed) {
  const list = session.orders.map((order, i) => el("li", {}, el("span", { class: "text" }, session.words.get(order)),
    el("button", { class: "small", "data-key": `order:${i}`, "aria-label": `Take back: ${session.words.get(order)}`, onclick() {
      session.orders = session.orders.filter((one) => one !== order);
      changed();
    } }, icon("close", 13))));
  fill(byId("orders"), list);
  byId("ordersnote").hidden = !list.length;
  const scheduled = scheduledWords(session.model, session.game.run);
  byId("scheduledheld").hidden = !scheduled.length;
  fill(byId("scheduled"), scheduled.map((words) => el("li", {}, words)));
}
