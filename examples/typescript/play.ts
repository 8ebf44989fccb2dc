// Plays a task: `node play.ts SUITE TASK`. See README.md for the environment variables.

import { work } from "./agent.ts";
import { Sandbox } from "./sandbox.ts";

const [suite, task] = process.argv.slice(2);
if (!suite || !task) {
  console.error("usage: node play.ts SUITE TASK, such as node play.ts workbench-synth wb-synth-20-0");
  process.exit(2);
}
const { SANDBOXES = "http://127.0.0.1:8000", MODEL_URL, MODEL = "stub", MODEL_KEY = "none" } = process.env;
if (!MODEL_URL) {
  console.error("MODEL_URL is not set: the base URL of a chat-completions server, such as http://127.0.0.1:9000/v1");
  process.exit(2);
}

const sandbox = await Sandbox.create(SANDBOXES, suite, task);
try {
  console.log(`request: ${sandbox.request}`);
  const model = { baseUrl: MODEL_URL, name: MODEL, key: MODEL_KEY };
  console.log(`reply: ${await work(model, sandbox.urls, sandbox.system, sandbox.request)}`);
  for (const { op, app, table, id, after } of await sandbox.diff()) {
    console.log(`${op} ${app}.${table} ${id} ${JSON.stringify(after)}`);
  }
  for (const [check, { label, reason }] of Object.entries(await sandbox.score())) {
    console.log(`${check}: ${label}. ${reason}`);
  }
} finally {
  await sandbox.delete();
}
