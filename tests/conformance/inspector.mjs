// Runs many command lines of the official Inspector in one process of Node: starting one for each takes longer than
// all that they do.
//
//   node inspector.mjs PACKAGE <LINES >RESULTS
//
// PACKAGE is the Inspector's folder, LINES a JSON list of command lines, each a list of arguments as they stand behind
// `mcp-inspector --cli`. What runs them is what the launcher of the Inspector calls. RESULTS is a JSON list with, for each
// line, the status that it would have ended with, and what it wrote to either stream.

import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { runCli } = await import(pathToFileURL(join(folder, "clients", "cli", "build", "index.js")));

/** A stream's `write` for as long as a line runs: keeps the text. */
function keeping(stream) {
  const { write } = stream;
  const kept = [];
  stream.write = (chunk, encoding, done) => {
    kept.push(chunk.toString());
    (typeof encoding === "function" ? encoding : done)?.();
    return true;
  };
  return () => {
    stream.write = write;
    return kept.join("");
  };
}

async function run(line) {
  const out = keeping(process.stdout);
  const err = keeping(process.stderr);
  let code = 0;
  let trouble = "";
  try {
    await runCli(["node", "mcp-inspector", ...line]);
  } catch (error) {
    code = error.exitCode ?? 1;
    trouble = String(error);
  }
  return { code, out: out(), err: err() + trouble };
}

const results = [];
for (const line of JSON.parse(await text(process.stdin))) results.push(await run(line));
process.stdout.write(JSON.stringify(results), () => process.exit(0));
