// Feeds recorded runs to an exported SCXML document, with SCION: node scxml.cjs MACHINE.scxml RUNS.json
// RUNS is [[[event, facts, state after], ...], ...]; prints how many steps were taken, and each that went elsewhere.
const {core: {Statechart}, pathToModel} = require('@scion-scxml/scxml');
const {readFileSync} = require('node:fs');

const [machine, runs] = process.argv.slice(2);

pathToModel(machine, (error, model) => {
  if (error) throw error;
  model.prepare((problem, prepared) => {
    if (problem) throw problem;
    let steps = 0;
    const wrong = [];
    for (const [begins, run] of JSON.parse(readFileSync(runs, 'utf8'))) {
      const interpreter = new Statechart(prepared);
      interpreter.start();
      const at = () => interpreter.getConfiguration().join(' ');
      if (at() !== begins) wrong.push({step: 0, expected: begins, found: at()});
      for (const [event, facts, expected] of run) {
        interpreter.gen({name: 'fsm.facts', data: facts});
        interpreter.gen({name: event});
        steps += 1;
        if (at() !== expected) { wrong.push({step: steps, event, facts, expected, found: at()}); break; }
      }
    }
    console.log(JSON.stringify({steps, wrong: wrong.length, first: wrong.slice(0, 3)}));
  });
});
