"use strict";
// The list of each machine: filter, sort, map and address. It needs nothing but the data that stands in the page.

const PHONE = matchMedia("(max-width: 720px)");
const SHOWN = { all: "All", missing: "Never", map: "On the map", allowed: "Allowed to be missing", impossible: "Impossible", refuted: "Held impossible, yet taken" };
const SORTS = { never: "never first", most: "most taken", order: "in the order of the rules" };
const MORE = 100, ZOOM = 1.3;
const ICONS = { go: "M6 4v12l10-6z", find: "M9 4a5 5 0 1 0 0 10a5 5 0 0 0 0-10M13 13l4 4", out: "M10 3v9M6 8l4 4 4-4M4 17h12" };

function icon(name) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [key, value] of Object.entries({ class: "ic", width: 14, height: 14, viewBox: "0 0 20 20", "aria-hidden": "true" })) made.setAttribute(key, value);
  path.setAttribute("d", ICONS[name]);
  if (name === "go") path.setAttribute("fill", "currentColor");
  made.append(path);
  return made;
}

/** A text that may be broken where a name has one word after another, and nowhere else inside a word. */
const breakable = (text) => text.split(/(?<=[_/]|::)/).flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part]));

// the address has the settings of the machine that is shown, and its number

const given = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
let written = null;

function write(number, settings, usual) {
  const params = new URLSearchParams(number ? { machine: number } : {});
  for (const [name, value] of Object.entries(settings)) if (value !== usual[name]) params.set(name, value);
  written = params.size ? `#${params}` : "";
  if (location.hash !== written) history.replaceState(null, "", written || location.pathname + location.search);
}

class Machine {
  constructor(section) {
    this.section = section;
    this.number = Number(section.id.split("-")[1]);
    this.data = JSON.parse(section.querySelector(".data").textContent);
    this.lists = new Map(this.data.lists.map((list) => [list.criterion, { ...list, items: list.items.map((item, at) => this.item(item, at)) }]));
    this.view = section.querySelector(".map .view");
    this.drawn = new Set(Object.entries(this.data.map).filter(([part]) => part.startsWith("e")).flatMap(([, [rows]]) => rows));
    this.stands = new Set(Object.values(this.data.map).flatMap(([, states]) => states));
    if (!this.lists.size) return;
    const criterion = this.lists.has("transitions") ? "transitions" : [...this.lists.keys()][0];
    const onMap = this.lists.get(criterion).items.some((one) => this.isOnMap(one));
    this.usual = { count: criterion, show: onMap ? "map" : "all", phase: "", sort: "never", find: "", place: "" };
    this.settings = this.usual;
    this.build();
  }

  // One target as [subject, count, kind, note, way, tests]; the subject is a transition, several, or its own words.
  item([subject, count, kind = "", note = 0, way = [], tests = []], at) {
    const { rows, notes } = this.data, base = { at, count, kind, note: note ? notes[note - 1] : "", way, tests };
    const several = typeof subject === "number" ? [subject] : typeof subject[0] === "number" ? subject : null;
    if (!several) {
      const [words, id, rule, group, refs] = subject;
      return { ...base, words, id, rule, group, refs };
    }
    const all = several.map((ref) => rows[ref]), last = all[all.length - 1];
    const join = (part, between) => all.map((row) => row[part]).filter(Boolean).join(between);
    return { ...base, words: join(0, ", then: "), id: join(1, " ; "), rule: last[2], group: last[3], refs: several };
  }

  isOnMap(item) {
    return item.refs.length ? item.refs.every((ref) => this.drawn.has(ref)) : this.stands.has(item.id);
  }

  isAt(item, part) {
    const [rows, states] = this.data.map[part] || [[], []];
    return item.refs.length ? item.refs.some((ref) => rows.includes(ref)) : states.includes(item.id);
  }

  partsOf(item) {
    const parts = Object.keys(this.data.map).filter((part) => this.isAt(item, part));
    const lines = parts.filter((part) => part.startsWith("e"));
    return lines.length && item.refs.length ? lines : parts.filter((part) => part.startsWith("n"));
  }

  get list() {
    return this.lists.get(this.settings.count);
  }

  /** Does an item belong to what is shown? What may be missing or cannot be taken is not "never". */
  belongs(item, show) {
    return show === "all" || (show === "map" ? this.isOnMap(item) : item.kind === show);
  }

  // what is built once

  build() {
    const held = this.section.querySelector(".list"), { groups } = this.data;
    this.find = el("input", { type: "search", placeholder: "Step, rule or id", "aria-label": "Step, rule or id", oninput: () => this.set({ find: this.find.value }) });
    this.segments = el("span", { class: "seg", role: "radiogroup", "aria-label": "Show" });
    this.phase = el("select", { "aria-label": "Phase", onchange: () => this.set({ phase: this.phase.value }) },
      new Option("Phase: all", ""), ...groups.filter(Boolean).map((name) => new Option(`Phase: ${name}`, name)));
    this.sort = el("select", { "aria-label": "Sort", onchange: () => this.set({ sort: this.sort.value }) },
      ...Object.entries(SORTS).map(([name, words]) => new Option(`Sort: ${words}`, name)));
    this.ids = el("input", { type: "checkbox", checked: !PHONE.matches, onchange: () => held.classList.toggle("no-ids", !this.ids.checked) });
    held.classList.toggle("no-ids", PHONE.matches);
    this.place = el("button", { type: "button", class: "btn", hidden: true, onclick: () => this.set({ place: "" }) });
    this.body = el("table", { class: "targets" });
    this.status = el("p", { role: "status", class: "muted" });
    this.more = el("button", { type: "button", class: "btn", onclick: () => this.show(this.most + MORE) });
    held.append(
      el("div", { class: "filter", role: "search", "aria-label": "Filter the list" },
        el("label", { class: "find" }, icon("find"), this.find), this.segments, this.place,
        groups.length > 1 ? this.phase : "", this.sort, el("span", { class: "space" }),
        el("label", { class: "ids" }, this.ids, "ids"),
        el("button", { type: "button", class: "btn export", onclick: () => this.export() }, icon("out"), "Export")),
      this.body, this.status, this.more);
    for (const tile of this.section.querySelectorAll(".tile")) {
      tile.addEventListener("click", () => this.set({ count: tile.dataset.criterion, place: "", show: this.settings.show === "missing" ? "missing" : "all" }));
    }
    this.view?.addEventListener("click", (event) => this.touch(event.target.closest("[data-part]")));
    this.view?.addEventListener("keydown", (event) => {
      const part = event.target.closest("[data-part]");
      if (!part || !["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      this.touch(part);
    });
    for (const tab of this.section.querySelectorAll(".tabs button")) tab.addEventListener("click", () => this.scroll(tab));
    PHONE.addEventListener("change", () => this.fit());
    this.fit();
  }

  fit() {
    const svg = this.view?.querySelector("svg");
    if (!svg) return;
    svg.style.maxWidth = PHONE.matches ? "" : `${Number(svg.getAttribute("width")) * ZOOM}px`;
    svg.style.width = PHONE.matches ? `${Number(svg.getAttribute("width")) * ZOOM}px` : "";
    const first = this.section.querySelector(".tabs button");
    if (PHONE.matches && first) this.scroll(first);
  }

  scroll(tab) {
    const [left, top, width] = tab.dataset.at.split(" ").map(Number), svg = this.view.querySelector("svg");
    const scale = svg.clientWidth / svg.viewBox.baseVal.width;
    this.view.scrollTo({ left: (left + width / 2) * scale - this.view.clientWidth / 2, top: top * scale - 12 });
    for (const one of tab.parentElement.children) one.setAttribute("aria-pressed", String(one === tab));
  }

  touch(group) {
    if (!group) return;
    const { part } = group.dataset, again = part === this.settings.place;
    const { count } = this.settings, filters = this.list.items.some((item) => this.isAt(item, part));
    this.set({ count: filters ? count : this.usual.count, place: again ? "" : part, show: again ? this.usual.show : "all", phase: "", find: "" });
  }

  // what changes

  read() {
    const params = given(), found = {};
    for (const [name, usual] of Object.entries(this.usual)) found[name] = params.get(name) ?? usual;
    if (!this.lists.has(found.count)) found.count = this.usual.count;
    if (!Object.hasOwn(SHOWN, found.show)) found.show = this.usual.show;
    if (!Object.hasOwn(SORTS, found.sort)) found.sort = this.usual.sort;
    if (!Object.hasOwn(this.data.map, found.place)) found.place = "";
    this.settings = found;
    this.find.value = found.find;
    this.render();
  }

  set(some) {
    Object.assign(this.settings, some);
    if (!this.list.items.some((item) => this.belongs(item, this.settings.show))) this.settings.show = "all";
    if ("place" in some) this.find.value = this.settings.find;
    write(this.number, this.settings, this.usual);
    this.render();
  }

  chosen() {
    const { show, phase, find, place } = this.settings, terms = find.toLowerCase().split(/\s+/).filter(Boolean);
    const group = this.data.groups.indexOf(phase);
    return this.list.items.filter((item) => {
      const text = `${item.words} ${item.id} ${item.rule}`.toLowerCase();
      return this.belongs(item, show) && (!phase || item.group === group) && (!place || this.isAt(item, place))
        && terms.every((term) => text.includes(term));
    });
  }

  render() {
    const { settings } = this, { items } = this.list;
    for (const tile of this.section.querySelectorAll(".tile")) tile.setAttribute("aria-pressed", String(tile.dataset.criterion === settings.count));
    const segments = Object.keys(SHOWN).map((show) => [show, items.filter((item) => this.belongs(item, show)).length])
      .filter(([show, count]) => count || show === "all" || show === settings.show);
    const focused = this.segments.contains(document.activeElement);
    this.segments.replaceChildren(...segments.map(([show, count]) => el("button", {
      type: "button", role: "radio", "aria-checked": String(show === settings.show), tabindex: show === settings.show ? "0" : "-1",
      onclick: () => this.set({ show }), onkeydown: (event) => this.arrow(event, segments.map(([name]) => name)),
    }, `${SHOWN[show]} ${count}`)));
    if (focused) this.segments.querySelector("[aria-checked=true]").focus();
    this.phase.value = settings.phase;
    this.sort.value = settings.sort;
    for (const part of this.view?.querySelectorAll("[data-part]") || []) {
      const here = part.dataset.part === settings.place;
      part.classList.toggle("chosen", here);
      part.classList.remove("marked");
      if (part.hasAttribute("aria-pressed")) part.setAttribute("aria-pressed", String(here));
    }
    this.place.hidden = !settings.place;
    this.place.textContent = settings.place ? `${this.called(settings.place)} ×` : "";
    this.place.setAttribute("aria-label", settings.place ? `${this.called(settings.place)}: show the whole list again` : "");
    this.show(PHONE.matches ? 30 : 60);
  }

  called(part) {
    const group = this.view.querySelector(`[data-part="${part}"]`), [rows] = this.data.map[part];
    if (group.hasAttribute("aria-label")) return group.getAttribute("aria-label").replace(/, [^,]*$/, "");
    return rows.length ? this.data.rows[rows[0]][0] || this.data.rows[rows[0]][1] : "this line";
  }

  arrow(event, names) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.set({ show: names[(names.indexOf(this.settings.show) + by + names.length) % names.length] });
  }

  /** The targets in order, as [heading, items]. */
  ordered() {
    const { groups } = this.data, { sort } = this.settings, found = this.chosen();
    const never = (item) => (item.kind === "missing" ? 0 : item.kind === "impossible" ? 2 : 1);
    if (sort === "most") return [["", found.sort((a, b) => b.count - a.count || a.at - b.at)]];
    const parts = groups.map((name, group) => [name, found.filter((item) => item.group === group)]).filter(([, inside]) => inside.length);
    if (sort === "never") {
      for (const [, inside] of parts) inside.sort((a, b) => never(a) - never(b) || a.at - b.at);
      const open = ([, inside]) => (inside.some((item) => item.kind === "missing") ? 0 : 1);
      parts.sort((a, b) => open(a) - open(b));
    }
    return parts;
  }

  heading(name) {
    const group = this.data.groups.indexOf(name), all = this.list.items.filter((item) => item.group === group && item.kind !== "impossible");
    const never = all.filter((item) => item.kind === "missing").length;
    return `${name}, ${never ? `${never} of ${all.length} never taken` : "all taken"}`;
  }

  show(most) {
    const parts = this.ordered(), all = parts.reduce((sum, [, items]) => sum + items.length, 0), bodies = [];
    this.most = most;
    for (const [name, items] of parts) {
      const room = most - bodies.reduce((sum, body) => sum + body.dataset.count * 1, 0);
      if (room <= 0) break;
      const head = name ? [el("tr", { class: "group" }, el("th", { colspan: 4, scope: "rowgroup" }, this.heading(name)))] : [];
      const rows = items.slice(0, room).map((item) => this.row(item));
      bodies.push(el("tbody", { "data-count": rows.length }, ...head, ...rows));
    }
    this.body.classList.toggle("no-rules", !this.list.items.some((item) => item.rule));
    this.body.replaceChildren(el("caption", { class: "unseen" }, this.list.what), this.head(), ...bodies);
    const { left } = this.list;
    this.status.textContent = `${Math.min(most, all)} of ${all} shown${left ? `; ${left} more are in the JSON report` : ""}`;
    this.more.hidden = most >= all;
    this.more.textContent = `Show ${Math.min(MORE, all - most)} more`;
  }

  head() {
    const { sort } = this.settings, column = (words, by, sorted, name) => el("th", { scope: "col", class: name, "aria-sort": sorted || false },
      by ? el("button", { type: "button", onclick: () => this.set({ sort: by }) }, words) : words);
    return el("thead", {}, el("tr", {},
      column("What happens", "order", sort === "order" && "ascending", "w"), column("Rule", "", false, "r"),
      column("Taken", sort === "never" ? "most" : "never", { never: "ascending", most: "descending" }[sort], "n"),
      column("Tests, or a way there", "", false, "h")));
  }

  row(item) {
    const parts = this.partsOf(item), said = item.words ? [item.words] : breakable(item.id);
    const what = parts.length
      ? el("button", { type: "button", class: item.words ? "what" : "what name", title: "Show on the map", onclick: () => this.mark(parts) }, ...said)
      : el("span", { class: item.words ? "" : "name" }, ...said);
    return el("tr", {}, el("td", { class: "w" }, what, item.words ? el("code", {}, ...breakable(item.id)) : ""), el("td", { class: "r" }, item.rule),
      el("td", { class: "n" }, this.count(item)), el("td", { class: "h" }, ...this.how(item)));
  }

  /** A window opens often in one turn: what happens in it is compared with itself. */
  mostLike(item) {
    const { items } = this.list, inside = (one) => one.group === this.data.window;
    return Math.max(...items.filter((one) => inside(one) === inside(item)).map((one) => one.count));
  }

  count(item) {
    const { count, kind } = item;
    if (count) {
      const share = count / this.mostLike(item);
      return el("span", { class: `count ${share < 0.1 ? "few" : share <= 0.6 ? "some" : "most"}` }, `${count}×`);
    }
    return el("span", { class: kind === "missing" ? "count never" : "count muted" }, kind === "missing" ? "never" : kind);
  }

  how(item) {
    const { kind, way, note, tests } = item, words = item.words || item.id;
    if (way.length && this.data.explorer) return [el("a", { class: "way", href: this.address(way), "aria-label": `Show a way: ${words}` }, icon("go"), "Show a way")];
    if (kind === "missing") return [el("span", { class: "muted" }, ...breakable(note || "no way was found"))];
    if (note) return [el("span", { class: "muted" }, ...breakable(note))];
    if (!tests.length) return [];
    const [all, ...names] = tests, many = `${all} test${all === 1 ? "" : "s"}`;
    const said = [...names.map((name) => this.data.tests[name]), ...(all > names.length ? [`and ${all - names.length} more`] : [])];
    return [el("details", {}, el("summary", {}, many), ...said.map((name) => el("span", { class: "test" }, ...breakable(name))))];
  }

  /** The explorer page with the answers up to a target: the first ones of a walk. */
  address([walk, count]) {
    const { walks, starts, explorer } = this.data, [start, told] = walks[walk];
    const answers = told.split(".").flatMap((part) => {
      const [token, times = "1"] = part.split("*");
      return Array(parseInt(times, 36)).fill(token);
    });
    return `${encodeURI(explorer)}#${starts[start]}~${answers.slice(0, count).join(".")}`;
  }

  mark(parts) {
    const groups = [...this.view.querySelectorAll("[data-part]")];
    for (const group of groups) group.classList.toggle("marked", parts.includes(group.dataset.part));
    this.view.parentElement.scrollIntoView({ block: "nearest" });
    groups.find((group) => group.classList.contains("marked"))?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  export() {
    const cell = (value) => `"${String(value).replaceAll('"', '""').replace(/^[=+@-]/, "'$&")}"`;
    const rows = this.ordered().flatMap(([, items]) => items).map(({ words, id, rule, count, kind }) => [words, id, rule, count, kind]);
    const text = [["what happens", "id", "rule", "taken", "kind"], ...rows].map((row) => row.map(cell).join(",")).join("\r\n");
    const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: "coverage.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href));
  }

  /** For paper: all that is missing. */
  print(on) {
    if (!this.lists.size) return;
    if (on) this.before = this.settings;
    this.settings = on ? { ...this.usual, count: this.settings.count, show: "missing", sort: "never" } : this.before;
    if (on) this.show(Infinity);
  }
}

function dark() {
  const root = document.documentElement, is = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = is ? "light" : "dark";
  byId("dark").setAttribute("aria-pressed", String(!is));
}

/** Show the machine of the address, and of several machines no other. */
function choose() {
  const anchor = /^#machine-(\d+)$/.exec(location.hash), wanted = Number(anchor ? anchor[1] : given().get("machine") || 0);
  const shown = machines.find((one) => one.number === wanted) || machines[0];
  for (const one of machines) one.section.hidden = one !== shown;
  for (const link of document.querySelectorAll(".summary a")) {
    if (shown && link.hash === `#${shown.section.id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (shown?.lists.size) {
    shown.read();
    shown.fit();
  }
}

function printing(on) {
  for (const one of machines) one.section.hidden = false;
  for (const one of machines) one.print(on);
  if (!on) choose();
}

document.documentElement.classList.add("js");
const machines = [...document.querySelectorAll("section.machine")].map((section) => new Machine(section));
byId("dark").addEventListener("click", dark);
byId("print").addEventListener("click", () => print());
addEventListener("beforeprint", () => printing(true));
addEventListener("afterprint", () => printing(false));
addEventListener("hashchange", () => location.hash !== written && choose());
choose();
document.documentElement.dataset.ready = "true";
