"""A handler of requests that keeps games as values."""

import json

import fsm

MODEL, games = fsm.load("magic"), dict[str, str]()  # in earnest: a database row with a version


def put(name: str, body: str) -> tuple[int, str]:
    sent = json.loads(body)
    if sent["to"] != games[name]:
        return 409, "somebody has answered already"
    try:  # trusted: it comes from your rules engine, not from a player's browser
        answer = fsm.Answer.from_json(sent["answer"], trusted=True)
        now = fsm.stateless.answer(MODEL, sent["to"], answer)
    except fsm.FsmError as error:
        return 422, str(error)
    games[name] = now.saved
    return 200, json.dumps({"to": now.saved, "waits_for": now.request.to_json()})


games["g1"] = fsm.stateless.start(MODEL, ["Ann", "Ben"]).saved
body = json.dumps({"to": games["g1"], "answer": {"word": "done"}})
assert [put("g1", body)[0], put("g1", body)[0]] == [200, 409]
wrong = json.dumps({"to": games["g1"], "answer": {"word": "passed"}})
assert put("g1", wrong)[0] == 422
