// Feeds recorded runs to an exported XState configuration: node xstate.mjs MACHINE.xstate.json RUNS.json
// RUNS is as for scxml.cjs.
import {readFileSync} from 'node:fs';
import {initialTransition, setup, transition} from 'xstate';

const [config, runs] = process.argv.slice(2).map(name => JSON.parse(readFileSync(name, 'utf8')));
const holds = ({event}, facts) =>
  Object.entries(facts).every(([name, value]) => (event.facts?.[name] ?? false) === value);
const machine = setup({guards: {holds}}).createMachine(config);
const at = snapshot => snapshot._nodes.filter(n => !Object.keys(n.states).length).map(n => n.id).join(' ');

let steps = 0;
const wrong = [];
for (const [begins, run] of runs) {
  let [snapshot] = initialTransition(machine);
  if (at(snapshot) !== begins) wrong.push({step: 0, expected: begins, found: at(snapshot)});
  for (const [event, facts, expected] of run) {
    [snapshot] = transition(machine, snapshot, {type: event, facts});
    steps += 1;
    if (at(snapshot) !== expected) { wrong.push({step: steps, event, facts, expected, found: at(snapshot)}); break; }
  }
}
console.log(JSON.stringify({steps, wrong: wrong.length, first: wrong.slice(0, 3)}));
