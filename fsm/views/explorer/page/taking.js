"use strict";
// What can be taken home of a game, up to where it stands: a test for pytest, or a scenario for fsm run, whoever plays.

const BEGINS = ['orders = answer_of({"word": "done", "orders": GAME["orders"]}).orders',
  'setup = {"teams": GAME["teams"], "settings": GAME["settings"], "orders": orders}',
  'game = fsm.TurnController(MODEL, GAME["players"], **setup)'];
const GOES_ON = ['game = fsm.TurnController.restore(MODEL, GAME["snapshot"])'];

function testOf({ head, given, at, game: { request } }) {
  const { turn, active, stage } = request.at, { players, teams = [], settings = {}, orders = [], snapshot } = head;
  const start = snapshot ? { snapshot } : { players, teams, settings, orders };
  const data = JSON.stringify({ ...start, answers: given.slice(0, at), place: [turn, active, stage] }, null, 1);
  const body = [...(snapshot ? GOES_ON : BEGINS), 'for answer in GAME["answers"]:', "    game.answer(answer_of(answer))", "at = game.position",
    'assert [at.turn, at.active, at.stage] == GAME["place"]'];
  return ["import json", "", "import fsm", "", `MODEL = fsm.load(${JSON.stringify(PAGE.spec)})`, "GAME = json.loads(", '    r"""', data, '"""', ")",
    "", "", "def answer_of(data):", "    return fsm.Answer.from_json(data, trusted=True)",
    "", "", "def test_the_game_goes_as_it_did():", ...body.map((line) => `    ${line}`), ""].join("\n");
}

/** What the scripted game of scenarios works out by itself: whether the stack is empty, and these. */
const TOLD_BY = { sba_performed: { do: "sba" }, triggers_waiting: { do: "trigger", id: "triggered" } };

/** The scenario has what a quiet game would not do, and expects the steps that there were. Throws Refused if it cannot tell the game. */
function scenarioOf(session) {
  const { model, head, at, game } = session, { players, teams, settings } = game.head;
  const scheduled = ({ turn, active, left, turns, controls, skips, extras }) => [turn, active, left, turns, controls, skips, extras];
  const stands = ({ run }) => JSON.stringify([run.state, run.frame, run.latched, run.calendar, scheduled(run.agenda)]);
  if (head.snapshot && stands(session.games[0]) !== stands(new Controller(model, { players, teams, settings }))) {
    throw new Refused("GameError", "the page does not know how this game began, and a scenario tells it from its first turn on: copy it as a test");
  }
  const items = (head.orders || []).map((order) => itemOf(order)), stack = [];
  for (let i = 0; i < at; i += 1) items.push(...itemsOf(session, i, stack));
  const usual = settingsOf(model, { players, teams, settings: {} });
  const changed = Object.entries(settings).filter(([name, value]) => value !== usual[name]);
  return JSON.stringify({ id: "copied", ...PAGE.scenario, players: players.length, turn_order: players, teams, settings: Object.fromEntries(changed),
    through_turn: Math.max(1, game.request.at.turn), given: withKnownLabels(items), expect: expectationsOf(session) }, null, 1);
}

/** What an answer does that a quiet game would not. `stack` has what was cast and has not resolved. */
function itemsOf({ model, games, given, quiet }, i, stack) {
  const { request, run } = games[i], { word = "done", facts = {}, orders = [], player = "" } = given[i], { stage, turn, step, iteration } = request.at;
  const isInside = request.state !== stage, items = [], then = orders.map((order) => itemOf(order));
  const read = new Set(games[i + 1].records.flatMap((record) => record.guards.map(([name]) => name)));
  const isNews = ({ name, timing }) => (timing === "latched" ? !run.latched.includes(name) : read.has(name));
  for (const fact of model.gameFacts.filter(({ name }) => word && Object.hasOwn(facts, name) && facts[name] !== quiet.has(name))) {
    const told = { do: "tell", fact: fact.name, value: facts[fact.name], ...(player && { player }) };
    if (isNews(fact) && fact.name !== "stack_empty") items.push({ at: isInside ? "begin" : stage, ...(TOLD_BY[fact.name] || told) });
  }
  const resolved = request.is === "Resolve" ? stack.pop() : null;
  if (word === "acted") {
    const cast = { do: "cast", player: request.player, ...(stack.length && { responds: true }), then };
    items.push({ at: "priority", ...cast });
    stack.push(cast);
  } else if (word === "out") items.push({ at: "priority", do: "pass_for_good", player: request.player, then });
  else if (resolved) resolved.then.push(...then);
  else items.push(...then.map((item, n) => ({ at: isInside || eventOf(orders[n]) ? "priority" : stage, ...item })));
  if (!games[i + 1].run.frame) stack.length = 0;
  if (items.length && model.state(model.state(stage).parent)?.name !== step) throw new Refused("GameError", `a scenario has no word for what was done outside of steps, in turn ${turn}`);
  return items.map(({ at, ...item }) => ({ when: { turn, step, iteration, at }, ...item }));
}

/** An order as the verb and the fields of an item. */
function itemOf({ is, within, first_each_turn, nth = 1, ...order }) {
  const item = { do: PAGE.verbs[is], ...order };
  if (within) item.in = within;
  if (first_each_turn) item.limit = "first_each_turn";
  if (is === "AddPhase" && order.after) item.after = { phase: order.after, nth };
  return item;
}

/** Without what refers to a label that nothing has: nothing comes of it, and a scenario that says it is refused. */
function withKnownLabels(items) {
  const labels = new Set(items.filter((one) => one.do !== "withdraw").map((one) => one.id));
  const isKnown = (one) => [one.in, one.do === "add_turn" && one.after, one.do === "withdraw" && one.id].every((label) => !label || labels.has(label));
  const kept = items.filter(isKnown);
  return kept.length === items.length ? kept : withKnownLabels(kept);
}

/** The steps of each turn; those of the last one are not all. */
function expectationsOf(session) {
  const path = pathOf(session), now = session.game.request;
  return path.filter((one) => one.kind === "turn" && one.turn).map(({ turn, active, extra }) => {
    const steps = path.filter((one) => one.kind === "step" && one.turn === turn).map((one) => session.model.state(one.id).name);
    const isWhole = turn < now.at.turn || now.is === "Over";
    return { turn, active, extra, ...(isWhole ? { steps } : steps.length && { contains: steps }) };
  });
}

/** Copy what is made of the game, or say why it cannot be made. */
function copy(made) {
  byId("games").close();
  try {
    const said = () => { byId("live").textContent = "Copied"; };
    navigator.clipboard.writeText(made(session)).then(said, () => say("The browser does not let this page copy."));
  } catch (error) {
    say(error.message);
  }
}
