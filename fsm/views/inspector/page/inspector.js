"use strict";
// The page of the inspector: it is told what changes, and asks for what was.

Object.assign(ICONS, {
  live: "M10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4M6 5.5a7 7 0 0 0 0 9M14 5.5a7 7 0 0 1 0 9", first: "M5 4v12M15 5l-6 5 6 5", save: "M10 3v10m-4-4 4 4 4-4M4 17h12",
});

const SIGNS = [["here", "where it stands"], ["open", "can happen next"], ["closed", "cannot happen now"], ["elsewhere", "where it is now, while you look at an earlier moment"]];
const WINDOW = 2000; // milliseconds over which answers a second are counted
const number = (value) => value.toLocaleString("en");

const page = {
  games: [], id: 0, fixed: null, moment: null, present: null, stopped: false, paused: false, source: null, map: null, known: new Map(), counts: [], wanted: null,
};

// what comes from the program

/** Follow the chosen game, or only hear how far it has come. */
function listen() {
  page.source?.close();
  page.source = new EventSource(`events?game=${page.id}&follow=${page.paused ? 0 : 1}`);
  page.source.onmessage = (event) => heard(JSON.parse(event.data));
  page.source.onerror = () => {
    page.source.close();
    fetch("story?game=0").then((reply) => (reply.ok ? setTimeout(listen, 500) : stop()), stop);
  };
}

function stop() {
  page.stopped = true;
  paint();
}

async function heard(news) {
  byId("problem").textContent = news.problem ? `The inspector cannot show this: ${news.problem}` : "";
  if (news.problem) return;
  page.games = news.games;
  page.total = news.total;
  if (news.id !== undefined && news.id === page.id) {
    page.present = news.present;
    page.counts = [...page.counts.filter(([time]) => time > performance.now() - WINDOW), [performance.now(), news.present.count]];
    await settle(news.moment);
  }
  paint();
}

/** Take over a moment of the chosen game; the first time, with its map. */
async function settle(moment) {
  const id = page.id;
  if (!page.known.has(id)) {
    const reply = await fetch(`story?game=${id}`);
    page.known.set(id, await reply.json());
  }
  if (id !== page.id) return;
  if (page.fixed !== page.known.get(id)) {
    page.fixed = page.known.get(id);
    if (!page.fixed.live) page.paused = true;
    showMap();
  }
  if (moment && !page.paused) page.moment = moment;
  if (page.paused && !page.moment) await look(0);
}

/** Look at the moment after so many answers. */
async function look(at) {
  const count = page.present?.count ?? 0;
  page.wanted = Math.max(0, Math.min(at, count));
  if (!page.paused) pause();
  if (page.looking) return;
  page.looking = true;
  while (page.wanted !== null) {
    const id = page.id, wanted = page.wanted;
    page.wanted = null;
    try {
      const reply = await fetch(`moment?game=${id}&at=${wanted}`);
      const found = await reply.json();
      if (id === page.id && page.paused) Object.assign(page, found);
    } catch {
      stop();
    }
    paint();
  }
  page.looking = false;
}

function pause() {
  page.paused = true;
  listen();
  paint();
}

function follow() {
  if (!page.fixed?.live || page.stopped) return;
  page.paused = false;
  page.wanted = null;
  listen();
  paint();
}

function choose(id) {
  Object.assign(page, { id, moment: null, present: null, counts: [], wanted: null, paused: false });
  listen();
  paint();
}

// what is shown

const rate = () => {
  const { counts } = page;
  if (counts.length < 2) return 0;
  const [first, then] = counts[0], [now, given] = counts[counts.length - 1];
  return now > first ? Math.max(0, ((given - then) * 1000) / (now - first)) : 0;
};

function showMap() {
  const svg = new DOMParser().parseFromString(page.fixed.svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '), "image/svg+xml").documentElement;
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", "Map of the turn");
  byId("map").replaceChildren(document.importNode(svg, true));
  page.map = new MapView(byId("map").firstChild);
  page.map.cite();
  page.phase = null;
  frame();
}

const narrow = () => matchMedia("(max-width: 720px)").matches;

/** On a small screen the current step and what follows fill the width; else all of the map is seen. */
function frame() {
  if (!page.map) return;
  const marks = page.moment?.marks;
  if (narrow() && marks?.here.length) page.map.close([...marks.here], 1.6, 70);
  else page.map.fit();
}

function paint() {
  paintTop();
  paintList();
  if (!page.moment || !page.fixed) return;
  paintMap();
  paintSide();
  paintCourse();
}

function paintTop() {
  const pill = byId("pill"), { moment, present } = page;
  const behind = present && moment ? present.count - moment.at : 0;
  let kind = "", look = "live", words = ["Live", `${number(Math.round(rate()))} answers a second`];
  if (page.stopped) [kind, look, words] = ["stopped", "close", ["Stopped:", "the program ended"]];
  else if (page.fixed && !page.fixed.live) [kind, look, words] = ["replay", "play", ["Recorded", `${number(present?.count ?? 0)} answers`]];
  else if (page.paused) [kind, look, words] = ["paused", "pause", ["Paused", `at answer ${number(moment?.at ?? 0)}, ${number(behind)} behind`]];
  pill.className = `pill ${kind}`;
  pill.setAttribute("aria-live", kind ? "polite" : "off");
  fill(pill, icon(look, 15), words[0], el("span", {}, words[1]));
  const access = byId("access");
  if (!access.childNodes.length) fill(access, icon("lock", 14), "Read-only, this computer only");
  byId("chooser").firstChild.nodeType === 3 ? (byId("chooser").firstChild.data = nameOf()) : byId("chooser").prepend(nameOf());
}

const nameOf = () => page.games.find((game) => game.id === page.id)?.name ?? "";

function paintList() {
  const wanted = byId("filter").value.toLowerCase();
  const shown = page.games.filter((game) => `${game.name} ${game.line}`.toLowerCase().includes(wanted));
  byId("total").textContent = number(page.total ?? 0);
  byId("older").textContent = (page.total ?? 0) > page.games.length ? `The page lists the last ${page.games.length}.` : "";
  const holder = byId("games"), said = JSON.stringify([shown, page.id]);
  if (holder.dataset.said === said) return;
  holder.dataset.said = said;
  fill(holder, shown.map((game) => el("button", { class: "game", "data-key": `game${game.id}`, "aria-current": game.id === page.id ? "true" : null, onclick: () => choose(game.id) },
    el("b", {}, el("span", {}, game.name), game.tag ? el("span", { class: `tag ${game.kind}` }, game.tag) : null), el("small", {}, game.line))));
}

function paintMap() {
  const { map, moment } = page, then = page.paused && page.fixed.live;
  byId("stage").classList.toggle("then", then);
  map.clear("here", "open", "closed", "elsewhere");
  for (const name of ["closed", "open", "here"]) for (const part of moment.marks[name]) map.mark(part, name);
  for (const part of map.parts.values()) part.removeAttribute("aria-current");
  map.parts.get(moment.marks.here[0])?.setAttribute("aria-current", "step");
  map.halo(moment.marks.here[0]);
  if (then && page.present?.part && !moment.marks.here.includes(page.present.part)) map.mark(page.present.part, "elsewhere");
  if (narrow() && page.phase !== moment.marks.here[0]) frame();
  page.phase = moment.marks.here[0];
}

function paintSide() {
  const { moment, fixed, present } = page, then = page.paused && fixed.live;
  byId("when").textContent = then ? `Then, at answer ${number(moment.at)}` : "Now";
  byId("now").classList.toggle("then", then);
  fill(byId("now"), el("b", {}, moment.title), el("p", {}, moment.line));
  byId("failure").textContent = moment.failure ? `Ended by an error. ${moment.failure}` : "";
  const taken = then ? moment.rows.find((row) => row.number === moment.at + 1)?.answer.split(",")[0] : "";
  fill(byId("ways"),
    moment.possible.length ? el("h2", { class: "head" }, then ? "What was possible" : "What is possible") : null,
    moment.possible.map((way) => wayOf(way, taken && way.word === taken)),
    moment.refused.length ? el("h2", { class: "head" }, "Not possible, and why") : null,
    moment.refused.map((no) => el("p", { class: "no" }, el("i", {}, no.rule), el("b", {}, no.text), `: ${no.why}.`)));
  fill(byId("plans"), terms(then ? "Agenda, as it was" : "Agenda, still to come", moment.agenda), terms("Calendar", moment.calendar), terms("Conditions last asked", moment.facts));
  const behind = then && present ? present.count - moment.at : 0;
  fill(byId("behind"), ...(behind > 0 ? [el("b", {}, "Live: "), `${present.line}, ${number(behind)} answers later`] : []));
  byId("live").hidden = !then || page.stopped;
}

function wayOf(way, taken) {
  const inside = [el("i", { class: taken ? "next" : null }, taken ? "taken next" : way.rule), el("b", {}, taken ? [icon("done", 13), " "] : null, way.text), way.leads_to ? el("small", {}, `then: ${way.leads_to}`) : null];
  return el("div", { class: `way${taken ? " taken" : ""}` }, inside);
}

function terms(title, pairs) {
  if (!pairs.length) return null;
  return [el("h2", { class: "head" }, title), el("dl", {}, pairs.map(([term, words]) => [el("dt", {}, term), el("dd", {}, words)]))];
}

function paintCourse() {
  const { moment, present, fixed } = page, live = fixed.live && !page.paused;
  const count = Math.max(present.count, moment.at);
  fill(byId("follow"), icon(live ? "pause" : "play", 15), live ? "Pause" : fixed.live ? "Follow" : page.playing ? "Stop" : "Play");
  byId("follow").classList.toggle("main", !live);
  byId("follow").disabled = fixed.live && page.stopped;
  byId("back").disabled = byId("first").disabled = moment.at < 1;
  byId("on").disabled = moment.at >= count;
  const percent = (at) => `${count ? (100 * at) / count : 100}%`;
  const slider = byId("slider"), turn = moment.turns.filter(([at]) => at <= moment.at).at(-1);
  slider.querySelector(".past").style.width = slider.querySelector(".knob").style.left = percent(moment.at);
  slider.querySelector(".live").style.left = "100%";
  slider.querySelector(".live").hidden = !fixed.live || live;
  const values = { min: 0, max: count, now: moment.at, text: `answer ${number(moment.at)} of ${number(count)}${turn ? `, turn ${turn[1]}` : ""}, ${moment.title}` };
  for (const [name, value] of Object.entries(values)) slider.setAttribute(`aria-value${name}`, value);
  fill(slider.querySelector(".ticks"), moment.turns.slice(1).map(([at]) => {
    const tick = el("i");
    tick.style.left = percent(at);
    return tick;
  }));
  fill(byId("count"), `${number(moment.at)} of ${number(count)}`);
  paintTimeline();
  paintLog();
}

/** Turns run down, steps across; a new line begins where the next step lies to the left. */
function paintTimeline() {
  const { columns } = page.fixed, places = new Map(columns.map((column, i) => [column.id, i]));
  if (!columns.length) {
    fill(byId("timeline"));
    fill(byId("mini"));
    return;
  }
  const cells = [], current = page.moment.marks.here.length ? page.moment.timeline.at(-1)?.cells.filter((cell) => !cell.kinds.includes("skipped")).at(-1) : null;
  let line = 1;
  for (const turn of page.moment.timeline) {
    let last = Infinity;
    for (const cell of turn.cells) {
      const place = places.get(cell.step);
      if (place <= last) {
        line += 1;
        if (last === Infinity) cells.push(put(el("span", { class: "whose" }, el("b", {}, turn.turn || "–"), ` ${turn.player}${turn.extra ? " (extra)" : ""}`), 1, line));
      }
      last = places.get(cell.through);
      const to = cell.kinds.includes("skipped") ? last : place;
      for (let i = place; i <= to; i += 1) cells.push(put(cellOf(cell, columns[i], cell === current), i + 2, line));
    }
  }
  const bands = [];
  let from = 0;
  columns.forEach((column, i) => {
    if (i + 1 < columns.length && columns[i + 1].phase === column.phase) return;
    bands.push(put(el("span", { class: "band", "data-hue": column.hue }), `${from + 2} / ${i + 3}`, `1 / ${line + 1}`));
    bands.push(put(el("span", { class: "phase", "data-hue": column.hue }, column.phase), `${from + 2} / ${i + 3}`, 1));
    from = i + 1;
  });
  const holder = byId("timeline"), atEnd = holder.scrollTop + holder.clientHeight >= holder.scrollHeight - 30;
  fill(holder, el("div", { class: "turns" }, bands, cells));
  if (atEnd || !page.paused) holder.scrollTop = holder.scrollHeight;
  fill(byId("mini"), (page.moment.timeline.at(-1)?.cells ?? []).slice(-7).map((cell) => el("span", { class: `cell ${cell.kinds.join(" ")}`, "data-hue": columns[places.get(cell.step)].hue, "aria-current": cell === current ? "step" : null }, columns[places.get(cell.step)].code)));
}

function put(made, column, row) {
  made.style.gridColumn = column;
  made.style.gridRow = row;
  return made;
}

function cellOf(cell, column, current) {
  const skipped = cell.kinds.includes("skipped");
  const label = `${column.name}${cell.kinds.length ? `, ${cell.kinds.join(", ")}` : ""}${cell.rule ? ` (${cell.rule})` : ""}`;
  const more = { class: `cell ${cell.kinds.join(" ")}`, "data-hue": column.hue, title: label, "aria-label": label, "data-key": `${cell.at}-${column.id}` };
  return el("button", { ...more, disabled: cell.at === null || skipped, "aria-current": current ? "step" : null, onclick: () => look(cell.at) }, skipped ? "" : column.code);
}

function paintLog() {
  const heads = ["#", "who", "answer", "what came of it", "rule"];
  const rows = page.moment.rows.map((row) => {
    const place = row.number === page.moment.at ? "current" : row.number > page.moment.at ? "later" : "";
    const cells = [...[row.who, row.answer, row.came].map((words) => el("td", {}, words)), el("td", { class: "cited" }, row.rule)];
    return el("tr", { class: place, "data-at": row.number, onclick: () => look(row.number) }, el("td", { class: "number" }, number(row.number)), cells);
  });
  fill(byId("log"), el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col", class: head === "rule" ? "cited" : null }, head)))), el("tbody", {}, rows)));
  const log = byId("log"), current = log.querySelector("tr.current"), key = `${page.id} ${page.moment.at}`;
  if (page.paused && current && page.logged !== key) log.scrollTop = current.offsetTop - current.offsetHeight - 24;
  page.logged = page.paused ? key : "";
}

// what the reader does

function turnFrom(by) {
  const starts = page.moment.turns.map(([at]) => at), here = page.moment.at;
  return by < 0 ? starts.filter((at) => at < here).at(-1) ?? 0 : starts.find((at) => at > here) ?? page.present.count;
}

const KEYS = {
  ArrowLeft: () => page.moment.at - 1, ArrowDown: () => page.moment.at - 1, ArrowRight: () => page.moment.at + 1, ArrowUp: () => page.moment.at + 1,
  PageUp: () => turnFrom(1), PageDown: () => turnFrom(-1), Home: () => 0, End: () => page.present.count,
};

function play() {
  clearInterval(page.playing);
  page.playing = page.playing ? null : setInterval(() => {
    if (page.moment.at >= page.present.count) play();
    else look(page.moment.at + 1);
  }, 300);
  paint();
}

function slide(event) {
  const box = byId("slider").getBoundingClientRect();
  look(Math.round(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * page.present.count));
}

/** A menu below the top bar. */
function sheet(opener, items) {
  const menu = byId("menu"), before = page.opener;
  closeSheet();
  if (before === opener) return;
  page.opener = opener;
  menu.classList.toggle("beside", opener.id === "legend");
  fill(menu, items);
  menu.hidden = false;
  opener.setAttribute("aria-expanded", "true");
  (menu.querySelector("a,button") ?? menu).focus();
  menu.onclick = closeSheet;
  menu.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    closeSheet();
    opener.focus();
  };
}

function closeSheet() {
  byId("menu").hidden = true;
  page.opener?.setAttribute("aria-expanded", "false");
  page.opener = null;
}

/** What can be saved; when the program has ended, what the page has seen. */
function saves() {
  const at = page.moment?.at ?? 0, game = page.id;
  if (page.stopped) {
    const blob = (text, type) => URL.createObjectURL(new Blob([text], { type }));
    const seen = { game: nameOf(), at, standing: page.moment?.title, line: page.moment?.line, agenda: page.moment?.agenda, calendar: page.moment?.calendar, answers: page.moment?.rows };
    return [el("a", { href: blob(JSON.stringify(seen, null, 2), "application/json"), download: "seen.json" }, "What the page has seen"),
      el("a", { href: blob(new XMLSerializer().serializeToString(page.map.svg), "image/svg+xml"), download: "map.svg" }, "Picture of the map")];
  }
  const what = { scenario: "Scenario up to here", test: "Test up to here", trace: "Trace up to here", map: "Picture of the map", timeline: "Picture of the timeline" };
  const links = Object.keys(what).map((name) => el("a", { href: `export?what=${name}&game=${game}&at=${at}`, download: "" }, what[name]));
  return [el("button", { onclick: copyTest }, "Copy as a test"), ...links];
}

/** Put a pytest test, which plays the game up to here, where it can be pasted. */
async function copyTest() {
  const reply = await fetch(`export?what=test&game=${page.id}&at=${page.moment.at}`), words = await reply.text();
  const isCopied = reply.ok && await navigator.clipboard.writeText(words).then(() => true, () => false);
  byId("problem").textContent = isCopied ? "" : reply.ok ? "The browser does not let the page copy: use “Test up to here”." : words;
  byId("told").textContent = isCopied ? "Copied" : "";
  setTimeout(() => (byId("told").textContent = ""), 3000);
}

const HELP = ["The yellow step is where the game stands. Blue ones can come next, dashed ones cannot now, and the panel says why.",
  "Pause, or press an answer, a step of the timeline or the slider, to look at an earlier moment. The game itself goes on. Follow goes back to it.",
  "On the slider the arrow keys go one answer, Page Up and Page Down one turn, Home and End to the ends.",
  "Export saves what led here. A copied test plays the same game with pytest.",
  "Conditions are shown as the game was asked last. The page asks nothing and changes nothing."];

/** How to read the page, and what can be left out. */
function help() {
  const numbers = el("button", { "aria-pressed": String(!document.body.classList.contains("uncited")), onclick: () => document.body.classList.toggle("uncited") }, "Rule numbers");
  return [el("div", { class: "help" }, HELP.map((words) => el("p", {}, words))), numbers];
}

function start() {
  drawIcons();
  byId("follow").onclick = () => (page.fixed?.live ? (page.paused ? follow() : look(page.moment.at)) : play());
  byId("live").onclick = follow;
  byId("back").onclick = () => look(page.turnwise ? turnFrom(-1) : page.moment.at - 1);
  byId("on").onclick = () => look(page.turnwise ? turnFrom(1) : page.moment.at + 1);
  byId("turnwise").onclick = () => {
    page.turnwise = !page.turnwise;
    byId("turnwise").setAttribute("aria-pressed", String(page.turnwise));
  };
  byId("legend").onclick = () => sheet(byId("legend"), SIGNS.map(([look, words]) => el("p", { class: "sign" }, el("span", { class: `box ${look}` }), words)));
  byId("help").onclick = () => sheet(byId("help"), help());
  byId("first").onclick = () => look(0);
  byId("nearer").onclick = () => page.map.zoom(1.25);
  byId("farther").onclick = () => page.map.zoom(0.8);
  byId("fit").onclick = () => page.map.fit();
  byId("filter").oninput = paintList;
  byId("export").onclick = () => sheet(byId("export"), saves());
  byId("chooser").onclick = () => sheet(byId("chooser"), page.games.map((game) => el("button", { onclick: () => choose(game.id) }, `${game.name}: ${game.line}`)));
  byId("theme").onclick = () => {
    const dark = getComputedStyle(document.documentElement).colorScheme.includes("dark");
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  };
  for (const tab of document.querySelectorAll("[role=tab]")) {
    tab.onclick = () => {
      document.body.dataset.tab = tab.dataset.tab;
      for (const one of document.querySelectorAll("[role=tab]")) one.setAttribute("aria-selected", String(one === tab));
    };
  }
  const slider = byId("slider");
  slider.onpointerdown = (event) => {
    slider.setPointerCapture(event.pointerId);
    slide(event);
  };
  slider.onpointermove = (event) => slider.hasPointerCapture(event.pointerId) && slide(event);
  slider.onkeydown = (event) => {
    if (!KEYS[event.key] || !page.moment) return;
    event.preventDefault();
    look(KEYS[event.key]());
  };
  window.addEventListener("resize", frame);
  document.addEventListener("pointerdown", ({ target }) => page.opener && !byId("menu").contains(target) && !page.opener.contains(target) && closeSheet());
  listen();
  document.documentElement.dataset.ready = "";
}

start();
