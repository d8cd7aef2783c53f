// Reads Mermaid texts with Mermaid's own parser: node mermaid.mjs TEXTS.json; TEXTS is {name: text, ...}.
// Prints, for each text, what the parser understood, or why it did not.
import {readFileSync} from 'node:fs';
import {JSDOM} from 'jsdom';

const {window} = new JSDOM('');
globalThis.window = window;
globalThis.document = window.document;
const {default: mermaid} = await import('mermaid');
mermaid.initialize({startOnLoad: false});

const found = {};
for (const [name, text] of Object.entries(JSON.parse(readFileSync(process.argv[2], 'utf8')))) {
  try {
    const {config} = await mermaid.parse(text);
    const {db} = await mermaid.mermaidAPI.getDiagramFromText(text);
    found[name] = {
      config,
      nodes: [...db.getVertices().values()].map(v => [v.id, v.type, v.classes.join(' ')]),
      lines: db.getEdges().map(e => [e.start, e.end, e.stroke]),
      boxes: db.getSubGraphs().map(g => g.id),
    };
  } catch (error) {
    found[name] = {error: String(error)};
  }
}
console.log(JSON.stringify(found));
