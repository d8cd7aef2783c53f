"use strict";
// A Model read from its JSON, with what is looked up often. The names of fields are those of the JSON.

const COMPOSITE = new Set(["turn", "phase", "step"]);
const STATE = { name: "", label: "", parent: "", role: "", rule: "", doc: "", family: "", asks: "", action: "",
  opens: "", manner: "", tells: [], by: "active", enters: "" };
const FACT = { rule: "", owner: "game", timing: "live", scope: "", about: "", group: "", test: [], last: false };

function termOf(text) {
  const word = text.trim();
  return word.startsWith("not ") ? { fact: word.slice(4).trim(), value: false } : { fact: word, value: true };
}

function actionOf(text) {
  const open = text.indexOf("(");
  if (open < 0) return { name: text.trim(), args: [], text };
  const args = text.trim().slice(open + 1, -1).split(",").map((part) => part.trim());
  return { name: text.slice(0, open).trim(), args, text };
}

function rowOf(data) {
  const row = { target: null, event: "done", rule: "", layer: "core", generic: false, doc: "", ...data };
  row.guard = (data.guard || []).map(termOf);
  row.actions = (data.actions || []).map(actionOf);
  const guard = row.guard.map((term) => (term.value ? term.fact : `not ${term.fact}`));
  row.id = [row.source, "->", row.target || "(stays)", ...(row.event === "done" ? [] : ["on", row.event]),
    ...(guard.length ? [`[${guard.join(", ")}]`] : [])].join(" ");
  return row;
}

class Model {
  constructor(data) {
    Object.assign(this, { title: "", edition: "", roles: [], ...data });
    this.states = data.states.map((state) => ({ ...STATE, ...state }));
    this.facts = (data.facts || []).map((fact) => ({ ...FACT, ...fact }));
    this.events = (data.events || []).map((event) => ({ doc: "", completion: false, ...event }));
    this.durations = (data.durations || []).map((one) => ({ whose: "any", turn: "any", rule: "", doc: "", ...one }));
    this.settings = (data.settings || []).map((one) => ({ doc: "", default: false, ...one }));
    this.transitions = data.transitions.map(rowOf);
    this.window = data.window ? new Model(data.window) : null;
    this.byId = new Map(this.states.map((state) => [state.id, state]));
    this.byName = new Map(this.facts.map((fact) => [fact.name, fact]));
    this.indexRows();
  }

  indexRows() {
    const own = new Map();
    for (const row of this.transitions) {
      const key = JSON.stringify([row.source, row.event]);
      own.set(key, [...(own.get(key) || []), row]);
    }
    this.table = new Map();
    for (const state of this.states.filter((one) => !COMPOSITE.has(one.kind))) {
      for (const event of this.events) {
        const found = this.path(state.id).flatMap((one) => own.get(JSON.stringify([one.id, event.name])) || []);
        if (found.length) this.table.set(JSON.stringify([state.id, event.name]), found);
      }
    }
  }

  state(id) {
    return this.byId.get(id);
  }

  fact(name) {
    return this.byName.get(name);
  }

  /** The state and all that contain it, innermost first. */
  path(id) {
    const found = [];
    for (let one = this.state(id); one && !found.includes(one); one = this.state(one.parent)) found.push(one);
    return found;
  }

  enclosing(id, kind) {
    return this.path(id).find((state) => state.kind === kind) || null;
  }

  ofKind(kind) {
    return this.states.filter((state) => state.kind === kind);
  }

  /** The transitions that an event may fire in a state, in the order they are tried. */
  rows(source, event) {
    return this.table.get(JSON.stringify([source, event])) || [];
  }

  /** The events that break the ordinary course of a turn. */
  get signals() {
    return this.events.filter((event) => !event.completion).map((event) => event.name);
  }

  /** The facts that the game tells, of the model and of its window. */
  get gameFacts() {
    const all = [...this.facts, ...(this.window ? this.window.facts : [])].filter((fact) => fact.owner === "game");
    return [...new Map(all.map((fact) => [fact.name, fact])).values()];
  }

  /** The names of those that guards read from the answer at hand. */
  get liveFacts() {
    return this.gameFacts.filter((fact) => fact.timing !== "latched").map((fact) => fact.name);
  }
}


/** What may be answered in a state that waits. */
function wordsOf(state) {
  if (COMPOSITE.has(state.kind) || state.kind === "final") return [];
  if (state.kind === "window") return ["closed"];
  if (state.asks !== "priority") return ["done"];
  return state.manner === "for_good" ? ["acted", "passed", "out"] : ["acted", "passed"];
}
