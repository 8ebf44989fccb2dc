// @ts-check
"use strict";
// The list as a table of rows: made of the runs' indices, filtered with counts, sorted, summed up.

const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Rows of an index, in its order. @param {Index} index @param {Run} run @returns {Row[]} */
function indexRows(index, run) {
  const names = Object.keys(index.columns);
  const rows = [];
  for (let n = 0; n < (index.columns.key || []).length; n += 1) {
    /** @type {Record<string, any>} */
    const row = { run: run.run, n: index.from + n, run_label: run.label };
    for (const name of names) row[name] = index.columns[name][n];
    row.request = index.requests?.[row.task]?.[row.prompt] ?? "";
    rows.push(/** @type {Row} */ (row));
  }
  return rows;
}

/** How what the agent said last begins, to be read in two lines. @param {Row} row */
function lastWords(row) {
  return row.last_words && html`<span class="two-lines" title=${row.last_words}>${row.last_words}</span>`;
}

/** What was done wrong, in words that are counted. @param {Row} row @returns {string} */
function sideEffects(row) {
  return row.side_effects === null || row.side_effects === undefined ? "unknown" : row.side_effects ? "yes" : "no";
}

/** Whether something was changed that was not expected. @param {Row} row @returns {string} */
function unexpected(row) {
  return row.unexpected === null || row.unexpected === undefined ? "unknown" : row.unexpected ? "yes" : "no";
}

/**
 * Say of each row how agents were apart on its task under its condition, and how conditions were apart on it for its
 * agent: which of the two had more of its trials right, or that both were as good.
 * @param {Row[]} rows @param {boolean} several whether there are several runs
 */
function decide(rows, several) {
  const player = (/** @type {Row} */ row) => playerOf(row, several);
  const condition = (/** @type {Row} */ row) => row.condition;
  const many = new Set(rows.map(player)).size > ALL_PAIRS;
  setApart(rows, "decided", "agreed", player, condition, many ? mostShared(rows, several).pairs : null);
  setApart(rows, "shifted", "kept", condition, player, null);
}

/** Agents of which each is held against each under a condition: of three hundred runs these would be 45,000 pairs. */
const ALL_PAIRS = 20;
/** Of more agents as many pairs are as these have. */
const MOST_PAIRS = (ALL_PAIRS * (ALL_PAIRS - 1)) / 2;

/** @param {Row} row */
function isScored({ verdict }) {
  return verdict === "correct" || verdict === "failed";
}

/**
 * Two sides that were scored on the same tasks with all else alike, and how many tasks these are.
 * @typedef {{ alike: string, first: string, second: string, tasks: number }} Sharing
 */

/**
 * The pairs of agents that share tasks under a condition, those that share most first. Where these are many, those that
 * tables lead to, and of the others not all; `all` counts them.
 * @param {Row[]} rows @param {boolean} several @returns {{ pairs: Sharing[], all: number }}
 */
function mostShared(rows, several) {
  /** @type {Map<string, { sides: Map<string, { place: number, row: Row }>, tasks: Map<string, Set<number>> }>} */
  const groups = new Map();
  for (const row of rows.filter(isScored)) {
    const group = groups.get(row.condition) || { sides: new Map(), tasks: new Map() };
    groups.set(row.condition, group);
    const name = playerOf(row, several);
    const { place } = group.sides.get(name) || { place: group.sides.size };
    if (place === group.sides.size) group.sides.set(name, { place, row });
    group.tasks.set(row.task, (group.tasks.get(row.task) || new Set()).add(place));
  }
  const most = (/** @type {Sharing} */ a, /** @type {Sharing} */ b) => b.tasks - a.tasks;
  let all = 0;
  const each = [...groups].map(([alike, { sides, tasks }]) => {
    const size = sides.size;
    const shared = new Uint32Array(size * size);
    for (const places of tasks.values())
      for (const one of places) for (const other of places) shared[one * size + other] += 1;
    const names = [...sides.keys()];
    /** @type {Sharing[]} */
    const found = [];
    names.forEach((first, n) => {
      for (let m = n + 1; m < size; m += 1)
        if (shared[n * size + m]) found.push({ alike, first, second: names[m], tasks: shared[n * size + m] });
    });
    all += found.length;
    if (size <= ALL_PAIRS) return found;
    const isLinked = linkedPairs([...sides.values()].map(({ row }) => row), rows[0].run);
    const row = (/** @type {string} */ name) => /** @type {{ row: Row }} */ (sides.get(name)).row;
    const linked = found.filter(({ first, second }) => isLinked(row(first), row(second)));
    const others = found.filter(({ first, second }) => !isLinked(row(first), row(second))).sort(most);
    return [...linked, ...others.slice(0, Math.max(0, MOST_PAIRS - linked.length))];
  });
  return { pairs: each.flat().sort(most), all };
}

/**
 * Tells of two agents whether tables of several runs lead to them: they hold one of the first run against its namesake
 * in each other run, and who has none against all that have none (`_pairs` in harness/report/compare.py).
 * @param {Row[]} sides a row of each agent @param {number} run the first @returns {(one: Row, other: Row) => boolean}
 */
function linkedPairs(sides, run) {
  const there = new Set(sides.map((row) => `${row.run} ${row.agent}`));
  const alone = (/** @type {Row} */ row, /** @type {Row} */ other) => !there.has(`${other.run} ${row.agent}`);
  return (one, other) =>
    one.run !== other.run &&
    (one.run === run || other.run === run) &&
    (one.agent === other.agent || (alone(one, other) && alone(other, one)));
}

/**
 * `apart` of each row: of two sides that played its task with all else alike, which was right more often; `together`:
 * of which two neither was.
 * @param {Row[]} rows @param {"decided" | "shifted"} apart @param {"agreed" | "kept"} together
 * @param {(row: Row) => string} side @param {(row: Row) => string} alike
 * @param {Sharing[] | null} pairs those that are held against each other, null for all
 */
function setApart(rows, apart, together, side, alike, pairs) {
  /** @type {Map<string, { within: string, players: Map<string, { right: number, of: number, rows: Row[] }> }>} */
  const tasks = new Map();
  for (const row of rows) {
    row[apart] = [];
    row[together] = [];
    const within = alike(row);
    const key = `${within}\n${row.task}`;
    const { players } = tasks.get(key) || { players: new Map() };
    tasks.set(key, { within, players });
    const name = side(row);
    const own = players.get(name) || { right: 0, of: 0, rows: [] };
    players.set(name, own);
    own.rows.push(row);
    if (isScored(row)) own.of += 1;
    if (row.verdict === "correct") own.right += 1;
  }
  /** @type {Map<string, [string, string][]> | null} */
  const chosen = pairs && new Map();
  for (const one of pairs || []) {
    if (!chosen?.has(one.alike)) chosen?.set(one.alike, []);
    chosen?.get(one.alike)?.push([one.first, one.second]);
  }
  for (const { within, players } of tasks.values()) {
    for (const [one, other] of chosen ? chosen.get(within) || [] : twoByTwo([...players.keys()])) {
      const [a, b] = [players.get(one), players.get(other)];
      if (!a?.of || !b?.of) continue;
      const share = a.right / a.of;
      const by = share - b.right / b.of;
      const [better, worse] = by > 0 ? [one, other] : [other, one];
      const said = by ? decidedFor(better, worse) : agreedBy(one, other, endOf(share));
      for (const row of [...a.rows, ...b.rows]) row[by ? apart : together]?.push(said);
    }
  }
}

/** @param {string[]} names @returns {[string, string][]} */
function twoByTwo(names) {
  return names.flatMap((one, n) =>
    names.slice(n + 1).map((other) => /** @type {[string, string]} */ ([one, other])),
  );
}

/** Who played a trial, as agents of several runs are told apart. @param {Row} row @param {boolean} several */
function playerOf(row, several) {
  return several ? `${row.run_label}: ${row.agent}` : row.agent;
}

/** @param {string} better @param {string} worse */
function decidedFor(better, worse) {
  return `${better} rather than ${worse}`;
}

/** How sides ended that were right in the same share of their trials. @param {number} share */
function endOf(share) {
  return share === 1 ? "right" : share === 0 ? "failed" : "right in part";
}

/** @param {string} one @param {string} other @param {string} end */
function agreedBy(one, other, end) {
  const [first, second] = one < other ? [one, other] : [other, one];
  return `${first} and ${second}: both ${end}`;
}

/** Ranks of a column's texts, so that sorting compares numbers. @param {(string | number | null)[]} values */
function ranks(values) {
  const distinct = [...new Set(values)].filter((value) => value !== null && value !== undefined && value !== "");
  distinct.sort((a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : COLLATOR.compare(String(a), String(b)),
  );
  return new Map(distinct.map((value, rank) => [value, rank]));
}

/**
 * Sorted by `column` or `-column`; what has no value stands last.
 * @param {Row[]} rows
 * @param {string} sort
 * @param {Column[]} columns
 */
function sorted(rows, sort, columns) {
  const column = columns.find((one) => one.name === sort.replace(/^-/, ""));
  if (!column) return rows;
  const down = sort.startsWith("-") ? -1 : 1;
  const values = rows.map((row) => column.by?.(row) ?? null);
  const rank = ranks(values);
  const places = values.map((value) => rank.get(/** @type {any} */ (value)) ?? -1);
  const order = rows.map((_, n) => n);
  order.sort((a, b) => {
    if (places[a] < 0 || places[b] < 0) return places[a] < 0 && places[b] < 0 ? a - b : places[a] < 0 ? 1 : -1;
    return (places[a] - places[b]) * down || a - b;
  });
  return order.map((n) => rows[n]);
}

/** What was played, and by a model or an instrument. @param {Row} row @param {Runs} runs */
function kindOf(row, runs) {
  const run = runs.runs.find((one) => one.run === row.run);
  return `${run?.suite} ${run?.agents.find((one) => one.name === row.agent)?.instrument}`;
}

/** @param {Row[]} rows @param {Runs} runs @returns {Totals} */
function totals(rows, runs) {
  const conditions = new Set(rows.map((row) => row.condition)).size;
  const players = new Map(rows.map((row) => [`${row.run} ${row.agent}`, row]));
  const kinds = new Set([...players.values()].map((row) => kindOf(row, runs))).size;
  const none = { correct: 0, scored: 0, unexpected: 0, known: 0, cost: 0, unpriced: 0 };
  const sum = { trials: rows.length, conditions, kinds, ...none };
  for (const row of rows) {
    if (row.verdict === "correct") sum.correct += 1;
    if (row.verdict === "correct" || row.verdict === "failed") sum.scored += 1;
    if (unexpected(row) !== "unknown" && row.verdict !== "void") {
      sum.known += 1;
      sum.unexpected += row.unexpected ? 1 : 0;
    }
    if (row.cost === null) sum.unpriced += 1;
    else sum.cost += row.cost;
  }
  return sum;
}

/** Every column there is. @param {Runs} runs @returns {Column[]} */
function columnsOf(runs) {
  /** @type {(name: string, title: string, width: number, more?: Partial<Column>) => Column} */
  const column = (name, title, width, more = {}) => ({
    name,
    title,
    width,
    number: false,
    hint: "",
    show: (row) => String(row[name] ?? ""),
    by: (row) => (row[name] === undefined ? null : row[name]),
    ...more,
  });
  /** @type {(name: string, title: string, width: number, more?: Partial<Column>) => Column} */
  const number = (name, title, width, more = {}) =>
    column(name, title, width, { number: true, show: (row) => count(row[name]), ...more });
  const verdicts = ["correct", "failed", "void", "unscored"];
  return [
    column("verdict", "Verdict", 106, {
      show: (row) => html`<${Verdict} of=${row.verdict} />`,
      by: (row) => verdicts.indexOf(row.verdict),
    }),
    column("run", "Run", 120, { show: (row) => row.run_label, by: (row) => row.run }),
    column("agent", "Agent", 120),
    column("condition", "Condition", 144, { hint: MEANS.condition }),
    column("task", "Task", 216),
    column("template", "Template", 150, { hint: MEANS.template }),
    number("trial", "Trial", 56),
    column("reason", "Why", 240, {
      show: (row) => html`<span class="why-cell two-lines">
        ${row.mistake && html`<strong><span class="is-brief">${bothBegun(mistakeOf(row))}</span>
        <span class="is-whole">${mistakeOf(row)}</span></strong>${/[.!?]$/.test(row.mistake) ? " " : ". "}`}
        ${row.reason}</span>`,
      by: whyOf,
    }),
    column("prompt", "Request", 120, { hint: MEANS.prompt }),
    column("request", "Request, in words", 340, { hint: "The beginning of what the agent was asked to do." }),
    column("status", "Status", 80),
    number("score", "Score", 64, {
      show: (row) =>
        row.score === null || row.score === undefined ? "–" : String(Math.round(row.score * 1000) / 1000),
    }),
    number("ckpt", "Done", 62, { show: (row) => percent(row.ckpt), hint: MEANS.ckpt }),
    number("unexpected", "Unexpected", 104, {
      show: (row) => (row.unexpected ? html`<span class="bad">${count(row.unexpected)}</span>` : count(row.unexpected)),
      hint: MEANS.unexpected,
    }),
    column("side_effects", "Side effects, as published", 180, {
      show: (row) => (sideEffects(row) === "unknown" ? "–" : sideEffects(row)),
      hint: MEANS.side_effects,
    }),
    number("missing", "Missing", 72, { hint: "Expected changes that were not made." }),
    number("questions", "Asked", 60, { hint: MEANS.asked }),
    number("calls", "Calls", 58, { hint: "Tool calls." }),
    number("failed_calls", "Refused", 70, { hint: "Tool calls that did not succeed." }),
    number("turns", "Turns", 58, { hint: "Calls of the agent's model." }),
    number("sessions", "Sessions", 76),
    number("prompt_tokens", "Tokens in", 86),
    number("completion_tokens", "Tokens out", 88),
    number("cost", "Cost", 84, { show: (row) => money(row.cost) }),
    number("seconds", "Time", 72, { show: (row) => span(row.seconds) }),
    column("flags", "Remarks", 170, {
      hint: MEANS.remark,
      show: (row) => html`<${Flags} of=${row.flags} />`,
      by: (row) => (row.flags || []).join(" "),
    }),
    column("last_words", "Last words", 260, { hint: "How what the agent said last begins.", show: lastWords }),
    column("label", "Label", 120),
    column("human", "Person", 84, {
      hint: "Last verdict of a person: the column `human` of the CSV.",
      show: (row) => (row.human ? html`<${Verdict} of=${row.human} />` : ""),
    }),
    column("tags", "Tags", 120, {
      show: (row) => (row.tags || []).join(", "),
      by: (row) => (row.tags || []).join(" "),
    }),
    number("notes", "Notes", 62, { show: (row) => (row.notes ? count(row.notes) : "") }),
    ...[...new Set(runs.runs.flatMap((run) => run.groups))].map((name) =>
      column(name, headed(name), 120, { hint: meaningOf(name) }),
    ),
  ];
}

/** What a search found of each trial. @param {Map<string, Excerpt>} excerpts @returns {Column} */
function foundColumn(excerpts) {
  return {
    name: "found",
    title: "Found",
    width: 260,
    number: false,
    hint: "Where the words of the search stand first.",
    show: (row) => {
      const excerpt = excerpts.get(rowId(row));
      return excerpt ? html`<${ExcerptLine} of=${excerpt} />` : "";
    },
    by: null,
  };
}

/** Columns that are as wide as their longest text, within bounds in pixels. @type {Record<string, [number, number]>} */
const FITTED = { run: [56, 150], agent: [70, 170], condition: [90, 170], task: [200, 250], template: [90, 200] };

/** Columns with the room that these rows need. @param {Column[]} columns @param {Row[]} rows @returns {Column[]} */
function fitted(columns, rows) {
  return columns.map((column) => {
    const bounds = Object.hasOwn(FITTED, column.name) ? FITTED[column.name] : null;
    if (!bounds) return column;
    const name = column.name === "run" ? "run_label" : column.name;
    const longest = rows.reduce((most, row) => Math.max(most, String(row[name] ?? "").length), 0);
    const sign = column.name === "task" && rows.some((row) => row.notes) ? 28 : 0;
    return { ...column, width: within(Math.ceil(longest * 7.2) + 22, ...bounds) + sign };
  });
}

/** Fields of a card. */
const CARD_FIELDS = "verdict task agent condition questions calls cost unexpected reason".split(" ");

/** Whether the agent's name tells the run too: each run has one agent, and no other one has it. @param {Row[]} rows */
function agentTellsRun(rows) {
  const pairs = new Set(rows.map((row) => JSON.stringify([row.run, row.agent])));
  return ["run", "agent"].every((name) => new Set(rows.map((row) => row[name])).size === pairs.size);
}

/**
 * Columns worth their room: those where rows differ, and of which no other one says the same.
 * @param {Row[]} rows @param {Column[]} columns @param {boolean} wide @returns {string[]}
 */
function sensible(rows, columns, wide) {
  const always = ["verdict", "task", "unexpected", "ckpt", "questions", "reason"];
  const where = ["run", "agent", "condition", "trial", "cost", ...(wide ? ["calls", "flags", "notes"] : [])];
  const varied = where.filter((name) => {
    if (name === "run" && agentTellsRun(rows)) return false;
    const seen = new Set();
    for (const row of rows) {
      seen.add(String(row[name] ?? ""));
      if (seen.size > 1) return true;
    }
    return false;
  });
  return columns.map((column) => column.name).filter((name) => always.includes(name) || varied.includes(name));
}

/** @param {{ of: string[] | undefined }} props */
function Flags({ of }) {
  return (of || []).map(
    (flag) => html`<span class="flag" title=${FLAGS[flag] || ""}>${flag.replaceAll("_", " ")}</span>`,
  );
}
