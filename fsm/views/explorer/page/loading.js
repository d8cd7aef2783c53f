"use strict";
// Traces (JSON Lines) that are dropped on the page. Whatever is wrong is said in one sentence.

const LARGEST = 20_000_000;
const wrongFile = (message) => new Refused("FileError", message);

/** What a file holds: {head, answers, records}; records are those to compare with, if it has any. */
function readFile(model, text) {
  if (text.length > LARGEST) throw wrongFile(`the file is larger than ${LARGEST / 1e6} MB`);
  const start = text.trimStart().split("\n", 1)[0];
  if (!/"is"\s*:\s*"GameHeader"/.test(start)) {
    throw wrongFile("the file is no trace. A page that steps through a scenario is written by fsm explore RULESET --load FILE");
  }
  return readTrace(model, text.split("\n"));
}

/** What goes wrong with a value of the wrong kind, as one sentence. */
function wellFormed(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw wrongFile(`the file is not formed as it should be: ${plain(error.message)}`);
  }
}

function parsed(text, otherwise) {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongFile(otherwise);
  }
}

function readTrace(model, lines) {
  const entries = lines.map((line, i) => [i + 1, line]).filter(([, line]) => line.trim())
    .map(([number, line]) => [number, parsed(line, `line ${number} of the trace is not JSON`)]);
  const head = entries[0][1];
  if (head.format !== undefined && head.format !== "fsm-trace-2") throw wrongFile(`line 1: a trace of format “${plain(head.format)}” is not known`);
  if (head.fingerprint !== PAGE.fingerprint) {
    throw wrongFile(`the trace was recorded with ${plain(head.model)} ${plain(head.fingerprint)}, this page holds ${plain(model.name)} ${PAGE.fingerprint}`);
  }
  if (head.start) throw wrongFile("the game of the trace starts in the middle: a page that steps through it is written by fsm explore RULESET --load FILE");
  const kinds = entries.slice(1).filter(([number, entry]) => {
    if (!["Answer", "Record"].includes(entry?.is)) throw wrongFile(`line ${number} of the trace is neither an answer nor a record`);
    return entry.is === "Answer";
  });
  const records = entries.slice(1).filter(([, entry]) => entry.is === "Record");
  return { head: wellFormed(() => setUpOf(head)), answers: kinds.map(([, answer]) => answer), records, title: "trace" };
}

const setUpOf = ({ players, teams = [], settings = {}, orders = [], snapshot = null }) =>
  (snapshot ? { players, snapshot } : { players: players.map(String), teams, settings, orders });

/** The first recorded firing that went otherwise on the page; throws Refused naming its line. */
function compareRecords(session, records) {
  const fired = session.games.flatMap((game) => game.records);
  records.forEach(([number, record], i) => {
    const mine = fired[i];
    if (!mine || ["machine", "transition", "source", "target"].some((name) => mine[name] !== record[name])) {
      throw wrongFile(`line ${number} of the trace was recorded as “${plain(record.transition)}”, here “${plain(mine?.transition ?? "nothing")}” fires`);
    }
  });
}
