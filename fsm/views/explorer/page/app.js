"use strict";
// The page: wires the session to map and panels, to the keys, to files and to the address.

const PACE = 900;
const model = new Model(unpacked(PAGE.model));
const session = new Session(model, PAGE.quiet);
const board = new Board(model, about);
let playing = 0, moves = { open: [], closed: [], effects: [] }, written = null, chosen = null, left = null;

function render(announce = true) {
  moves = movesOf(session);
  const told = showNow(session);
  showMoves(moves, act);
  showFacts(session, moves.open.flatMap((move) => move.asked), render.bind(null, false));
  showPath(session, pathOf(session), go);
  showEffects(session, render.bind(null, false));
  board.paint(session, moves);
  follow(session.game.run.state);
  if (isClose()) board.focusOn(session.game.run);
  const main = moves.open[0];
  byId("step").textContent = session.at < session.given.length ? "Next" : !main ? "Over" : main.word === "passed" ? "Pass" : "Done";
  byId("step").disabled = !main && session.at >= session.given.length;
  byId("undo").disabled = byId("restart").disabled = !session.at;
  byId("redo").disabled = session.at >= session.given.length;
  byId("count").textContent = session.at < session.given.length ? `${session.at} of ${session.given.length}` : "";
  if (announce) byId("live").textContent = told;
  write();
}

function write() {
  written = session.at || session.head.players !== PAGE.start.head.players ? `#${linkOf(session)}` : "#";
  if (location.hash !== written && (location.hash || written !== "#")) history.replaceState(null, "", written);
}

const isClose = () => byId("phase").getAttribute("aria-pressed") === "true";

// what a user does

function attempt(what) {
  try {
    what();
    say("");
  } catch (error) {
    stop();
    say(error instanceof Refused ? error.message : `This cannot be read: ${error.message}`);
  }
  render();
}

function say(message) {
  fill(byId("problem"), message ? [el("span", {}, upperFirst(message)), el("button", { class: "small", "aria-label": "Close this message", onclick: () => say("") }, "×")] : []);
  byId("problem").hidden = !message;
}

function act(move) {
  stop();
  attempt(() => session.choose(move.answer));
}

function go(at) {
  stop();
  attempt(() => session.go(at));
}

function step() {
  attempt(() => {
    if (session.at < session.given.length) session.redo();
    else if (moves.open.length) session.choose(moves.open[0].answer);
    else stop();
  });
}

function undo() {
  stop();
  attempt(() => session.undo());
}

function redo() {
  stop();
  attempt(() => session.redo());
}

function restart() {
  stop();
  attempt(() => session.go(0));
}

function play() {
  if (playing) return stop();
  const loaded = session.at < session.given.length;
  playing = setInterval(() => (loaded && session.at >= session.given.length) || (!moves.open.length && session.at >= session.given.length) ? stop() : step(), PACE);
  return shown();
}

function stop() {
  clearInterval(playing);
  playing = 0;
  shown();
}

function shown() {
  byId("play").textContent = playing ? "Pause" : "Play";
  byId("play").setAttribute("aria-pressed", String(Boolean(playing)));
}

/** Pass and pass until the game comes to what was pressed on the map. */
function playTo(info) {
  const arrived = () => {
    const { run } = session.game, here = info.view === "window" ? run.frame : run.state;
    return here && info.view === "window" ? here === info.state.id : board.views.get("turn").places[here] === info.group.dataset.part;
  };
  stop();
  attempt(() => {
    for (let i = 0; i < HURRY && session.game.request.is !== "Over"; i += 1) {
      const word = last(wordsOf(waitingState(session.game.run)));
      session.choose({ word, facts: session.facts(), orders: session.orders, signal: null });
      if (arrived()) return;
    }
    throw new Refused("PageError", `everybody passed ${HURRY} times and the game did not come to ${info.label}`);
  });
}

function small() {
  session.every = !session.every;
  byId("every").setAttribute("aria-pressed", String(session.every));
  render(false);
}

function about(info) {
  chosen = info;
  showAbout(info, modelOf(model, info.view === "window"));
  byId("aboutheld").hidden = false;
  const there = info.state && info.group.classList.contains("card") || (info.state && info.view === "window");
  byId("goto").hidden = !there;
  byId("goto").textContent = `Pass until ${info.label}`;
  for (const view of board.views.values()) for (const part of view.parts.values()) part.classList.toggle("chosen", part === info.group);
  byId("live").textContent = info.label;
  if (innerWidth < 720) byId("aboutheld").scrollIntoView({ block: "nearest" });
}

// layers, views, colours

function layers() {
  for (const button of document.querySelectorAll("[data-layer]")) {
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      byId("map").classList.toggle(`no-${button.dataset.layer}`, !on);
    });
  }
}

function look(view, close = false) {
  board.turnTo(view);
  byId("phase").setAttribute("aria-pressed", String(close));
  for (const button of document.querySelectorAll("[data-look]")) {
    button.setAttribute("aria-pressed", String(button.dataset.look === view && !close));
  }
  if (close) board.focusOn(session.game.run);
  else board.fit();
  for (const caption of document.querySelectorAll("[data-caption]")) caption.hidden = caption.dataset.caption !== view;
}

/** Where an ending's stages have a picture of their own, the map goes there with the game, and back. */
function follow(state) {
  const view = board.views.get("turn").places[state] ? null
    : [...board.views.values()].find((one) => one.view.startsWith("ending:") && one.places[state]);
  if (view && ["turn", view.view].includes(board.view)) {
    left ??= isClose();
    look(view.view);
  } else if (!view && left !== null) {
    look("turn", left);
    left = null;
  }
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  byId("theme").setAttribute("aria-pressed", String(!dark));
}

// keys

const KEYS = { ArrowRight: step, ArrowLeft: undo, Home: restart, p: play, "?": () => byId("help").showModal() };

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !byId("keys").checked || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input,select,textarea")) return;
  const number = /^[1-9]$/.test(event.key) ? moves.open[Number(event.key) - 1] : null;
  const todo = number ? () => act(number) : KEYS[event.key];
  if (!todo) return;
  event.preventDefault();
  todo();
}

function wire() {
  const press = { undo, redo, step, play, restart, share, theme, new: showSetup, add: addOrder,
    phase: () => look("turn", true),
    larger: () => board.zoom(ZOOM), smaller: () => board.zoom(1 / ZOOM), fit: () => board.fit(),
    load: () => byId("file").click(), goto: () => playTo(chosen), helpbutton: () => byId("help").showModal(),
    every: small,
    menu: () => byId("menu").setAttribute("aria-expanded", String(document.body.classList.toggle("more"))) };
  for (const [id, what] of Object.entries(press)) byId(id)?.addEventListener("click", what);
  for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", () => button.closest("dialog").close());
  byId("setupform").addEventListener("submit", newGame);
  byId("copy").addEventListener("click", () => navigator.clipboard?.writeText(byId("link").value).then(() => (byId("live").textContent = "Copied")).catch(() => {}));
  byId("file").addEventListener("change", () => byId("file").files[0] && openFile(byId("file").files[0]));
  byId("kind").addEventListener("change", showOrderForm);
  byId("effects").addEventListener("toggle", () => byId("effects").open && showOrderForm());
  for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
  document.addEventListener("drop", (event) => event.dataTransfer.files[0] && openFile(event.dataTransfer.files[0]));
  document.addEventListener("keydown", key);
  window.addEventListener("hashchange", fromAddress);
  for (const button of document.querySelectorAll("[data-look]")) {
    button.addEventListener("click", () => {
      left = null;
      look(button.dataset.look);
    });
  }
  layers();
}

session.start(PAGE.start.head);
wire();
look("turn", innerWidth < 720);
fromAddress();
document.documentElement.dataset.ready = "true";
