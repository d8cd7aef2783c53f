"use strict";
// The map: pictures made with the page, painted with where the game stands and where it can go.

const ZOOM = 1.25;

const rankOf = (part) => (part.classList.contains("line") ? 2 : Number(!part.classList.contains("card")));

/** What is written on a part of a picture. */
const wordsOn = (group) => [...group.querySelectorAll("text")].map((text) => text.textContent).join(" ");

class Board {
  /** `choose(info)` is called with what was pressed: {view, state, rows, label}. */
  constructor(model, choose) {
    this.model = model;
    this.choose = choose;
    this.views = new Map(PAGE.pictures.map((picture) => [picture.view, this.prepare(picture)]));
    this.view = "turn";
  }

  prepare(picture) {
    const svg = [...document.querySelectorAll("svg[data-view]")].find((one) => one.dataset.view === picture.view);
    const parts = new Map([...svg.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    const shown = modelOf(this.model, picture.view === "window");
    const full = svg.getAttribute("viewBox").split(" ").map(Number);
    const view = { ...picture, svg, parts, shown, full, area: [...full] };
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `Map: ${blanks(picture.view.replace(/^ending:/, ""))}`);
    for (const [part, id] of Object.entries(picture.nodes)) this.nodeButton(view, part, id);
    for (const [part, [layer, rows]] of Object.entries(picture.lines)) this.lineButton(view, part, layer, rows);
    for (const part of Object.keys(picture.boxes)) parts.get(part)?.classList.add("phase");
    for (const part of parts.values()) if (!part.hasAttribute("role")) part.setAttribute("aria-hidden", "true");
    this.rove(svg);
    this.drag(view);
    return view;
  }

  nodeButton(view, part, id) {
    const group = view.parts.get(part), state = view.shown.state(id);
    if (!group || !state) return;
    const rows = view.shown.transitions.filter((row) => row.source === id || view.shown.path(row.source).some((one) => one.id === id));
    this.button(group, wordsOn(group) || labelOf(state), { view: view.view, state, rows, label: labelOf(state) });
  }

  lineButton(view, part, layer, numbers) {
    const group = view.parts.get(part);
    if (!group) return;
    group.classList.add("line", `layer-${layer}`);
    const rows = numbers.map((number) => view.shown.transitions[number]).filter(Boolean);
    const ends = rows.length ? `${labelOf(view.shown.state(rows[0].source))} to ${labelOf(view.shown.state(last(rows).target || rows[0].source))}` : "line";
    if (rows.length) this.button(group, `${wordsOn(group)} Line, ${layer}: ${ends}`.trim(), { view: view.view, state: null, rows, label: ends });
    const stroke = group.querySelector("path");
    if (!stroke) return;
    const wide = stroke.cloneNode();
    for (const name of ["stroke-dasharray", "style"]) wide.removeAttribute(name);
    wide.setAttribute("class", "reach");
    group.append(wide);
  }

  button(group, label, info) {
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "-1");
    group.setAttribute("aria-label", label);
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = label;
    group.prepend(title);
    for (const part of group.querySelectorAll("title,text")) part.after(" ");
    const press = () => this.moved || this.choose({ ...info, group });
    group.addEventListener("click", press);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      press();
    });
  }

  /** One stop for the Tab key; the arrow keys go from card to card and from line to line. */
  rove(svg) {
    const buttons = [...svg.querySelectorAll("[role=button]")].sort((a, b) => rankOf(a) - rankOf(b));
    if (buttons.length) buttons[0].setAttribute("tabindex", "0");
    svg.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const here = buttons.indexOf(document.activeElement);
      if (!by || here < 0) return;
      event.preventDefault();
      event.stopPropagation();
      buttons[here].setAttribute("tabindex", "-1");
      const next = buttons[(here + by + buttons.length) % buttons.length];
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }

  drag(view) {
    let from = null;
    view.svg.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY, area: [...view.area] };
      this.moved = false;
    });
    window.addEventListener("pointermove", (event) => {
      if (!from) return;
      const scale = view.area[2] / view.svg.clientWidth, dx = event.clientX - from.x, dy = event.clientY - from.y;
      if (Math.hypot(dx, dy) > 6) this.moved = true;
      if (this.moved) this.show(view, [from.area[0] - dx * scale, from.area[1] - dy * scale, view.area[2], view.area[3]]);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      window.addEventListener(name, () => {
        from = null;
        setTimeout(() => (this.moved = false));
      });
    }
  }

  // what is seen

  get current() {
    return this.views.get(this.view);
  }

  turnTo(name) {
    this.view = name;
    for (const view of this.views.values()) view.svg.toggleAttribute("hidden", view.view !== name);
  }

  show(view, area) {
    view.area = area;
    view.svg.setAttribute("viewBox", area.map((number) => number.toFixed(1)).join(" "));
  }

  fit() {
    this.show(this.current, [...this.current.full]);
  }

  zoom(by) {
    const { area } = this.current, [x, y, width, height] = area;
    this.show(this.current, [x + (width - width / by) / 2, y + (height - height / by) / 2, width / by, height / by]);
  }

  /** Show the phase (or the card) that the game is in, large. */
  focusOn(run) {
    const view = this.current, state = waitingState(view.view === "window" ? run : { ...run, frame: "" });
    const phase = view.shown.enclosing(state.id, "phase");
    const box = phase && Object.values(view.boxes).find(([id]) => id === phase.id);
    const part = view.parts.get(view.places[state.id]);
    let area = box ? box[1] : part && Object.values((({ x, y, width, height }) => ({ x, y, width, height }))(part.getBBox()));
    if (!area) return this.fit();
    const width = Math.max(area[2] + 40, 230), height = Math.min(Math.max(area[3] + 40, 150), width * 1.6);
    let top = area[1] - 20;
    if (part && height < area[3]) {
      const card = part.getBBox();
      top = Math.min(Math.max(top, card.y + card.height / 2 - height / 2), area[1] + area[3] + 20 - height);
    }
    return this.show(view, [area[0] + area[2] / 2 - width / 2, top, width, height]);
  }

  /** Mark where the game stands, where it can go, which lines it came by; `moves` are those of movesOf. */
  paint(session, moves) {
    for (const view of this.views.values()) {
      for (const part of view.parts.values()) {
        part.classList.remove("now", "open", "closed", "came");
        part.removeAttribute("aria-current");
      }
      const inside = view.view === "window", { run } = session.game;
      const here = view.places[inside ? run.frame : run.state];
      moves.closed.forEach((move) => move.row && this.markRow(view, move, "closed"));
      moves.open.forEach((move) => this.markMove(view, move, inside));
      session.game.records.forEach((record) => this.markLines(view, [record], inside, "came"));
      const card = here && view.parts.get(here);
      card?.classList.remove("open", "closed");
      card?.classList.add("now");
      card?.setAttribute("aria-current", "true");
    }
  }

  markMove(view, move, inside) {
    for (const { run } of [move.near, move.far]) this.mark(view, view.places[inside ? run.frame : run.state], "open");
    this.markLines(view, move.way, inside, "open");
  }

  markRow(view, { row, shown }, name) {
    if (shown === view.shown && row.target !== null) this.mark(view, view.places[row.target], name);
  }

  mark(view, part, name) {
    view.parts.get(part)?.classList.add(name);
  }

  /** The lines that stand for what fired: all that lies on one, or ends with it. */
  markLines(view, records, inside, name) {
    const fired = new Set(records.filter((one) => (one.machine === "window") === inside).map((one) => one.transition));
    if (!fired.size) return;
    for (const [part, [, numbers]] of Object.entries(view.lines)) {
      const rows = numbers.map((number) => view.shown.transitions[number]).filter(Boolean);
      const mine = rows.filter((row) => fired.has(row.id));
      const leaves = rows.length && view.places[rows[0].source] !== view.places[last(rows).target];
      if (mine.length && leaves && mine.length === rows.length) this.mark(view, part, name);
      else if (mine.length && mine.some((row) => view.shown.state(row.source).kind === "choice" && view.places[row.source]
        && rows[0] === row)) this.mark(view, part, name);
    }
  }
}
