"use strict";
// A position as a link: who plays, and the answers, short enough for an address.

const LINK = "1";
const LETTERS = { passed: "p", acted: "a", done: "d" };

const encodeText = (value) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const decodeText = (text) => JSON.parse(new TextDecoder().decode(
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))));

function linkOf(session) {
  const { players, teams, settings, orders } = session.head, answers = [];
  for (let i = 0; i < session.at; i += 1) {
    const token = tokenOf(session.games[i], session.given[i]), previous = last(answers);
    if (previous && previous.token === token) previous.times += 1;
    else answers.push({ token, times: 1 });
  }
  const told = answers.map(({ token, times }) => (times > 1 ? `${token}*${times.toString(36)}` : token)).join(".");
  return `${LINK}~${PAGE.fingerprint}~${encodeText({ players, teams, settings, orders })}~${told}`;
}

function tokenOf(game, answer) {
  const { facts } = game.request, told = Object.keys(answer.facts || {});
  const usual = !(answer.orders || []).length && told.length === facts.length
    && facts.every((name) => told.includes(name));
  if (!usual) return `x${encodeText(answer)}`;
  const bits = facts.map((name) => (answer.facts[name] ? "1" : "0")).reverse().join("");
  const mask = bits.includes("1") ? BigInt(`0b${bits}`).toString(36) : "";
  return LETTERS[answer.word] + mask;
}

/** The game of a link: {head, answers}, where an answer may be a function of the game it is given in. */
function readLink(text) {
  const [version, fingerprint, head, told] = text.split("~");
  if (version !== LINK || told === undefined) throw new Refused("LinkError", "this link is not one of this page");
  if (fingerprint !== PAGE.fingerprint) throw new Refused("LinkError", "this link was made with another model");
  const answers = told.split(".").filter(Boolean).flatMap((part) => {
    const [token, times = "1"] = part.split("*");
    return Array(Math.min(parseInt(times, 36) || 1, MOST)).fill(token);
  });
  return { head: damaged(() => setUpOf(decodeText(head))), answers: answers.map((token) => (game) => answerOf(game, token)) };
}

function damaged(read) {
  try {
    return read();
  } catch {
    throw new Refused("LinkError", "this link is damaged or cut off");
  }
}

function answerOf(game, token) {
  if (token.startsWith("x")) return damaged(() => decodeText(token.slice(1)));
  const word = Object.keys(LETTERS).find((name) => LETTERS[name] === token[0]);
  const mask = damaged(() => [...token.slice(1)].reduce((sum, digit) => sum * 36n + BigInt(parseInt(digit, 36)), 0n));
  const facts = game.request.facts.map((name, i) => [name, Boolean((mask >> BigInt(i)) & 1n)]);
  return { word, facts: Object.fromEntries(facts), orders: [] };
}
