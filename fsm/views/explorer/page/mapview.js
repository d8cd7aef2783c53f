"use strict";
// The map widget: size, place and marks of one SVG. It knows no game and no model, and needs nothing else of the page.
// Parts are the elements with data-part. Lengths are units of the drawing, which are pixels at scale 1.

const LEAST_SCALE = 0.5, MOST_SCALE = 3, ZOOM = 1.25, DRAGGED = 6, KEPT = 3, LEGIBLE = 9.9;

/** A text of nothing but numbers of rules: "510.4", "103.8b, 103.8a". */
const RULES = /^[^a-z]*\d[\d.]*[a-z]?([,; ]+\d[\d.]*[a-z]?)*$/;

class MapView {
  /** `pressed(part, group)` is called with what was pressed with mouse, finger or keys. */
  constructor(svg, pressed = () => {}) {
    this.svg = svg;
    this.pressed = pressed;
    this.parts = new Map([...svg.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    this.full = svg.getAttribute("viewBox").split(" ").map(Number);
    this.centre = [0, 0];
    this.smallest = this.smallestOf("text");
    this.scale = 0;
    this.pointers = new Map();
    this.labels = new Map();
    this.covered = 0; // pixels at the right that something else covers
    this.isOwn = false; // did the reader choose size and place?
    this.arrange = () => this.fit(); // what is done when there is more or less room
    this.revealed = [];
    this.listen();
    new ResizeObserver(() => this.resized()).observe(svg);
  }

  listen() {
    const { svg } = this;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), [event.clientX, event.clientY]);
    }, { passive: false });
    svg.addEventListener("dblclick", () => this.fit());
    svg.addEventListener("pointerdown", (event) => {
      if (!this.pointers.size) this.moved = false;
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
      this.began = [event.clientX, event.clientY];
    });
    window.addEventListener("pointermove", (event) => this.pointers.has(event.pointerId) && this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) {
      window.addEventListener(name, (event) => {
        this.pointers.delete(event.pointerId);
        if (!this.pointers.size) setTimeout(() => (this.moved = false));
      });
    }
  }

  /** One pointer moves the map, two also change its size. */
  drag(event) {
    const before = [...this.pointers.values()], now = [event.clientX, event.clientY];
    if (!this.moved && before.length < 2 && Math.hypot(now[0] - this.began[0], now[1] - this.began[1]) <= DRAGGED) return;
    this.moved = this.isOwn = true;
    const middle = (points) => [0, 1].map((i) => points.reduce((sum, one) => sum + one[i], 0) / points.length);
    const apart = (points) => (points.length < 2 ? 1 : Math.hypot(points[0][0] - points[1][0], points[0][1] - points[1][1]) || 1);
    this.pointers.set(event.pointerId, now);
    const after = [...this.pointers.values()], [from, to] = [middle(before), middle(after)];
    this.centre = this.centre.map((value, i) => value - (to[i] - from[i]) / this.scale);
    if (after.length > 1) this.zoom(apart(after) / apart(before), to);
    else this.show();
  }

  // size and place

  get size() {
    return [this.svg.clientWidth - this.covered, this.svg.clientHeight];
  }

  /** Leave as many pixels at the right free for something else. */
  cover(pixels) {
    this.covered = pixels;
    this.resized();
  }

  /** There is more or less room: the map is arranged anew, but for one whose size and place the reader chose. */
  resized() {
    if (this.isOwn) return this.show();
    this.arrange();
    return this.reveal(this.revealed);
  }

  /** Show the map at this scale: all of it, or as much of its top left as there is room for. */
  begin(scale) {
    this.isOwn = false;
    this.centre = this.size.map((length, i) => this.full[i] + Math.min(this.full[i + 2], length / scale) / 2);
    this.show(scale);
  }

  /** The scale at which all of the drawing is in view. */
  get fitting() {
    return Math.min(...this.size.map((length, i) => length / this.full[i + 2]));
  }

  /** The size of the smallest of these texts, in units of the drawing. */
  smallestOf(texts) {
    const sizes = [...this.svg.querySelectorAll(texts)].map((one) => Number(one.getAttribute("font-size"))).filter(Boolean);
    return Math.min(...sizes, 100);
  }

  fit() {
    this.begin(this.fitting);
  }

  /** Change the size; the point of the screen `about` (else the middle) stays where it is. */
  zoom(by, about = null) {
    this.isOwn = true;
    const scale = this.bounded(this.scale * by);
    if (about) {
      const box = this.svg.getBoundingClientRect(), off = [about[0] - box.left - this.size[0] / 2, about[1] - box.top - box.height / 2];
      this.centre = this.centre.map((value, i) => value + off[i] / this.scale - off[i] / scale);
    }
    this.show(scale);
  }

  bounded(scale) {
    return Math.max(Math.min(LEAST_SCALE, this.fitting), Math.min(MOST_SCALE, scale));
  }

  /** Show all of the drawing whatever its size, as for print, until this is called with false. */
  whole(on) {
    this.isWhole = on;
    this.show();
  }

  /** Show the map at this scale. A third of what can be in view stays in view. */
  show(scale = this.scale) {
    const size = this.size;
    if (this.isWhole) this.svg.setAttribute("viewBox", this.full.join(" "));
    if (this.isWhole || !size[0] || !size[1]) return;
    this.scale = scale || this.fitting;
    const seen = size.map((length) => length / this.scale);
    this.centre = this.centre.map((value, i) => {
      const kept = Math.min(this.full[i + 2], seen[i]) / KEPT, low = this.full[i] + kept - seen[i] / 2;
      return Math.max(low, Math.min(this.full[i] + this.full[i + 2] - kept + seen[i] / 2, value));
    });
    const area = [this.centre[0] - seen[0] / 2, this.centre[1] - seen[1] / 2, this.svg.clientWidth / this.scale, seen[1]];
    this.svg.setAttribute("viewBox", area.map((number) => number.toFixed(1)).join(" "));
    this.svg.classList.toggle("tiny", this.smallest * this.scale < LEGIBLE);
  }

  /** The area around parts, as left, top, right, bottom; null if none of them is there. */
  around(names) {
    const boxes = names.map((name) => this.parts.get(name)).filter((part) => part && part.checkVisibility?.() !== false).map((part) => part.getBBox());
    if (!boxes.length) return null;
    const least = (of) => Math.min(...boxes.map(of)), most = (of) => Math.max(...boxes.map(of));
    return [least((b) => b.x), least((b) => b.y), most((b) => b.x + b.width), most((b) => b.y + b.height)];
  }

  /** Move the map as little as brings these parts into view; the first of them, if there is no room for all. */
  reveal(names, margin = 14) {
    this.revealed = names;
    const all = this.around(names), size = this.size;
    if (!all || !size[0]) return;
    const seen = size.map((length) => length / this.scale);
    const fits = [0, 1].every((i) => all[i + 2] - all[i] + 2 * margin <= seen[i]);
    const area = fits ? all : this.around(names.slice(0, 1)) || all;
    this.centre = this.centre.map((value, i) => {
      const [low, high] = [area[i] - margin, area[i + 2] + margin], half = seen[i] / 2;
      // nothing is lost by showing all of a map that has room
      if (this.full[i + 2] <= seen[i]) return this.full[i] + this.full[i + 2] / 2;
      if (high - low > seen[i]) return (low + high) / 2;
      const near = Math.max(high - half, Math.min(low + half, value));
      return Math.max(this.full[i] + half, Math.min(this.full[i] + this.full[i + 2] - half, near));
    });
    this.show();
  }

  // marks: classes of parts

  clear(...names) {
    for (const part of this.parts.values()) part.classList.remove(...names);
  }

  mark(name, mark) {
    this.parts.get(name)?.classList.add(mark);
  }

  /** Draw a halo around this part and no other: it is found at once, also without colours. */
  halo(name, away = 4.5) {
    this.svg.querySelectorAll(".halo").forEach((halo) => halo.remove());
    const part = this.parts.get(name), shape = part?.querySelector("rect,path,polygon,circle");
    if (!shape) return;
    const box = shape.getBBox(), halo = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const sides = { x: box.x - away, y: box.y - away, width: box.width + 2 * away, height: box.height + 2 * away, rx: 12, class: "halo" };
    for (const [key, value] of Object.entries(sides)) halo.setAttribute(key, value);
    part.prepend(halo);
  }

  // buttons: each part that can be pressed

  button(name, label) {
    const group = this.parts.get(name);
    if (!group) return;
    this.labels.set(name, label);
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "-1");
    group.setAttribute("aria-label", label);
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = label;
    group.prepend(title);
    for (const part of group.querySelectorAll("title,text")) part.after(" ");
    const press = () => this.moved || this.pressed(name, group);
    group.addEventListener("click", press);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      press();
    });
  }

  /** Mark the texts that are numbers of rules: they give way where there is no room for them. */
  cite() {
    for (const text of this.svg.querySelectorAll("text")) if (RULES.test(text.textContent.trim())) text.classList.add("cited");
  }

  /** Say more of a button to those who hear the page, such as that it can happen next. */
  say(name, more) {
    const label = this.labels.get(name), said = more ? `${label}, ${more}` : label;
    if (label) this.parts.get(name).setAttribute("aria-label", said);
  }

  /** One stop for the Tab key. The arrow keys go to the next or the previous button of the lowest `rank`; with Shift, of any. */
  rove(rank) {
    const buttons = [...this.svg.querySelectorAll("[role=button]")].sort((a, b) => rank(a) - rank(b));
    for (const part of this.parts.values()) if (!part.hasAttribute("role")) part.setAttribute("aria-hidden", "true");
    if (!buttons.length) return;
    const main = buttons.filter((one) => rank(one) === rank(buttons[0]));
    buttons[0].setAttribute("tabindex", "0");
    this.svg.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key], here = document.activeElement;
      if (!way || !buttons.includes(here)) return;
      event.preventDefault();
      event.stopPropagation();
      const among = event.shiftKey || !main.includes(here) ? buttons : main, next = among[among.indexOf(here) + way];
      if (!next) return;
      here.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
      this.reveal([next.dataset.part]);
    });
  }
}
