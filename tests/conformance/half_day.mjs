// A scripted half-day in the office, by a client that has nothing of ours: the official TypeScript SDK over stdio.
//
//   harness connect claude-code --config FILE --state DIR --write gmail calendar todoist crm chat filesystem simple_note
//   node half_day.mjs FILE
//
// FILE is any client's configuration with `mcpServers`, as `harness connect` writes it; each of its servers is started
// as a process of its own, in the older era of the protocol, as most clients do. No id stands in here: like an
// assistant, it searches, looks at what it found, and acts on that. What it did is printed as JSON, one object in all:
// a list of deeds, each with what it acted on and what it put there. Afterwards `harness diff --state DIR` shows the
// rows that changed, and should show these and no others; test_half_day.py holds them against each other.

import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const deeds = [];
const did = (what, facts) => deeds.push({ what, ...facts });

/** The servers of a configuration, by app. */
class Workplace {
  #clients = new Map();

  async open(file) {
    const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
    const start = async ([name, { command, args, env }]) => {
      const client = new Client({ name: "half-day", version: "1.0.0" });
      this.#clients.set(name.replace(/^sandbox-/, ""), client);
      await client.connect(new StdioClientTransport({ command, args, env: { ...process.env, ...env } }));
    };
    await Promise.all(Object.entries(mcpServers).map(start));
  }

  /** What a tool answers, as a model reads it: data, or words. Throws what it says where it refuses. */
  async call(app, tool, args = {}) {
    const { content, isError } = await this.#clients.get(app).callTool({ name: tool, arguments: args });
    const text = content.map((part) => part.text).join("\n");
    if (isError) throw new Error(`${app} ${tool}: ${text}`);
    return text.startsWith("{") ? JSON.parse(text) : text;
  }

  /** Everything that a tool finds, page by page, up to a number. */
  async all(app, tool, args = {}, most = 60) {
    const found = [];
    for (;;) {
      const { items } = await this.call(app, tool, { ...args, skip: found.length });
      found.push(...items);
      if (!items.length || items.length < 20 || found.length >= most) return found;
    }
  }

  async close() {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }
}

/** The first that fits, or an error that says what was looked for: then the office is not as this day needs it. */
const the = (found, what) => {
  if (!found) throw new Error(`there is no ${what}`);
  return found;
};

const CATEGORIES = ["updates", "promotions", "forums", "social"];
const addresses = ({ from, to = [], cc = [] }) => [from, ...to, ...cc].map((who) => /<(.*)>/.exec(who)?.[1] ?? who);

// 9:00. Mail: newsletters are filed, a colleague gets an answer, and customers one that has the offer's sheet in it.

async function fileNewsletters(office) {
  const unread = await office.all("gmail", "find_emails", { query: "in:inbox is:unread" });
  const letters = unread.filter(({ marks = [], labels = [] }) => !labels.length && CATEGORIES.some((each) => marks.includes(each)));
  const ids = letters.slice(0, 5).map(({ id }) => id);
  the(ids[0], "unread newsletter");
  await office.call("gmail", "label_emails", { conversation_ids: ids, add: ["Reading"] });
  await office.call("gmail", "archive_emails", { conversation_ids: ids });
  for (const conversation of ids) did("filed", { conversation, label: "Reading" });
}

/** An answer to the newest mail of a person, one that is not read yet if there is any. */
async function answerColleague(office) {
  const inbox = await office.all("gmail", "find_emails", { query: "in:inbox" });
  const letters = inbox.filter(
    ({ subject, marks = [] }) => !marks.some((each) => CATEGORIES.includes(each)) && !/away|out of office/i.test(subject),
  );
  const unread = ({ marks = [] }) => marks.includes("unread");
  const letter = the(letters.find(unread) ?? letters[0], "mail of a person");
  const { id, emails } = await office.call("gmail", "get_conversation", { email_id: letter.email_id ?? letter.id });
  const last = emails.at(-1);
  const text = "Thank you, that suits me. I will come back to it on Thursday with figures.";
  const { to, subject } = await office.call("gmail", "reply_to_email", { email_id: last.id, text });
  did("answered", { conversation: id, to, cc: [], subject, text });
  if (!unread(letter)) return;
  await office.call("gmail", "mark_emails", { conversation_ids: [id], read: true });
  did("read mail", { conversation: id });
}

async function answerOffer(office) {
  for (const { id, email_id } of await office.all("gmail", "find_emails", { query: "has:attachment offer" })) {
    const { emails } = await office.call("gmail", "get_conversation", { email_id: email_id ?? id });
    const sheet = emails.flatMap(({ attachments = [] }) => attachments).find((each) => / \S+\.csv /.test(each));
    const last = emails.at(-1);
    if (!sheet || addresses(last).length < 3) continue;
    const read = await office.call("gmail", "get_attachment", { attachment_id: sheet.split(" ")[0] });
    const rows = read.text.trim().split("\n").slice(1).map((line) => line.split(","));
    const positions = rows.filter(([name]) => name !== "sum");
    const sum = positions.reduce((total, row) => total + Number(row.at(-1)), 0);
    const text = `I went through ${read.name}: ${positions.length} positions, ${sum} in all. No questions from my side.`;
    const { to, cc = [], subject } = await office.call("gmail", "reply_to_email", { email_id: last.id, text, all: true });
    did("answered", { conversation: id, to, cc, subject, text });
    return { sum, name: read.name };
  }
  return the(undefined, "offer with a sheet");
}

// 10:00. Meetings: one that stands alone and one of a series, each moved to where the people have time.

async function moveMeeting(office, event) {
  const { guests, minutes, start } = await office.call("calendar", "get_event", { event_id: event.id });
  const people = guests.map(({ address }) => address);
  const { items } = await office.call("calendar", "find_free_times", { minutes, people, after: start.slice(0, 10) });
  const free = the(items.find((each) => each.start.slice(0, 10) > start.slice(0, 10)), "free time");
  await office.call("calendar", "update_event", { event_id: event.id, start: free.start });
  const [id, day] = event.id.split("@");
  did(day ? "moved one of a series" : "moved a meeting", { event: id, day, start: free.start });
}

async function moveMeetings(office) {
  const ahead = await office.all("calendar", "find_events", {});
  const own = ahead.filter(({ people = [], response, all_day }) => people.length && !response && !all_day);
  await moveMeeting(office, the(own.find(({ repeats }) => !repeats), "meeting of one's own that stands alone"));
  const series = own.filter(({ repeats }) => repeats);
  await moveMeeting(office, the(series[1] ?? series[0], "meeting of one's own in a series"));
}

// 11:00. What came of it: tasks, a deal, a note, a file, and a line to the others.

async function makeTasks(office) {
  const projects = await office.all("todoist", "find_projects", {});
  const project = the(projects.filter(({ id }) => id !== "inbox").sort((a, b) => b.open_tasks - a.open_tasks)[0], "project");
  const made = [
    { title: "Send the agenda of the moved round", project_id: project.id, priority: "p2" },
    { title: "Figures for the cost centre", project_id: project.id, text: "Overtime and packaging, since the summer." },
  ];
  await office.call("todoist", "create_tasks", { tasks: made });
  for (const { title, text = "", priority = "p4" } of made) did("made a task", { title, text, priority, project: project.id });
}

async function moveDeal(office) {
  const deals = await office.all("crm", "find_records", { kind: "deal", stage: "Open" });
  const deal = the(deals.find(({ amount }) => amount), "open deal");
  const amount = Math.round(deal.amount * 0.95);
  await office.call("crm", "save_deal", { deal_id: deal.id, amount });
  const reason = "They want five per cent off.";
  const stage = deal.stage === "Negotiation" ? "Proposal" : "Negotiation";
  await office.call("crm", "move_deal", { deal_id: deal.id, stage, reason });
  did("moved a deal", { deal: deal.id, before: deal.stage, after: stage, reason, amount });
  return deal;
}

async function writeDown(office, sheet, deal) {
  const note = { title: `Offer: ${sheet.name}`, text: `The positions add up to ${sheet.sum}.`, tags: ["customers"] };
  await office.call("simple_note", "create_note", note);
  did("noted", note);
  const tree = await office.call("filesystem", "directory_tree", { path: "/workspace" });
  const folders = tree.children.filter(({ type }) => type === "directory");
  const folder = the(folders.find(({ name }) => name === "customers") ?? folders[0], "folder to write into");
  const path = `/workspace/${folder.name}/half_day.md`;
  const content = `# ${deal.title}\n\n- asked for five per cent less\n- see the note on ${sheet.name}\n`;
  await office.call("filesystem", "write_file", { path, content });
  did("wrote a file", { path, content });
  return path;
}

async function tellOthers(office, deal, path) {
  const channels = await office.all("chat", "find_channels", {});
  const channel = the(channels.find(({ unread }) => unread) ?? channels[0], "channel");
  const { items } = await office.call("chat", "get_messages", { channel: channel.name });
  await office.call("chat", "mark_read", { channels: [channel.name] });
  if (items.some(({ unread }) => unread)) did("read channel", { channel: channel.id });
  const text = `${deal.title} is in negotiation; what they asked for is in ${path}`;
  await office.call("chat", "send_message", { to: channel.name, text });
  did("said", { channel: channel.id, text });
}

const office = new Workplace();
try {
  await office.open(process.argv[2]);
  await fileNewsletters(office);
  await answerColleague(office);
  const sheet = await answerOffer(office);
  await moveMeetings(office);
  await makeTasks(office);
  const deal = await moveDeal(office);
  const path = await writeDown(office, sheet, deal);
  await tellOthers(office, deal, path);
} finally {
  await office.close();
}
console.log(JSON.stringify(deeds));
