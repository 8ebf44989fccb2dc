// @ts-check
"use strict";
// What the list is filtered by: facets with their choices, and the rows that pass them all.

const COSTS = ["unknown", "$0", "up to $0.001", "up to $0.01", "up to $0.1", "up to $1", "above $1"];

/** @param {Row} row */
function costBand(row) {
  const { cost } = row;
  if (cost === null) return COSTS[0];
  if (cost === 0) return COSTS[1];
  const bound = [0.001, 0.01, 0.1, 1].findIndex((most) => cost <= most);
  return bound < 0 ? COSTS[6] : COSTS[bound + 2];
}

/** @param {Row} row */
function askedBand(row) {
  const asked = row.questions || 0;
  return asked > 4 ? "5 or more" : String(asked);
}

/** @param {string[]} known @returns {(a: string, b: string) => number} */
function inOrder(known) {
  /** @param {string} value */
  const place = (value) => (known.includes(value) ? known.indexOf(value) : known.length);
  return (a, b) => place(a) - place(b) || COLLATOR.compare(a, b);
}

/** How a trial came to its end, as its record has it: what the agent said last is not judged. @param {Row} row */
function endedBy(row) {
  if (row.status !== "finished") return ENDS[row.status] || row.status;
  return row.last_words ? ENDS.said : ENDS.silent;
}

/** @type {Record<string, string>} */
const ENDS = {
  said: "said something last",
  silent: "said nothing last",
  limit: "ended by a limit",
  crashed: "crashed",
  void: "void",
};

/** The facets that the list is filtered by. @param {Runs} runs @param {Row[]} rows @returns {Facet[]} */
function facetsOf(runs, rows) {
  /** @type {(name: string, title: string, more?: Partial<Facet>) => Facet} */
  const facet = (name, title, more = {}) => ({
    name,
    title,
    of: (row) => [row[name] === null || row[name] === undefined ? "" : String(row[name])],
    say: (value) => value || "none",
    order: COLLATOR.compare,
    folded: false,
    ...more,
  });
  const labels = new Map(runs.runs.map((run) => [run.name, run.label]));
  const names = new Map(runs.runs.map((run) => [run.run, run.name]));
  const requests = new Map(rows.map((row) => [row.task, row.request]));
  const groups = [...new Set(runs.runs.flatMap((run) => run.groups))];
  const asks = runs.runs.some((run) => run.conditions.some((one) => one.ask !== "off"));
  return [
    facet("run", "Run", {
      of: (row) => [names.get(row.run) ?? ""],
      say: (value) => labels.get(value) || value,
      order: inOrder([...labels.keys()]),
    }),
    facet("verdict", "Verdict", { order: inOrder(["correct", "failed", "void", "unscored"]) }),
    facet("unexpected", "Unexpected changes", {
      of: (row) => [unexpected(row)],
      order: inOrder(["yes", "no"]),
      hint: MEANS.unexpected,
    }),
    facet("agent", "Agent"),
    facet("condition", "Condition", { hint: MEANS.condition }),
    facet("questions", "Asked", { of: (row) => [askedBand(row)], hint: MEANS.asked }),
    facet("flags", "Remarks", {
      of: (row) => (row.flags || []).filter((flag) => !TROUBLES.includes(flag)),
      say: (value) => value.replaceAll("_", " "),
      tell: (value) => FLAGS[value] || "",
      hint: MEANS.remark,
    }),
    facet("dialogue", "Dialogue", {
      of: (row) => (row.flags || []).filter((flag) => TROUBLES.includes(flag)),
      say: (value) => value.replaceAll("_", " "),
      tell: (value) => FLAGS[value] || "",
      hint: "Troubles of questions and answers.",
      always: asks ? TROUBLES : [],
    }),
    facet("tools", "Tool called", { of: (row) => row.tools || [], folded: true, hint: MEANS.tools }),
    facet("tables", "Changed", { of: (row) => row.tables || [], folded: true, hint: MEANS.tables }),
    facet("decided", "Agents decide differently", {
      of: (row) => row.decided || [],
      say: (value) => value,
      hint: MEANS.decided,
      folded: true,
    }),
    facet("shifted", "Conditions decide differently", {
      of: (row) => row.shifted || [],
      say: (value) => value,
      hint: MEANS.shifted,
      folded: true,
    }),
    facet("agreed", "Agents decide alike", { of: (row) => row.agreed || [], hint: MEANS.agreed, folded: true }),
    facet("kept", "Conditions decide alike", { of: (row) => row.kept || [], hint: MEANS.kept, folded: true }),
    facet("has_notes", "Notes", { of: (row) => [row.notes ? "has notes" : "none"], hint: "Written by people." }),
    facet("template", "Template", { folded: true, hint: MEANS.template, shares: true }),
    ...groups.map((name) => facet(name, headed(name), { folded: true, hint: meaningOf(name) })),
    facet("side_effects", "Side effects, as published", {
      of: (row) => [sideEffects(row)],
      order: inOrder(["yes", "no"]),
      hint: MEANS.side_effects,
      folded: true,
    }),
    facet("ended", "Ended", {
      of: (row) => [endedBy(row)],
      order: inOrder(Object.values(ENDS)),
      hint: MEANS.ended,
      folded: true,
    }),
    facet("status", "Status", { folded: true }),
    facet("cost", "Cost", { of: (row) => [costBand(row)], order: inOrder(COSTS), folded: true }),
    facet("tags", "Tags", { of: (row) => row.tags || [], folded: true, hint: "Written by people." }),
    facet("human", "Verdict of a person", { say: (value) => value || "none given", folded: true }),
    facet("task", "Task", { folded: true, tell: (value) => requests.get(value) || "" }),
    facet("prompt", "Request", { folded: true, hint: MEANS.prompt }),
  ];
}

/** What went wrong, in a line: first what was made with another value. @param {Row} row */
function whyOf(row) {
  return [row.mistake && sentence(mistakeOf(row)), row.reason].filter(Boolean).join(" ");
}

/**
 * What was done wrong, what decides first: of "missing: crm.customers 7: status=Won" the value, then the row, as a
 * narrow cell shows the beginning alone.
 * @param {Row} row
 */
function mistakeOf({ mistake }) {
  const one = /^missing: (?!new |removal )([^ :;]+\.[^ :;]+ [^ :;]+): ([^;]+)$/;
  return (mistake || "").replace(one, "missing: $2, of $1");
}

/** Characters of a value that is named in two lines beside another one. */
const BESIDE = 30;

/**
 * Of each "A instead of B" the beginnings of both, so that neither is cut off by the other.
 * @param {string} mistake one, or several with "; " between them
 */
function bothBegun(mistake) {
  const begun = (/** @type {string} */ one) => (one.length > BESIDE ? `${one.slice(0, BESIDE - 1)}…` : one);
  const each = mistake.split("; ").map((one) => one.split(" instead of "));
  return each.map((values) => (values.length === 2 ? values.map(begun) : values).join(" instead of ")).join("; ");
}

/** Requests as they are looked into: trials of a task share one. @type {Map<string, string>} */
const REQUESTS = new Map();

/** @param {string} request */
function foldedRequest(request) {
  const known = REQUESTS.get(request) ?? `${folded(request)}\n`;
  REQUESTS.set(request, known);
  return known;
}

/** What the instant filter looks into. @param {Row} row @returns {string} */
function hay(row) {
  row.hay ??= foldedRequest(row.request || "") + folded(
    [
      row.task,
      row.template,
      row.agent,
      row.condition,
      row.prompt,
      whyOf(row),
      row.last_words,
      row.label,
      row.key,
      row.status,
      ...(row.flags || []),
      ...(row.tags || []),
    ].join("\n"),
  );
  return row.hay;
}

/**
 * A facet with what all rows have of it, looked up once: of 10,000 rows, a tick has no time for more than counting.
 * @typedef {object} Coded
 * @property {Facet} facet
 * @property {string[][]} sets the different lists of values that rows have
 * @property {Int32Array} of which of them each row has, in the order of the rows
 * @property {string[]} values all values, in the facet's order
 */
/** @typedef {{ rows: Row[], coded: Coded[] }} Filterable */

/** @param {Row[]} rows @param {Facet[]} facets @returns {Filterable} */
function filterable(rows, facets) {
  return { rows, coded: facets.map((facet) => coded(rows, facet)) };
}

/** @param {Row[]} rows @param {Facet} facet @returns {Coded} */
function coded(rows, facet) {
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {string[][]} */
  const sets = [];
  const of = Int32Array.from(rows, (row) => {
    const values = facet.of(row);
    const name = values.length === 1 ? values[0] : values.join("\n");
    let set = known.get(name);
    if (set === undefined) {
      set = sets.push(values) - 1;
      known.set(name, set);
    }
    return set;
  });
  return { facet, sets, of, values: [...new Set(sets.flat())].sort(facet.order) };
}

/**
 * Rows that pass every filter; and of each facet its choices, counted over the rows that pass all the others.
 * @param {Filterable} of
 * @param {Route} route
 * @param {{ has: (id: string) => boolean } | null} found what a search found
 * @returns {{ rows: Row[], choices: Map<string, Choice[]> }}
 */
function filtered({ rows, coded: columns }, route, found) {
  const words = folded(route.quick).split(/\s+/).filter(Boolean);
  const tests = columns.flatMap((one, n) => {
    const wanted = route.filters.get(one.facet.name) || [];
    const passes = one.sets.map((set) => set.some((value) => wanted.includes(value)));
    return wanted.length ? [{ n, of: one.of, passes }] : [];
  });
  const counts = columns.map((one) => new Uint32Array(one.sets.length));
  // Where a verdict is ticked, how many trials there are of every verdict: "3 of 3".
  const judged = columns.findIndex((one) => one.facet.name === "verdict");
  const shared = columns.findIndex((one) => one.facet.shares);
  const wholes = shared >= 0 && tests.some((test) => test.n === judged) && new Uint32Array(columns[shared].sets.length);
  /** @type {number[]} */
  const passed = [];
  for (let at = 0; at < rows.length; at += 1) {
    if (found && !found.has(rowId(rows[at]))) continue;
    if (words.length && !words.every((word) => hay(rows[at]).includes(word))) continue;
    let refusals = 0;
    let refused = -1;
    let others = 0;
    for (const test of tests) {
      if (test.passes[test.of[at]]) continue;
      refusals += 1;
      refused = test.n;
      if (test.n !== judged && test.n !== shared) others += 1;
    }
    if (wholes && !others) wholes[columns[shared].of[at]] += 1;
    if (!refusals) passed.push(at);
    else if (refusals === 1) counts[refused][columns[refused].of[at]] += 1;
  }
  columns.forEach(({ of }, n) => {
    for (const at of passed) counts[n][of[at]] += 1;
  });
  const choices = new Map(
    columns.map((one, n) => [one.facet.name, choicesOf(one, counts[n], route, n === shared && wholes)]),
  );
  return { rows: passed.map((at) => rows[at]), choices };
}

/**
 * @param {Coded} of @param {Uint32Array} counts of its sets @param {Route} route
 * @param {Uint32Array | false} wholes counts of its sets whatever the verdict, where choices say them
 * @returns {Choice[]}
 */
function choicesOf({ facet, sets, values }, counts, route, wholes) {
  const each = summed(sets, counts);
  const whole = wholes && summed(sets, wholes);
  const wanted = route.filters.get(facet.name) || [];
  const always = new Set([...wanted, ...(facet.always || [])]);
  const unknown = [...always].filter((value) => !values.includes(value));
  const all = unknown.length ? [...values, ...unknown].sort(facet.order) : values;
  return all
    .filter((value) => each.has(value) || always.has(value))
    .map((value) => ({
      value,
      count: each.get(value) || 0,
      on: wanted.includes(value),
      ...(whole ? { of: whole.get(value) || 0 } : {}),
    }));
}

/** Numbers of sets as numbers of their values. @param {string[][]} sets @param {Uint32Array} counts */
function summed(sets, counts) {
  /** @type {Map<string, number>} */
  const each = new Map();
  sets.forEach((set, n) => {
    if (counts[n]) for (const value of set) each.set(value, (each.get(value) || 0) + counts[n]);
  });
  return each;
}

/** Facets that can tell trials apart, whatever is filtered now. @param {Filterable} of @returns {Set<string>} */
function usefulOf({ coded: columns }) {
  const useful = columns.filter(({ facet, values }) => {
    const all = new Set([...values, ...(facet.always || [])]);
    const least = /^(flags|tags|decided|shifted|agreed|kept)$/.test(facet.name) ? 1 : 2;
    return all.size >= least || (facet.name === "has_notes" && all.has("has notes"));
  });
  return new Set(useful.map(({ facet }) => facet.name));
}
