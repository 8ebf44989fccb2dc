// The TypeScript SDK's client: connects to the one server of an MCP client config, plays calls, prints what came of it.
// Usage: node client.mjs CONFIG CALLS, the latter as JSON: [{"name": ..., "arguments": {...}}, ...]
import { readFile } from "node:fs/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [config, calls] = process.argv.slice(2);
const [entry] = Object.values(JSON.parse(await readFile(config, "utf8")).mcpServers);
const transport = entry.url ? new StreamableHTTPClientTransport(new URL(entry.url)) : new StdioClientTransport(entry);
let protocol;
const settle = transport.setProtocolVersion?.bind(transport); // the client tells the transport what was agreed on
transport.setProtocolVersion = (version) => {
  protocol = version;
  settle?.(version);
};
const client = new Client({ name: "typescript-test", version: "1.0.0" });
await client.connect(transport);
const { tools } = await client.listTools();
const results = [];
for (const call of JSON.parse(calls)) {
  const { isError = false, structuredContent = null, content } = await client.callTool(call);
  results.push({ error: isError, data: structuredContent, text: content.map(({ text }) => text).join("") });
}
console.log(JSON.stringify({ protocol, tools: tools.map(({ name }) => name), results }));
await client.close();
