"use strict";
// Finding steps by their names, by other names and by the numbers of their rules.

class Search {
  /** `at(part, info)` is called with the hit that was chosen. */
  constructor(board, at) {
    Object.assign(this, { board, at, hits: [], now: 0 });
    const field = byId("find");
    field.addEventListener("input", () => this.look(field.value));
    field.addEventListener("keydown", (event) => this.key(event));
  }

  /** The cards of the map whose words or rules begin like this. */
  find(said) {
    const view = this.board.current, wanted = said.trim().toLowerCase();
    if (!wanted) return [];
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
    const hit = this.hits[this.now];
    this.board.ring(this.hits.map((one) => one.part));
    for (const view of this.board.views.values()) view.map.clear("hit");
    if (hit) {
      this.board.current.map.mark(hit.part, "hit");
      this.board.current.map.reveal([hit.part]);
    }
    byId("found").textContent = !said.trim() ? "" : hit ? `${this.now + 1} of ${this.hits.length}: ${hit.info.label}` : "Nothing is found";
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
