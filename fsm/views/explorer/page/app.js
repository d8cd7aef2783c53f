"use strict";
// The page: wires the session to map and panels, to the buttons and to the keys.

const PACE = 1100;
const isNarrow = () => innerWidth < 720;
const model = new Model(unpacked(PAGE.model));
const session = new Session(model, PAGE.quiet, PAGE.pictures[0].places);
const board = new Board(model, pressed);
const tours = new Tours(session, PAGE.tours, (what) => {
  stop();
  attempt(() => what(session));
});
const NO_MOVES = { open: [], closed: [], effects: [], cuts: [] };
let playing = 0, moves = NO_MOVES, left = false, live = null;

const isExpert = () => document.body.dataset.level === "expert";

function render(announce = true) {
  moves = isExpert() ? movesOf(session) : newcomerMoves(session);
  const told = showNow(session);
  tours.show();
  showMoves(moves, act);
  showFacts(session, moves.open.flatMap((move) => move.asked || []), render.bind(null, false));
  showPath(session, pathOf(session), go);
  showEffects(session, render.bind(null, false));
  board.paint(session, moves);
  turnWith(session.game.run.state);
  if (announce) board.follow(session, moves);
  showTableRow();
  const main = moves.open[0], walks = session.loaded && session.at < session.given.length;
  byId("step").firstElementChild.textContent = walks ? "Next" : !main ? "Over" : main.main || (isExpert() ? (main.word === "passed" ? "Pass" : "Done") : main.title);
  byId("step").disabled = !main && !walks;
  byId("undo").disabled = byId("restart").disabled = !session.at;
  byId("redo").disabled = session.at >= session.given.length;
  byId("count").textContent = walks ? `${session.at} of ${session.given.length}` : "";
  if (announce) byId("live").textContent = told;
  byId("watch").hidden = !live;
  byId("watched").textContent = live?.words;
  byId("follow").hidden = live?.follows;
}

// what a user does

function attempt(what) {
  try {
    if (live) live.follows = false;
    closeCard();
    what();
    say("");
  } catch (error) {
    stop();
    say(error.message);
  }
  render();
}

function say(message) {
  fill(byId("problem"), message ? [el("span", {}, upperFirst(message)), el("button", { class: "quiet", "aria-label": "Close this message", onclick: () => say("") }, icon("close"))] : []);
  byId("problem").hidden = !message;
}

/** Take a way: one answer at the expert's level, all up to the next place at the newcomer's. */
function takeWay(move) {
  session.loaded = false;
  if (move.twin) session.click((twin) => arrive(twin, move.twin));
  else session.choose(move.answer);
}

/** Come as far as a copy has come, or to the first game that `isEnough`. */
function arrive(session, twin, isEnough = () => false) {
  for (const answer of twin.given.slice(session.at, twin.at)) {
    session.give(answer);
    if (isEnough(session.game)) return;
  }
  session.told = new Map(twin.told);
}

/** What a user does with the game, which then plays no longer by itself. */
const doing = (what) => (...given) => {
  stop();
  attempt(() => what(...given));
};
const act = doing(takeWay), go = doing((at) => session.go(at)), undo = doing(() => session.undo()), redo = doing(() => session.redo());
const restart = () => go(0);

function step() {
  attempt(() => {
    if (session.loaded && session.at < session.given.length) session.redo();
    else if (moves.open.length) takeWay(moves.open[0]);
    else stop();
  });
}

function play() {
  if (playing) return stop();
  const loaded = session.loaded && session.at < session.given.length;
  playing = setInterval(() => (session.at >= session.given.length && (loaded || !moves.open.length) ? stop() : step()), PACE);
  return shown();
}

function stop() {
  clearInterval(playing);
  playing = 0;
  shown();
}

function shown() {
  fill(byId("play"), icon(playing ? "pause" : "play"), el("span", {}, playing ? "Pause" : "Play slowly"));
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play slowly");
  byId("play").setAttribute("aria-pressed", String(Boolean(playing)));
}

/** Go to what was pressed on the map, by answers that are found; else nothing changes, and the card says why. */
function takeThere(info) {
  stop();
  const rows = info.state ? new Set() : endsOf(info);
  const isCard = info.state && info.view === "turn";
  const stands = ({ run }) => info.state && !isCard && (info.view === "window" ? run.frame : run.state) === info.state.id;
  const isThere = ({ twin, records }) => (isCard ? session.places[twin.game.run.state] === info.part
    : info.state ? twin.games.slice(session.at + 1, twin.at + 1).some(stands) : records.some((record) => rows.has(record.transition)));
  const found = findWay(session, isThere);
  if (!found) {
    byId("cardnote").textContent = info.state
      ? `No answers lead to ${info.label} from here, and no extra phase, step or turn does.`
      : "No answers make this happen from here, and no extra phase, step or turn does.";
    place(byId("card"), info.group);
    return;
  }
  attempt(() => {
    session.loaded = false;
    session.click((twin) => arrive(twin, found, stands));
  });
}

function small() {
  session.every = !session.every;
  byId("every").setAttribute("aria-pressed", String(session.every));
  render(false);
}

function pressed(info) {
  for (const view of board.views.values()) view.map.clear("chosen");
  info.group.classList.add("chosen");
  if (!info.state && !isExpert()) return makeHappen(info);
  showCard(session, info, { go: takeThere, close: closeCard });
  byId("live").textContent = info.label;
  return byId("goto")?.focus({ preventScroll: true });
}

/** The transitions of a line that leave the place where it begins: with one of them, it has happened. */
function endsOf({ rows }) {
  const at = (id) => session.places[id] ?? id, start = at(rows[0].source);
  const leaving = rows.filter((row) => row.target !== null && at(row.source) === start && at(row.target) !== start);
  return new Set((leaving.length ? leaving : rows).map((row) => row.id));
}

/** A line that can fire now fires at once; any other line says on its card what it is, and can be made to happen. */
function makeHappen(info) {
  const ids = endsOf(info);
  const isMine = (move) => move.way?.some((record) => ids.has(record.transition)) && info.group.classList.contains("open");
  const now = [...moves.open, ...moves.cuts].find(isMine);
  if (now) return act(now);
  return showCard(session, info, { go: takeThere, close: closeCard });
}

function closeCard() {
  const held = byId("card").contains(document.activeElement);
  byId("card").hidden = true;
  const chosen = document.querySelector("svg .chosen");
  for (const view of board.views.values()) view.map.clear("chosen");
  if (held) chosen?.focus({ preventScroll: true });
}

// the level, and what is beside the map

function level(name) {
  document.body.dataset.level = name;
  session.coarse = name === "newcomer";
  remember("level", name);
  for (const one of document.querySelectorAll("[name=level]")) one.checked = one.value === name;
  document.activeElement.blur(); // the arrow keys are the game's again
  if (name === "newcomer") look("turn");
  render(false);
  board.begin();
  board.follow(session, moves);
}

function toggle(id, button, on = byId(id).hidden) {
  byId(id).hidden = !on;
  byId(button).setAttribute("aria-pressed", String(on));
}

function legend(on = byId("legend").hidden) {
  toggle("legend", "legendbutton", on);
  cover();
  remember("legend", on ? "open" : "closed");
}

/** The maps make room for what lies over their right. */
function cover() {
  const legend = byId("legend");
  const wide = legend.checkVisibility() && !isNarrow() ? byId("map").clientWidth - legend.offsetLeft : 0;
  if (wide !== board.current.map.covered) board.cover(wide);
}

function table() {
  toggle("tableheld", "tablebutton");
  byId("mapheld").classList.toggle("halved", !byId("tableheld").hidden);
  cover();
  if (isNarrow()) menu(false);
  showTableRow();
}

/** Mark the rows of the step in which the game stands. */
function showTableRow() {
  if (byId("tableheld").hidden) return;
  const here = model.enclosing(session.game.run.state, "step");
  for (const row of document.querySelectorAll("#tableheld [data-step]")) row.classList.toggle("now", row.dataset.step === here?.id);
  document.querySelector("#tableheld .now")?.scrollIntoView({ block: "nearest" });
}

function menu(on = !document.body.classList.contains("more")) {
  document.body.classList.toggle("more", on);
  byId("menu").setAttribute("aria-expanded", String(on));
}

// views

function look(view) {
  board.turnTo(view);
  for (const button of document.querySelectorAll("[data-look]")) button.setAttribute("aria-pressed", String(button.dataset.look === view));
  for (const caption of document.querySelectorAll("[data-caption]")) caption.hidden = caption.dataset.caption !== view;
}

/** Where an ending's stages have a picture of their own, the map goes there with the game, and back. */
function turnWith(state) {
  const view = board.views.get("turn").places[state] ? null
    : [...board.views.values()].find((one) => one.view === "endings" && one.places[state]);
  if (view && ["turn", view.view].includes(board.view)) {
    left = true;
    look(view.view);
  } else if (!view && left) {
    look("turn");
    left = false;
  }
}

// keys

const KEYS = { ArrowRight: step, " ": step, ArrowLeft: undo, Home: restart, p: play, "?": () => byId("help").showModal(),
  "+": () => board.current.map.zoom(ZOOM), "=": () => board.current.map.zoom(ZOOM), "-": () => board.current.map.zoom(1 / ZOOM), 0: () => board.current.map.fit(), g: here, t: table,
  Escape: closeCard };

function here() {
  if (board.current.map.scale < 1) board.begin();
  board.follow(session, moves);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !byId("keys").checked || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input:not([type=radio]),select,textarea")) return;
  const isButton = event.target.closest("button,summary,a,[role=button],input");
  if (event.key === " " && isButton) return;
  if (event.key.startsWith("Arrow") && event.target.closest("input")) return;
  const number = /^[1-9]$/.test(event.key) ? moves.open[Number(event.key) - 1] : null;
  const todo = number ? () => act(number) : KEYS[event.key];
  if (!todo) return;
  event.preventDefault();
  todo();
}

const LEGEND = [["now", "you are here"], ["open", "can happen next"], ["closed", "closed now"], ["dot", "players may act"], ["ring", "only if something happened"],
  ["core", "normal course"], ["skip", "left out"], ["extra", "again or extra"], ["jump", "cut short"], ["diamond", "a choice, or a place for extras"]];

function wire() {
  const press = { undo, redo, step, play, restart, follow: () => live.follow(), add: addOrder,
    othergames: () => byId("games").showModal(), copytest: () => copy(testOf), copyscenario: () => copy(scenarioOf), new: showSetup,
    tablebutton: table, legendbutton: () => legend(), legendclose: () => legend(false),
    larger: () => board.current.map.zoom(ZOOM), smaller: () => board.current.map.zoom(1 / ZOOM), fit: () => board.current.map.fit(), here, print: () => window.print(),
    helpbutton: () => byId("help").showModal(),
    tours: () => {
      remember("tours", "open");
      byId("help").close();
      tours.show();
    },
    every: small, menu: () => menu() };
  for (const [id, what] of Object.entries(press)) byId(id)?.addEventListener("click", what);
  for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", () => button.closest("dialog").close());
  for (const one of document.querySelectorAll("[name=level]")) one.addEventListener("change", () => level(one.value));
  byId("setupform").addEventListener("submit", newGame);
  byId("kind").addEventListener("change", showOrderForm);
  byId("effects").addEventListener("toggle", () => byId("effects").open && showOrderForm());
  document.addEventListener("keydown", key);
  byId("card").addEventListener("keydown", (event) => event.key === "Escape" && closeCard());
  byId("more").addEventListener("keydown", (event) => event.key === "Escape" && menu(false));
  window.addEventListener("beforeprint", () => board.current.map.whole(true));
  window.addEventListener("afterprint", () => board.current.map.whole(false));
  for (const button of document.querySelectorAll("[data-look]")) {
    button.addEventListener("click", () => {
      left = false;
      look(button.dataset.look);
    });
  }
  fill(document.querySelector("#legend ul"), LEGEND.map(([mark, words]) => el("li", {}, el("i", { class: `sample as-${mark}` }), words)));
  drawIcons();
  shown();
}

session.coarse = true;
session.start(PAGE.start.head);
wire();
if (remembered("legend") !== "closed" && innerWidth >= 1100) legend(true);
tours.show(); // the map fits what room they leave
look("turn");
if (remembered("level") === "expert") level("expert");
attempt(() => session.load(PAGE.start));
if (isLive) live = new Live(session, render);
document.documentElement.dataset.ready = "true";
