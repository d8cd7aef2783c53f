"use strict";
// The panels beside the map: where the game stands, what can happen, the facts, the way so far.

function showNow(session) {
  const { model, game } = session, { request } = game, at = request.at;
  const state = model.state(at.stage), place = placeOf(model, state), inside = request.state !== at.stage;
  const asked = askedWords(model, request), where = inside ? labelOf(state) : labelOf(model.enclosing(place.id, "phase") || place);
  const noticed = [...request.expired.map((id) => `${plain(id)} is over`), ...request.triggered.map((id) => `${plain(id)} triggers`)];
  const rule = (inside ? model.window.state(request.state).rule : state.rule) || place.rule;
  fill(byId("now"),
    el("p", { class: "where" }, el("strong", {}, labelOf(place)), " ", el("span", {}, asked === labelOf(place) ? "" : asked)),
    el("p", {}, `${turnWords(at)}${where && where !== labelOf(place) ? `. ${where}` : ""}. `, citation(rule)),
    noticed.length ? el("p", {}, noticed.join(", ")) : null);
  const doc = plain((inside ? model.window.state(request.state).doc : state.doc) || place.doc);
  return [labelOf(place), asked, turnWords(at), doc].filter(Boolean).join(". ");
}

function showMoves(moves, act) {
  const open = moves.open.map((move, i) => el("button", { class: "move", "data-key": move.key, onclick: () => act(move) },
    el("span", { class: "text" },
      el("strong", {}, move.title), move.to ? ` to ${move.to}` : "",
      move.then || move.deciding.length ? el("small", {}, [move.then && `if all pass: ${move.then}`, ...move.deciding].filter(Boolean).join(", ")) : null),
    move.rule ? el("span", { class: "rule" }, plain(move.rule)) : null,
    i < 9 ? el("kbd", { "aria-hidden": "true" }, String(i + 1)) : null));
  fill(byId("moves"), open.map((one) => el("li", {}, one)), moves.closed.map(closedItem));
  fill(byId("byeffects"), moves.effects.map(closedItem));
  byId("effectsheld").hidden = !moves.effects.length;
  byId("effectscount").textContent = `${moves.effects.length} more ways, closed`;
}

function closedItem(move) {
  return el("li", { class: "closed" },
    el("span", { class: "text" }, el("span", {}, move.title), el("small", {}, plain(move.why))), citation(move.rule));
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
  const computed = known.map((fact) => [fact, safely(() => holds(run, fact))]);
  fill(byId("facts"), asked.length || holding.length ? null : el("p", {}, "Nothing has to be told here."),
    asked.map((fact) => factSwitch(session, fact, session.value(fact.name), false, changed)), holding.map(switchOf));
  fill(byId("untold"), latched.filter((fact) => !holding.includes(fact)).map(switchOf));
  byId("untoldheld").hidden = latched.length === holding.length;
  fill(byId("computed"), computed.map(([fact, value]) => el("li", { class: value ? "true" : "" },
    el("span", { class: "text", title: plain(fact.doc) }, blanks(fact.name)), citation(fact.rule), el("span", { class: "value" }, truth(value)))));
}

function safely(read) {
  try {
    return read();
  } catch {
    return null;
  }
}

function factSwitch(session, fact, value, fixed, changed) {
  const flip = () => {
    session.tell(fact.name, !value);
    changed();
  };
  const lasts = fact.timing === "latched" ? (fixed ? ", holds for now" : ", then it stays") : "";
  return el("button", { class: "switch", role: "switch", "aria-checked": String(value), disabled: fixed, "data-key": `fact:${fact.name}`,
    title: plain(fact.doc), onclick: flip },
  el("span", { class: "text" }, blanks(fact.name), lasts ? el("small", {}, lasts.slice(2)) : null), el("span", { class: "knob", "aria-hidden": "true" }));
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
}

function pathWords(one, number) {
  if (one.kind === "turn") return `${one.extra ? "Extra turn" : "Turn"} ${one.turn}, ${plain(one.active)}`;
  const again = one.iteration > 1 ? ` (again, ${one.iteration})` : "";
  const skipped = one.kind === "skipped" ? "skipped: " : "";
  return `${number}. ${skipped}${one.label}${again}${one.extra ? " (extra)" : ""}`;
}

function tick(session, one, current, go) {
  const hue = one.id ? hueOf(session.model, one.id) : null;
  const words = pathWords(one, 0).slice(3), code = one.kind === "jump" ? "×" : one.code, label = `${code} ${words}`;
  const button = el("button", { class: `tick ${one.kind}${one.extra ? " extra" : ""}`, "data-key": `tick:${one.at}:${one.id || one.kind}`, title: words,
    "aria-label": label, "aria-current": current ? "step" : false, onclick: () => go(one.at) }, code);
  if (hue !== null) button.dataset.hue = String(hue);
  return el("li", {}, button);
}

function showEffects(session, changed) {
  const list = session.orders.map((order, i) => el("li", {}, el("span", { class: "text" }, orderWords(session.model, order)),
    el("button", { class: "small", "data-key": `order:${i}`, "aria-label": `Take back: ${orderWords(session.model, order)}`, onclick() {
      session.orders = session.orders.filter((one) => one !== order);
      changed();
    } }, "×")));
  fill(byId("orders"), list);
  byId("ordersnote").hidden = !list.length;
  const scheduled = scheduledWords(session.model, session.game.run);
  byId("scheduledhead").hidden = !scheduled.length;
  fill(byId("scheduled"), scheduled.map((words) => el("li", {}, words)));
}

/** What was pressed on the map, in words: its rows, each with guard, target, and citation. */
function showAbout(info, shownModel) {
  const { state, rows, label } = info;
  const more = rows.filter((row) => !row.generic), less = rows.filter((row) => row.generic);
  const line = (row) => el("li", {}, el("span", { class: "text" }, rowWords(shownModel, row)), citation(row.rule));
  fill(byId("about"),
    el("p", {}, el("strong", {}, label), " ", state ? citation(state.rule) : null),
    state && state.doc ? el("p", {}, plain(state.doc)) : null,
    el("ul", {}, more.map(line)),
    less.length ? el("details", {}, el("summary", { "data-key": "generic" }, `${less.length} rows as in every step`), el("ul", {}, less.map(line))) : null);
  const facts = [...new Set(more.flatMap((row) => row.guard.map((term) => term.fact)))].map((name) => shownModel.fact(name)).filter(Boolean);
  byId("about").append(...(facts.length ? [el("dl", {}, facts.flatMap((fact) => [el("dt", {}, blanks(fact.name)), el("dd", {}, plain(fact.doc))]))] : []));
}

function rowWords(model, row) {
  const target = row.target === null ? "nothing happens" : `to ${labelOf(model.state(row.target))}`;
  const event = model.events.find((one) => one.name === row.event);
  const word = !event || event.completion ? "" : `${blanks(row.event)} `;
  return `${labelOf(model.state(row.source))}: ${word}${guardWords(row)}${row.guard.length ? " " : ""}${target}`;
}
