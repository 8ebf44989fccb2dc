// The sandbox service over fetch: what this agent needs of it. All of it is described at /v1/openapi.json.

export type Change = {
  op: "insert" | "update" | "delete";
  app: string;
  table: string;
  id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

export type Score = { value: number | null; label: string; reason: string };

type Created = { id: string; urls: Record<string, string>; system: string; request: string; control_token: string };

export class Sandbox {
  readonly address: string;
  readonly id: string;
  /** App to the URL of its MCP server. */
  readonly urls: Record<string, string>;
  /** What any agent is told on this suite, and what this task asks for. */
  readonly system: string;
  readonly request: string;
  readonly #token: string;

  private constructor(address: string, created: Created) {
    this.address = address;
    this.id = created.id;
    this.urls = created.urls;
    this.system = created.system;
    this.request = created.request;
    this.#token = created.control_token;
  }

  /** A sandbox set up for a task of a suite. */
  static async create(address: string, suite: string, task: string): Promise<Sandbox> {
    const created = await send<Created>("POST", `${address}/v1/sandboxes`, {}, { suite, task });
    return new Sandbox(address, created);
  }

  /** Rows that differ from the start. */
  async diff(): Promise<Change[]> {
    return (await this.#send<{ changes: Change[] }>("GET", "/diff")).changes;
  }

  /** What the suite's checks say of calls and changes. */
  async score(): Promise<Record<string, Score>> {
    return (await this.#send<{ scores: Record<string, Score> }>("GET", "/score")).scores;
  }

  async delete(): Promise<void> {
    await this.#send("DELETE", "");
  }

  // The agent's URLs have no part in this: whoever holds the token may see the score.
  #send<T>(method: string, path: string): Promise<T> {
    return send<T>(method, `${this.address}/v1/sandboxes/${this.id}${path}`, { "Control-Token": this.#token });
  }
}

async function send<T>(method: string, url: string, headers: Record<string, string>, body?: unknown): Promise<T> {
  if (body !== undefined) headers = { ...headers, "Content-Type": "application/json" };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text ? JSON.parse(text) : undefined) as T;
}
