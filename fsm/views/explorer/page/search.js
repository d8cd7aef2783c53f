"use strict";
// Finding steps by their names, by other names and by the numbers of their rules.

/** A view by the name on its button. */
const viewWords = (view) => plain([...document.querySelectorAll("[data-look]")].find((one) => one.dataset.look === view)?.textContent ?? view);

class Search {
  /** `at(info)` is called with the hit that was chosen; `isWide()` says whether all views are searched; `look(view)` shows one. */
  constructor(board, { at, isWide, look }) {
    Object.assign(this, { board, at, isWide, turnTo: look, hits: [], now: 0 });
    const field = byId("find");
    field.addEventListener("input", () => this.look(field.value));
    field.addEventListener("keydown", (event) => this.key(event));
  }

  /** The cards whose words or rules begin like this: those of the map that is seen before those of other views. */
  find(said) {
    const { current, views } = this.board, wanted = said.trim().toLowerCase();
    if (!wanted) return [];
    const others = this.isWide() ? [...views.values()].filter((view) => view !== current) : [], known = new Set();
    return [current, ...others].flatMap((view) => this.findIn(view, wanted)).filter(({ info }) => {
      const key = `${info.view === "window"} ${info.state.id}`;
      return !known.has(key) && known.add(key);
    });
  }

  findIn(view, wanted) {
    const isRule = /\d/.test(wanted);
    const isCard = ([part, info]) => info.state && (view.view !== "turn" || info.state.kind === "step" || view.parts.get(part).classList.contains("card"));
    return [...view.infos].filter(isCard).map(([part, info]) => {
      const inside = view.shown.states.filter((one) => one.id === info.state.id || view.places[one.id] === part);
      const rules = [...inside, ...info.rows.filter((row) => !row.generic)].flatMap((one) => (one.rule || "").split(/[,; ]+/)).filter(Boolean);
      const words = [info.label, wordsOn(view.parts.get(part)), ...inside.flatMap((one) => [blanks(one.name), blanks(one.family), labelOf(one)])].join(" \\n ").toLowerCase();
      const rank = isRule ? ((info.state.rule || "").toLowerCase() === wanted ? 3 : rules.some((rule) => rule.toLowerCase() === wanted) ? 2 : rules.some((rule) => rule.toLowerCase().startsWith(wanted)) ? 1 : 0)
        : info.label.toLowerCase().startsWith(wanted) ? 2 : words.includes(wanted) ? 1 : 0;
      return { part, info, rank };
    }).filter((hit) => hit.rank).sort((a, b) => b.rank - a.rank);
  }

  look(said) {
    this.hits = this.find(said);
    this.now = 0;
    this.show(said);
  }

  show(said = byId("find").value) {
    const hit = this.hits[this.now], { view } = this.board, isHere = hit?.info.view === view;
    this.board.ring(this.hits.filter((one) => one.info.view === view).map((one) => one.part));
    for (const one of this.board.views.values()) one.map.clear("hit");
    if (isHere) {
      this.board.current.map.mark(hit.part, "hit");
      this.board.current.map.reveal([hit.part]);
    }
    byId("found").textContent = !said.trim() ? "" : hit ? `${this.now + 1} of ${this.hits.length}: ${hit.info.label}${isHere ? "" : `, in ${viewWords(hit.info.view)}`}` : "Nothing is found";
  }

  /** Take the rings off the map. */
  clear() {
    this.board.ring([]);
    for (const view of this.board.views.values()) view.map.clear("hit");
  }

  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key], hit = this.hits[this.now];
    if (by && this.hits.length) {
      this.now = (this.now + by + this.hits.length) % this.hits.length;
      this.show();
    } else if (event.key === "Enter" && hit) {
      this.clear();
      if (hit.info.view !== this.board.view) this.turnTo(hit.info.view);
      this.board.current.map.centreOn([hit.part]);
      this.at({ ...hit.info, part: hit.part, group: this.board.current.parts.get(hit.part) });
    } else if (event.key === "Escape") {
      byId("find").value = "";
      this.look("");
      byId("find").blur();
    } else return;
    event.preventDefault();
  }
}
