"use strict";
// The maps of the page: what their parts stand for, and the marks of where the game stands and where it can go.

/** Pixels that the smallest words of a whole map have at least, those of a part of one, and the name of a step on a phone. */
const SMALL = 8, READABLE = 10, ON_PHONE = 16;

const rankOf = (part) => (part.classList.contains("line") ? 2 : Number(!part.classList.contains("card")));

/** What is written on a part of a picture. */
const wordsOn = (group) => [...group.querySelectorAll("text")].map((text) => text.textContent).join(" ");

class Board {
  /** `choose(info)` is called with what was pressed: {view, part, state, rows, label, group}. */
  constructor(model, choose) {
    this.model = model;
    this.choose = choose;
    this.views = new Map(PAGE.pictures.map((picture) => [picture.view, this.prepare(picture)]));
    this.view = "turn";
  }

  prepare(picture) {
    const svg = [...document.querySelectorAll("svg[data-view]")].find((one) => one.dataset.view === picture.view);
    const shown = modelOf(this.model, picture.view === "window"), infos = new Map(), disc = svg.querySelector(":scope > circle");
    if (picture.view === "turn" && disc) this.startPart(disc);
    const map = new MapView(svg, (part, group) => this.choose({ ...infos.get(part), part, group }));
    const view = { ...picture, svg, parts: map.parts, map, shown, infos };
    map.arrange = () => this.begin(view);
    view.lying = new Map();
    for (const [part, paths] of Object.entries(picture.paths)) {
      for (const number of paths.flat()) view.lying.set(number, (view.lying.get(number) || new Set()).add(part));
    }
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `Map: ${blanks(picture.view)}`);
    for (const [part, id] of Object.entries(picture.nodes)) this.nodeButton(view, part, id);
    for (const [part, [layer, rows]] of Object.entries(picture.lines)) this.lineButton(view, part, layer, rows);
    for (const part of Object.keys(picture.boxes)) map.mark(part, "phase");
    map.cite();
    map.rove(rankOf);
    return view;
  }

  /** Where a turn begins, a game stands before its first one. */
  startPart(disc) {
    const group = document.createElementNS(disc.namespaceURI, "g");
    group.dataset.part = "start";
    disc.replaceWith(group);
    group.append(disc);
  }

  nodeButton(view, part, id) {
    const group = view.parts.get(part), state = view.shown.state(id);
    group?.classList.add("card");
    if (!group || !state) return;
    const rows = view.shown.transitions.filter((row) => row.source === id || view.shown.path(row.source).some((one) => one.id === id));
    view.infos.set(part, { view: view.view, state, rows, label: labelOf(state) });
    view.map.button(part, wordsOn(group) || labelOf(state));
  }

  lineButton(view, part, layer, numbers) {
    const group = view.parts.get(part);
    if (!group) return;
    group.classList.add("line");
    const rows = numbers.map((number) => view.shown.transitions[number]).filter(Boolean);
    const ends = rows.length ? `${placeWords(view.shown, rows[0].source)} to ${placeWords(view.shown, last(rows).target || rows[0].source)}` : "line";
    if (rows.length) {
      view.infos.set(part, { view: view.view, state: null, rows, label: ends });
      view.map.button(part, `${wordsOn(group)} Line, ${layerWords(layer)}: ${ends}`.trim());
    }
    const stroke = group.querySelector("path");
    if (!stroke) return;
    const wide = stroke.cloneNode();
    for (const name of ["stroke-dasharray", "style"]) wide.removeAttribute(name);
    wide.setAttribute("class", "reach");
    group.append(wide);
  }

  // what is seen

  get current() {
    return this.views.get(this.view);
  }

  turnTo(name) {
    this.view = name;
    for (const view of this.views.values()) view.svg.toggleAttribute("hidden", view.view !== name);
    this.begin();
  }

  /** All of a map is shown where its words can be read then, and beside the table; else a part, and the rest is reached by dragging, and by itself where the game goes. */
  begin({ map, view, svg } = this.current) {
    const small = map.smallestOf("text:not(.cited)"), isWhole = view !== "turn" || (isNarrow() ? false : map.fitting * small >= SMALL || svg.closest(".halved"));
    const least = isNarrow() ? ON_PHONE / Math.max(map.smallest, 11) : READABLE / small;
    map.begin(isWhole ? map.fitting : Math.max(map.fitting, Math.min(least, MOST_SCALE)));
  }

  /** Something else lies over the right of the maps, so many pixels wide. */
  cover(pixels) {
    for (const view of this.views.values()) view.map.cover(pixels);
  }

  /** The part on which a game stands in a view. */
  partOf(view, run) {
    return run.agenda.turn ? view.places[view.view === "window" ? run.frame : run.state] : "start";
  }

  /** Bring the place of the game, and where it can go, into view. */
  follow(session, moves) {
    const view = this.current, goals = moves.open.map((move) => this.partOf(view, move.far.run));
    const parts = [this.partOf(view, session.game.run), ...goals].filter(Boolean);
    view.map.reveal(parts);
  }

  /** The part that a row leads to: that of its target, else that of the step around it. */
  goalOf(view, row) {
    const step = view.shown.enclosing(row.target, "step");
    const inside = step && view.shown.states.find((one) => view.places[one.id] && view.shown.enclosing(one.id, "step") === step);
    return view.places[row.target] ?? (inside ? view.places[inside.id] : undefined);
  }

  /** Mark where the game stands, where it can go, which lines it came by; `moves` are open and closed ways. */
  paint(session, moves) {
    for (const view of this.views.values()) {
      view.map.clear("now", "open", "closed", "shut", "came");
      for (const part of view.parts.values()) part.removeAttribute("aria-current");
      const inside = view.view === "window", here = this.partOf(view, session.game.run);
      moves.closed.forEach((move) => move.row && this.markRow(view, move));
      moves.open.forEach((move) => this.markMove(view, move, inside));
      session.game.records.forEach((record) => this.markLines(view, [record], inside, "came"));
      const said = { now: "you are here", open: "can happen next", closed: "closed now" };
      const card = here && view.parts.get(here);
      view.map.halo(here || "");
      card?.classList.remove("open", "closed");
      card?.classList.add("now");
      card?.setAttribute("aria-current", "step");
      for (const [part, { state }] of view.infos) {
        const mark = state && Object.keys(said).find((name) => view.parts.get(part).classList.contains(name));
        if (state) view.map.say(part, said[mark] || "");
      }
    }
  }

  markMove(view, move, inside) {
    for (const { run } of [move.near, move.far]) view.map.mark(this.partOf(view, run), "open");
    this.markLines(view, move.way, inside, "open");
  }

  markRow(view, { row, shown }) {
    if (shown !== view.shown || row.target === null) return;
    view.map.mark(this.goalOf(view, row), "closed");
    for (const [part, paths] of Object.entries(view.paths)) {
      if (paths.some((path) => path.some((number) => view.shown.transitions[number] === row))) view.map.mark(part, "shut");
    }
  }

  /** The lines that something fired of which lies on no other line. */
  markLines(view, records, inside, name) {
    const fired = new Set(records.filter((one) => (one.machine === "window") === inside).map((one) => one.transition));
    for (const [number, parts] of view.lying) {
      if (parts.size === 1 && fired.has(view.shown.transitions[number].id)) view.map.mark([...parts][0], name);
    }
  }
}
