// @ts-check
"use strict";
// Agents two by two under the same condition, conditions two by two of the same agent, and the tables of several runs.

/**
 * Each pair of agents under each condition that both played, with how many tasks went to the one or the other.
 * @param {Row[]} rows @param {boolean} several
 */
function agentPairs(rows, several) {
  /** @type {Map<string, Map<string, Map<string, { right: number, of: number }>>>} */
  const conditions = new Map();
  for (const row of rows) {
    if (row.verdict !== "correct" && row.verdict !== "failed") continue;
    const players = conditions.get(row.condition) || new Map();
    conditions.set(row.condition, players);
    const name = playerOf(row, several);
    const tasks = players.get(name) || new Map();
    players.set(name, tasks);
    const own = tasks.get(row.task) || { right: 0, of: 0 };
    tasks.set(row.task, { right: own.right + (row.verdict === "correct" ? 1 : 0), of: own.of + 1 });
  }
  const only = standard(rows, (row) => playerOf(row, several));
  const found = [];
  for (const [condition, players] of conditions) {
    const names = [...players.keys()].sort((a, b) => Number(b === only) - Number(a === only));
    for (let n = 0; n < names.length; n += 1) {
      for (const second of names.slice(n + 1)) {
        if (only && names[n] !== only) continue;
        const [a, b] = [players.get(names[n]), players.get(second)];
        const apart = [...(a || [])].flatMap(([task, one]) => {
          const other = b?.get(task);
          return other ? [Math.sign(one.right / one.of - other.right / other.of)] : [];
        });
        const won = apart.filter((one) => one > 0).length;
        const lost = apart.filter((one) => one < 0).length;
        if (apart.length) found.push({ condition, first: names[n], second, tasks: apart.length, won, lost, only });
      }
    }
  }
  return found;
}

/** @param {{ pairs: ReturnType<typeof agentPairs> }} props */
function AgentPairs({ pairs }) {
  if (!pairs.length) return null;
  /** @type {(number: number, condition: string, better: string, worse: string) => any} */
  const cell = (number, condition, better, worse) =>
    number
      ? html`<${Link} class="exact" label=${`${counted(number, "task")}: their trials`}
        to=${filteredRoute({ condition, decided: decidedFor(better, worse) })}>${count(number)}</${Link}>`
      : "0";
  return html`<section class="panel" aria-labelledby="pairs-title"><h2 id="pairs-title">Agents, two by two</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Agents, two by two">
      <table class="plain-table"><thead><tr>
      ${["First", "Second", "Condition"].map((name) => html`<th scope="col" key=${name}>${name}</th>`)}
      ${["Tasks", "First rather than second", "Second rather than first", "Alike"].map((name) => html`<th scope="col"
        class="number" key=${name}>${name}</th>`)}</tr></thead>
    <tbody>${pairs.map((one) => html`<tr key=${`${one.condition} ${one.first} ${one.second}`}>
      <th scope="row">${one.first}</th><td>${one.second}</td><td>${one.condition}</td>
      <td class="number">${count(one.tasks)}</td>
      <td class="number">${cell(one.won, one.condition, one.first, one.second)}</td>
      <td class="number">${cell(one.lost, one.condition, one.second, one.first)}</td>
      <td class="number">${count(one.tasks - one.won - one.lost)}</td></tr>`)}</tbody></table></div>
    <p class="quiet">Tasks that both played under the same condition, by which of the two was right in more of its
      trials. A number leads to the trials of both on those tasks.
      ${pairs.some((one) => one.only) && ` Of more than ${ALL_PAIRS}, only the first is held against the others.`}
      </p></section>`;
}

/** Tasks of a pair that are listed by name. */
const NAMED = 200;

/**
 * What an agent did on a task under one condition, and how a task went under two.
 * @typedef {{ right: number, of: number, rows: Row[] }} Played
 * @typedef {{ task: string, first: Played, second: Played }} Shift
 */

/**
 * Two conditions of one agent. `first` is the one without a user, where they differ in that; `asking` says that they
 * make the same request and differ in whether one can ask.
 * @typedef {object} ConditionPair
 * @property {string} agent
 * @property {Run} run
 * @property {string} first
 * @property {string} second
 * @property {boolean} asking
 * @property {number} tasks
 * @property {Shift[]} gained
 * @property {Shift[]} lost
 */

/** The share of trials that were right. @param {Played} of */
function shareOf(of) {
  return of.right / of.of;
}

/**
 * By agent of a run, by condition, by task. @param {Row[]} rows
 * @returns {Map<string, Map<string, Map<string, Played>>>}
 */
function playedBy(rows) {
  /** @type {Map<string, Map<string, Map<string, Played>>>} */
  const players = new Map();
  for (const row of rows) {
    if (row.verdict !== "correct" && row.verdict !== "failed") continue;
    const player = JSON.stringify([row.run, row.agent]);
    const conditions = players.get(player) || new Map();
    players.set(player, conditions);
    const tasks = conditions.get(row.condition) || new Map();
    conditions.set(row.condition, tasks);
    const own = tasks.get(row.task) || { right: 0, of: 0, rows: [] };
    tasks.set(row.task, own);
    own.of += 1;
    own.right += row.verdict === "correct" ? 1 : 0;
    own.rows.push(row);
  }
  return players;
}

/**
 * Each pair of conditions that an agent played, with the tasks that went better or worse under the second; those that
 * differ in asking alone come first.
 * @param {Row[]} rows @param {Runs} runs @returns {ConditionPair[]}
 */
function conditionPairs(rows, runs) {
  const asks = (/** @type {{ ask: string }} */ one) => Number(one.ask !== "off");
  /** @type {ConditionPair[]} */
  const found = [];
  for (const [player, conditions] of playedBy(rows)) {
    const [number, agent] = JSON.parse(player);
    const run = runs.runs.find((one) => one.run === number);
    if (!run) continue;
    const known = run.conditions.filter((one) => conditions.has(one.name));
    for (const [n, a] of known.entries()) {
      for (const b of known.slice(n + 1)) {
        const [first, second] = asks(a) > asks(b) ? [b, a] : [a, b];
        const shifts = shiftsOf(conditions.get(first.name), conditions.get(second.name));
        const asking = asks(first) !== asks(second) && first.prompt === second.prompt;
        if (shifts.tasks) found.push({ agent, run, first: first.name, second: second.name, asking, ...shifts });
      }
    }
  }
  return found;
}

/** @param {Map<string, Played> | undefined} one @param {Map<string, Played> | undefined} other */
function shiftsOf(one, other) {
  const both = [...(one || [])].flatMap(([task, first]) => {
    const second = other?.get(task);
    return second ? [{ task, first, second }] : [];
  });
  return {
    tasks: both.length,
    gained: both.filter((each) => shareOf(each.second) > shareOf(each.first)),
    lost: both.filter((each) => shareOf(each.second) < shareOf(each.first)),
  };
}

/** The two trials of a task, one of either side, that show how it went another way. @param {Shift} of */
function shownBy(of) {
  const gained = shareOf(of.second) > shareOf(of.first);
  /** @type {(side: Played, verdict: string) => Row} */
  const one = (side, verdict) => side.rows.find((row) => row.verdict === verdict) || side.rows[0];
  return [one(of.first, gained ? "failed" : "correct"), one(of.second, gained ? "correct" : "failed")];
}

/** @param {{ of: Shift, gained: boolean }} props */
function ShiftLine({ of, gained }) {
  const [first, second] = shownBy(of).map((row) => ({ run: row.run, key: row.key }));
  const to = trialRoute(readRoute(""), first, { page: "pair", second });
  return html`<li><span class=${`part part-${gained ? "given" : "doubt"}`}>${gained ? "gained" : "lost"}</span>
    ${" "}<${Link} to=${to} label=${`${of.task}: two trials side by side`}>${of.task}</${Link}>
    <span class="quiet"> ${count(of.first.right)} of ${count(of.first.of)} right, then
      ${` ${count(of.second.right)} of ${count(of.second.of)}`}</span></li>`;
}

/** The tasks that went another way, by name. @param {{ one: ConditionPair, name: string }} props */
function Shifts({ one, name }) {
  const all = [...one.gained, ...one.lost];
  const title = `${name}, ${one.first} to ${one.second}: ${counted(all.length, "task")} by name`;
  return html`<${Fold} title=${title}><ul class="plain shifts">
    ${all.slice(0, NAMED).map((shift, n) => html`<${ShiftLine} key=${shift.task} of=${shift}
      gained=${n < one.gained.length} />`)}
    ${all.length > NAMED && html`<li class="quiet">${count(all.length - NAMED)} more: the numbers above lead to them.
      </li>`}</ul></${Fold}>`;
}

/** @param {{ pairs: ConditionPair[], several: boolean, title: string, heads: string[], children: any }} props */
function ConditionTable({ pairs, several, title, heads, children }) {
  /** @type {(one: ConditionPair, shifts: Shift[], better: string, worse: string) => any} */
  const cell = (one, shifts, better, worse) =>
    shifts.length
      ? html`<${Link} class="exact" label=${`${counted(shifts.length, "task")}: their trials`}
        to=${filteredRoute({
          ...(several ? { run: one.run.run } : {}),
          agent: one.agent,
          condition: [one.first, one.second],
          shifted: decidedFor(better, worse),
        })}>${count(shifts.length)}</${Link}>`
      : "0";
  const nameOf = (/** @type {ConditionPair} */ one) => `${several ? `${one.run.label}: ` : ""}${one.agent}`;
  const id = (/** @type {ConditionPair} */ one) => `${one.run.run} ${one.agent} ${one.first} ${one.second}`;
  return html`<section class="panel" aria-label=${title}><h2>${title}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label=${title}><table class="plain-table"><thead><tr>
      ${heads.map((name, n) => html`<th scope="col" key=${name} class=${n > 2 ? "number" : ""}>${name}</th>`)}
      </tr></thead>
    <tbody>${pairs.map((one) => html`<tr key=${id(one)}>
      <th scope="row">${nameOf(one)}</th><td>${one.first}</td><td>${one.second}</td>
      <td class="number">${count(one.tasks)}</td>
      <td class="number">${cell(one, one.gained, one.second, one.first)}</td>
      <td class="number">${cell(one, one.lost, one.first, one.second)}</td>
      <td class="number">${count(one.tasks - one.gained.length - one.lost.length)}</td></tr>`)}</tbody></table></div>
    ${children}
    ${pairs.filter((one) => one.gained.length + one.lost.length).map((one) => html`<${Shifts} key=${id(one)} one=${one}
      name=${nameOf(one)} />`)}</section>`;
}

/** @param {{ pairs: ConditionPair[], several: boolean }} props */
function ConditionPairs({ pairs, several }) {
  const asking = pairs.filter((one) => one.asking);
  const others = pairs.filter((one) => !one.asking);
  return html`${asking.length > 0 && html`<${ConditionTable} pairs=${asking} several=${several}
      title="Who gains by asking"
      heads=${["Agent", "Without a user", "With one", "Tasks", "Gained by asking", "Lost by asking", "Alike"]}>
      <p class="quiet">Tasks that an agent played from the same request without a user and
        with one: gained where it was right in more of its trials with one. A number leads to the trials of both, a
        task to two of them side by side.</p></${ConditionTable}>`}
    ${others.length > 0 && html`<${ConditionTable} pairs=${others} several=${several}
      title=${`${asking.length ? "Other conditions" : "Conditions"}, two by two`}
      heads=${["Agent", "First", "Second", "Tasks", "Gained under the second", "Lost under it", "Alike"]}>
      <p class="quiet">The same for
        conditions that differ in more than asking, or in something else.</p></${ConditionTable}>`}`;
}

/** What stands side by side. @param {Runs} runs @returns {string} */
function comparedOf(runs) {
  if (runs.runs.length > 1) return "runs";
  return runs.runs.some((run) => run.agents.length > 1) ? "agents" : "conditions";
}

/** @param {{ runs: Runs, store: Store }} props */
function ComparePage({ runs, store }) {
  const several = runs.runs.length > 1;
  const what = headed(comparedOf(runs));
  const { value, error } = useLoaded(
    () => (several ? load("compare") : Promise.resolve({ tables: [], problem: "" })),
    [runs.runs.length],
  );
  const agents = useMemo(() => agentPairs(store.rows, several), [store.version]);
  const conditions = useMemo(() => conditionPairs(store.rows, runs), [store.version]);
  useEffect(() => {
    document.title = `${what} compared`;
  }, [what]);
  return html`<div class="report-page"><header class="report-head">
    <h1>${what} side by side</h1><p class="quiet">
    ${runs.runs.map((run) => run.label).join(", ")}</p></header>
    <${AgentPairs} pairs=${agents} />
    <${ConditionPairs} pairs=${conditions} several=${several} />
    ${!several && !agents.length && !conditions.length && html`<p class="empty">There are no two agents or conditions
      of this run that were scored on the same task.</p>`}
    ${error ? html`<${Failure} text=${error} />` : value ? html`${value.problem && html`<p class="notice warn">
      ${sentence(value.problem)}</p>`}<${Tables} tables=${value.tables}
      run=${null} />` : html`<p class="quiet">Comparing…</p>`}</div>`;
}
