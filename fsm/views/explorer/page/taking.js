"use strict";
// What can be taken home of a game, up to where it stands: a test for pytest, whoever plays and whatever is ordered.

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

function copy(text) {
  navigator.clipboard.writeText(text).then(() => { byId("live").textContent = "Copied"; }, () => say("The browser does not let this page copy."));
}
