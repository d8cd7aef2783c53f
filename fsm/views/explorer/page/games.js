"use strict";
// Games from forms, and the effects that a user adds to one.

function newGame(event) {
  event.preventDefault();
  const players = byId("players").value.split(",").map((name) => name.trim()).filter(Boolean);
  const settings = Object.fromEntries(model.settings.map((one) => [one.name, byId(`setting:${one.name}`).value])
    .filter(([, value]) => value).map(([name, value]) => [name, value === "yes"]));
  attempt(() => {
    session.start({ players, settings });
    session.loaded = false;
    byId("setup").close();
  });
}

function showSetup() {
  byId("games").close();
  byId("players").value = session.head.players.join(", ");
  fill(byId("settings"), model.settings.map((one) => el("label", { title: plain(one.doc) }, upperFirst(blanks(one.name)), " ",
    el("select", { id: `setting:${one.name}` }, option("", "as the rules say"), option("yes", "yes"), option("no", "no")))));
  byId("setup").showModal();
}

function showOrderForm() {
  const kinds = effectKinds(session), kind = byId("kind");
  const before = kind.value;
  fill(kind, kinds.map((one) => option(one.name, one.name, one.name === before)));
  const now = kinds.find((one) => one.name === kind.value) || kinds[0];
  fill(byId("fields"), (now ? now.fields : []).map(([name, label, options]) => el("label", {}, label, " ",
    el("select", { name, "data-key": `field:${name}` }, options.map(([value, text]) => option(value, text))))));
  fill(byId("leaving"), leavers().map((player) => el("button", { class: "small", "data-key": `leave:${player}`, onclick: () => leave(player) }, `${plain(player)} leaves the game`)));
}

function leavers() {
  const { agenda } = session.game.run;
  return session.model.signals.includes("player_left") ? agenda.players.filter((player) => !agenda.left.includes(player)) : [];
}

function leave(player) {
  const orders = [{ is: "Leave", players: [player] }];
  attempt(() => session.choose({ word: "", facts: session.facts(orders), orders }));
  showOrderForm();
}

function addOrder() {
  const now = effectKinds(session).find((one) => one.name === byId("kind").value);
  if (!now) return;
  const values = Object.fromEntries([...byId("fields").querySelectorAll("select")].map((one) => [one.name, one.value]));
  const order = now.make(values), why = refusalOf(session, order);
  const choices = now.fields.map(([name, , options]) => options.find(([value]) => value === values[name])[1]);
  session.words.set(order, [now.name, ...choices].join(", "));
  say(why);
  if (!why) session.orders = [...session.orders, order];
  render(false);
  byId("live").textContent = why || `${session.words.get(order)}, with the next answer`;
}
