// An agent: a model that speaks the chat-completions protocol, and tools from MCP servers.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export type Model = { baseUrl: string; name: string; key: string };

type Call = { id: string; function: { name: string; arguments: string } };
type Message = { role: string; content: string | null; tool_calls?: Call[]; tool_call_id?: string };
type Offer = { type: "function"; function: { name: string; description?: string; parameters: unknown } };

/** The tools of several MCP servers, under names such as `gmail_send_email`. */
class Tools {
  readonly offers: Offer[] = [];
  readonly #clients: Client[] = [];
  readonly #owners = new Map<string, { client: Client; tool: string }>();

  async connect(app: string, url: string): Promise<void> {
    const client = new Client({ name: "typescript-agent", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    this.#clients.push(client);
    for (const { name: tool, description, inputSchema } of (await client.listTools()).tools) {
      const name = `${app}_${tool}`;
      this.#owners.set(name, { client, tool });
      this.offers.push({ type: "function", function: { name, description, parameters: inputSchema } });
    }
  }

  /** What a tool says, as text; so is why it could not be called. */
  async call({ name, arguments: text }: Call["function"]): Promise<string> {
    const owner = this.#owners.get(name);
    if (!owner) return `There is no tool ${name}.`;
    let given: Record<string, unknown>;
    try {
      given = JSON.parse(text);
    } catch (error) {
      return `The arguments of ${name} are not JSON: ${error}`;
    }
    const { content } = await owner.client.callTool({ name: owner.tool, arguments: given });
    return content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}

/** Works on a request until the model calls no more tools; what it says then. */
export async function work(
  model: Model,
  urls: Record<string, string>,
  system: string,
  request: string,
  turns = 30,
): Promise<string> {
  const tools = new Tools();
  try {
    for (const [app, url] of Object.entries(urls)) await tools.connect(app, url);
    const messages: Message[] = [
      { role: "system", content: system },
      { role: "user", content: request },
    ];
    while (turns-- > 0) {
      const reply = await ask(model, messages, tools.offers);
      messages.push(reply);
      if (!reply.tool_calls?.length) return reply.content ?? "";
      for (const call of reply.tool_calls) {
        messages.push({ role: "tool", tool_call_id: call.id, content: await tools.call(call.function) });
      }
    }
    return "I ran out of turns.";
  } finally {
    await tools.close();
  }
}

async function ask(model: Model, messages: Message[], tools: Offer[]): Promise<Message> {
  const response = await fetch(`${model.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${model.key}` },
    body: JSON.stringify({ model: model.name, messages, tools }),
  });
  if (!response.ok) throw new Error(`the model: ${response.status} ${await response.text()}`);
  return (await response.json()).choices[0].message;
}
