"use strict";
// The card of what was pressed on the map: its name, a sentence, its rules, and the way there.

/** `acts` are what one can do from the card: {go, close}. */
function showCard(session, info, acts) {
  const shown = modelOf(session.model, info.view === "window"), { state, rows, label } = info;
  const more = rows.filter((row) => !row.generic), less = rows.filter((row) => row.generic);
  const row = (one) => el("li", {}, el("span", { class: "text" }, rowWords(shown, one)), citation(one.rule));
  const facts = [...new Set(more.flatMap((one) => one.guard.map((term) => term.fact)))].map((name) => shown.fact(name)).filter((fact) => fact?.says && fact.doc);
  const [purpose, line] = state ? stepWords(state) : ["", ""];
  const doc = purpose || (state && plain(state.doc)) || "", waits = state ? canWait(session, info) : true;
  fill(byId("card"),
    el("div", { class: "head" }, el("h2", { id: "card-head" }, label, " ", state ? citation(state.rule) : null),
      el("button", { class: "quiet", "data-key": "cardclose", "aria-label": "Close this card", onclick: acts.close }, icon("close"))),
    el("div", { id: "about" }, doc ? el("p", {}, upperFirst(doc)) : null, line ? el("p", {}, line) : null,
      state ? null : el("p", {}, lineWords(shown, info)),
      el("div", { class: "expert" }, el("ul", {}, more.map(row)),
        less.length ? el("details", {}, el("summary", { "data-key": "generic" }, `${less.length} ways as in every step`), el("ul", {}, less.map(row))) : null,
        facts.length ? el("dl", {}, facts.flatMap((fact) => [el("dt", {}, upperFirst(plain(fact.says))), el("dd", {}, clause(fact.doc))])) : null)),
    el("div", { class: "group" },
      waits ? el("button", { id: "goto", class: "blue", "data-key": "goto", onclick: () => acts.go(info) }, state ? "Take me there" : "Make it happen") : el("p", {}, "The game never waits here: it passes through.")),
    el("p", { id: "cardnote", role: "status" }));
  byId("card").hidden = false;
  place(byId("card"), info.group);
}

/** Can a game ever wait on this part of the map? */
function canWait(session, { view, part, state }) {
  if (view !== "turn") return ["action", "window"].includes(state.kind);
  const ids = session.model.states.filter((one) => ["action", "final"].includes(one.kind) || one.kind === "window").filter((one) => one.id === state.id || session.places[one.id] === part);
  return ids.length > 0;
}

/** What a line stands for: from where to where, and when. */
function lineWords(shown, { rows }) {
  const when = [...new Set(rows.flatMap((row) => rowSays(shown, row)))];
  const doc = rows.map((row) => plain(row.doc)).find(Boolean);
  return when.length ? `This happens if ${when.slice(0, 3).join(", and ").replace(/^if /, "")}.` : doc ? `${upperFirst(doc)}.` : "This is the ordinary course.";
}

/** Put the card beside a part of the map, inside the map. */
function place(card, group) {
  const room = card.parentElement.getBoundingClientRect(), box = group.getBoundingClientRect();
  const width = card.offsetWidth, height = card.offsetHeight;
  const right = box.right - room.left + 12, left = right + width + 8 <= room.width ? right : box.left - room.left - width - 12;
  card.style.left = `${Math.max(8, Math.min(left, room.width - width - 8))}px`;
  card.style.top = `${Math.max(8, Math.min(box.top - room.top - 20, room.height - height - 8))}px`;
}

function rowWords(model, row) {
  const goal = row.target === null ? "nothing happens" : labelOf(model.state(row.target));
  return `${[labelOf(model.state(row.source)), rowSays(model, row).join(", ")].filter(Boolean).join(": ")}, then ${goal}`;
}
