// Connects to a server over stdio with the TypeScript SDK, plays the calls given as JSON, prints what came back.
// Usage: node stdio_client.mjs '<calls as JSON>' command [argument...]
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [calls, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "typescript-test", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }));
const { tools } = await client.listTools();
const results = [];
for (const call of JSON.parse(calls)) results.push(await client.callTool(call));
console.log(JSON.stringify({ server: client.getServerVersion(), tools: tools.map((tool) => tool.name), results }));
await client.close();
