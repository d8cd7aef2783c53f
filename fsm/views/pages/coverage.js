"use strict";
// Filters the list of each machine. The page has all of it already.

const SHOWN = { all: "All", missing: "Never", map: "On the map", allowed: "Allowed to be missing", impossible: "Impossible", refuted: "Held impossible, yet taken" };

class Machine {
  constructor(section) {
    this.section = section;
    this.lists = [...section.querySelectorAll(".list")];
    this.tiles = [...section.querySelectorAll(".tile")];
    this.parts = [...section.querySelectorAll(".view [data-part]")];
    this.find = section.querySelector("input");
    this.place = section.querySelector(".place");
    if (!this.lists.length) return;
    const first = this.lists.find((list) => list.dataset.criterion === "transitions") || this.lists[0];
    this.settings = { count: first.dataset.criterion, show: "all", find: "", place: "" };
    this.find.addEventListener("input", () => this.set({ find: this.find.value }));
    this.place.addEventListener("click", () => this.set({ place: "" }));
    for (const tile of this.tiles) tile.addEventListener("click", () => this.set({ count: tile.dataset.criterion, place: "" }));
    for (const part of this.parts) {
      part.addEventListener("click", () => this.touch(part));
      part.addEventListener("keydown", (event) => {
        if (!["Enter", " "].includes(event.key)) return;
        event.preventDefault();
        this.touch(part);
      });
    }
  }

  get list() {
    return this.lists.find((list) => list.dataset.criterion === this.settings.count);
  }

  touch(part) {
    const again = part.dataset.part === this.settings.place;
    this.set({ place: again ? "" : part.dataset.part, show: "all", find: "" });
    if (!again) this.section.querySelector(".filter").scrollIntoView({ block: "center" });
  }

  set(some) {
    Object.assign(this.settings, some);
    this.render();
  }

  belongs(row, show) {
    return show === "all" || (show === "map" ? row.dataset.parts !== "" : row.classList.contains(show));
  }

  render() {
    const { settings } = this, terms = settings.find.toLowerCase().split(/\s+/).filter(Boolean);
    this.find.value = settings.find;
    for (const tile of this.tiles) tile.setAttribute("aria-pressed", String(tile.dataset.criterion === settings.count));
    for (const list of this.lists) list.hidden = list !== this.list;
    const rows = [...this.list.querySelectorAll(".row")];
    const said = (row) => `${row.cells[0].textContent} ${row.cells[1].textContent}`.toLowerCase();
    const near = rows.filter((row) => (!settings.place || row.dataset.parts.split(" ").includes(settings.place))
      && terms.every((term) => said(row).includes(term)));
    const shown = new Set(near.filter((row) => this.belongs(row, settings.show)));
    for (const row of rows) row.hidden = !shown.has(row);
    for (const body of this.list.querySelectorAll("tbody")) body.hidden = !body.querySelector(".row:not([hidden])");
    this.segments(near);
    this.section.querySelector("[role=status]").textContent = `${shown.size} of ${rows.length} shown`;
    let called = "";
    for (const part of this.parts) {
      const here = part.dataset.part === settings.place;
      part.classList.toggle("chosen", here);
      if (part.hasAttribute("aria-pressed")) part.setAttribute("aria-pressed", String(here));
      if (here) called = (part.getAttribute("aria-label") || "this line").replace(/, [^,]*$/, "");
    }
    this.place.hidden = !called;
    this.place.textContent = `${called} ×`;
    this.place.setAttribute("aria-label", `${called}: show the whole list again`);
  }

  /** The buttons that choose, each with how many of the list it shows. */
  segments(rows) {
    const held = this.section.querySelector(".seg"), focused = held.contains(document.activeElement);
    const counts = Object.keys(SHOWN).map((show) => [show, rows.filter((row) => this.belongs(row, show)).length]);
    held.replaceChildren(...counts.filter(([show, n]) => n || show === "all" || show === this.settings.show).map(([show, n]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `${SHOWN[show]} ${n}`;
      button.setAttribute("aria-pressed", String(show === this.settings.show));
      button.addEventListener("click", () => this.set({ show }));
      return button;
    }));
    if (focused) held.querySelector("[aria-pressed=true]").focus();
  }
}

/** Show the machine of the address, and of several machines no other. */
function choose() {
  const shown = machines.find((one) => `#${one.section.id}` === location.hash) || machines[0];
  for (const one of machines) one.section.hidden = one !== shown;
  for (const link of document.querySelectorAll(".summary a")) {
    if (shown && link.hash === `#${shown.section.id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (shown?.lists.length) shown.render();
}

document.documentElement.classList.add("js");
const machines = [...document.querySelectorAll("section.machine")].map((section) => new Machine(section));
document.getElementById("print").addEventListener("click", () => print());
addEventListener("hashchange", choose);
choose();
document.documentElement.dataset.ready = "true";
