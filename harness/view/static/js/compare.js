// @ts-check
"use strict";
// Agents two by two under the same condition, conditions two by two of the same agent, and the tables of several runs.

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
 * @property {number} questions that were put under the second
 * @property {number} tasks
 * @property {Shift[]} gained
 * @property {Shift[]} lost
 * @property {Record<string, number>} alike tasks on which both were as good, by what both were
 */

/** The share of trials that were right. @param {Played} of */
function shareOf(of) {
  return of.right / of.of;
}

/**
 * By two names of a row, such as its agent and its condition, then by task.
 * @param {Row[]} rows @param {(row: Row) => string} outer @param {(row: Row) => string} inner
 * @returns {Map<string, Map<string, Map<string, Played>>>}
 */
function playedBy(rows, outer, inner) {
  /** @type {Map<string, Map<string, Map<string, Played>>>} */
  const found = new Map();
  for (const row of rows) {
    if (!isScored(row)) continue;
    const sides = found.get(outer(row)) || new Map();
    found.set(outer(row), sides);
    const tasks = sides.get(inner(row)) || new Map();
    sides.set(inner(row), tasks);
    const own = tasks.get(row.task) || { right: 0, of: 0, rows: [] };
    tasks.set(row.task, own);
    own.of += 1;
    own.right += row.verdict === "correct" ? 1 : 0;
    own.rows.push(row);
  }
  return found;
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
  const agents = playedBy(rows, (row) => JSON.stringify([row.run, row.agent]), (row) => row.condition);
  for (const [player, conditions] of agents) {
    const [number, agent] = JSON.parse(player);
    const run = runs.runs.find((one) => one.run === number);
    if (!run) continue;
    const known = run.conditions.filter((one) => conditions.has(one.name));
    for (const [n, a] of known.entries()) {
      for (const b of known.slice(n + 1)) {
        const [first, second] = asks(a) > asks(b) ? [b, a] : [a, b];
        const shifts = shiftsOf(conditions.get(first.name), conditions.get(second.name));
        const asking = asks(first) !== asks(second) && first.prompt === second.prompt;
        const put = [...(conditions.get(second.name)?.values() || [])].flatMap((played) => played.rows);
        const questions = put.reduce((sum, row) => sum + row.questions, 0);
        if (shifts.tasks) {
          found.push({ agent, run, first: first.name, second: second.name, asking, questions, ...shifts });
        }
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
  /** @type {Record<string, number>} */
  const alike = {};
  for (const { first, second } of both) {
    const end = endOf(shareOf(first));
    if (shareOf(first) === shareOf(second)) alike[end] = (alike[end] || 0) + 1;
  }
  return {
    tasks: both.length,
    alike,
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

/** @param {{ of: Shift, word: string, good: boolean, sides: string[] }} props */
function ShiftLine({ of, word, good, sides }) {
  const [first, second] = shownBy(of).map((row) => ({ run: row.run, key: row.key }));
  const to = trialRoute(readRoute(""), first, { page: "pair", second, from: "compare" });
  return html`<li><span class=${`part part-${good ? "given" : "doubt"}`}>${word}</span>
    ${" "}<${Link} to=${to} label=${`${of.task}: two trials side by side`}>${of.task}</${Link}>
    <span class="quiet"> right: ${sides[0]} ${count(of.first.right)} of ${count(of.first.of)}, ${sides[1]}
      ${` ${count(of.second.right)} of ${count(of.second.of)}`}</span>
    <${RequestLine} row=${of.first.rows[0]} /></li>`;
}

/**
 * The tasks that went another way, by name, each with a word for the side that it went to.
 * @typedef {{ first: string, second: string, gained: Shift[], lost: Shift[] }} Shifted
 * @param {{ one: Shifted, name: string, gained?: string, lost?: string }} props
 */
function Shifts({ one, name, gained = "gained", lost = "lost" }) {
  const all = [...one.gained, ...one.lost];
  const title = `${name}: ${counted(all.length, "task")} by name`;
  return html`<${Fold} title=${title}><ul class="plain shifts">
    ${all.slice(0, NAMED).map((shift, n) => html`<${ShiftLine} key=${shift.task} of=${shift}
      sides=${[one.first, one.second]} word=${n < one.gained.length ? gained : lost}
      good=${n < one.gained.length || lost !== "lost"} />`)}
    ${all.length > NAMED && html`<li class="quiet">${count(all.length - NAMED)} more: the numbers above lead to them.
      </li>`}</ul></${Fold}>`;
}

/** Of more pairs the tasks are folded into one line, and the rows by run. */
const UNFOLDED = 20;

/**
 * Of each pair of a table the tasks that went another way, where there are such.
 * @param {{ of: any[], shown: (one: any) => any }} props
 */
function AllShifts({ of, shown }) {
  const shifted = of.filter((one) => one.gained.length + one.lost.length);
  const all = shifted.map(shown);
  if (shifted.length <= UNFOLDED) return all;
  return html`<${Fold} title=${`Tasks by name, of ${counted(shifted.length, "pair")}`}>${all}</${Fold}>`;
}

/**
 * A table of pairs; where they are many, one for each run, folded.
 * @param {{ of: any[], name: string, runOf: (one: any) => string, shown: (of: any[], name: string) => any }} props
 */
function ByRun({ of, name, runOf, shown }) {
  const printing = usePrinting();
  const runs = [...new Set(of.map(runOf))];
  if (of.length <= UNFOLDED || runs.length < 2) return shown(of, name);
  return html`<${FoldsOf} part=${name}>${runs.map((run) => {
    const own = of.filter((one) => runOf(one) === run);
    return html`<${Fold} key=${run} title=${`${run}: ${counted(own.length, "pair")}`}
      kept=${printing}>${shown(own, `${name}, ${run}`)}</${Fold}>`;
  })}</${FoldsOf}>`;
}

/**
 * Two agents under a condition, with the tasks that the second did better or worse than the first, whose run is named.
 * @typedef {{ condition: string, run: string, first: string, second: string }} AgentSides
 * @typedef {AgentSides & ReturnType<typeof shiftsOf>} AgentPair
 */

/**
 * Pairs of agents under each condition that both played, and how many there are in all.
 * @param {Row[]} rows @param {boolean} several @returns {{ pairs: AgentPair[], all: number }}
 */
function agentPairs(rows, several) {
  const played = playedBy(rows, (row) => row.condition, (row) => playerOf(row, several));
  const { pairs, all } = mostShared(rows, several);
  return {
    all,
    pairs: pairs.map(({ alike, first, second }) => {
      const players = played.get(alike);
      const run = [...(players?.get(first)?.values() || [])][0]?.rows[0].run_label || "";
      return { condition: alike, run, first, second, ...shiftsOf(players?.get(first), players?.get(second)) };
    }),
  };
}

/** Columns of tasks on which both sides were as good, and what both were; the last only where there are such. */
const ALIKE = [["Both right", "right"], ["Both failed", "failed"], ["Both in part", "right in part"]];

/** @param {ReturnType<typeof shiftsOf>[]} pairs */
function alikeOf(pairs) {
  return ALIKE.filter(([, end]) => end !== "right in part" || pairs.some((one) => one.alike[end]));
}

/**
 * A number of tasks that leads to their trials; `head` is what its column is called.
 * @param {{ head: string, of: number, to: Record<string, any> }} props
 */
function TaskCount({ head, of, to }) {
  return html`<td class="number" data-head=${head}>${of ? html`<${Link} class="exact"
    label=${`${counted(of, "task")}: their trials`}
    to=${filteredRoute(to)}>${count(of)}</${Link}>` : "0"}</td>`;
}

/** @param {{ pairs: AgentPair[], all: number, named: Named }} props */
function AgentPairs({ pairs, all, named }) {
  if (!pairs.length) return null;
  const alike = alikeOf(pairs);
  const heads = ["Tasks", "First more often right", "Second more often right", ...alike.map(([name]) => name)];
  const id = (/** @type {AgentPair} */ one) => `${one.condition} ${one.first} ${one.second}`;
  const table = (/** @type {AgentPair[]} */ of, /** @type {string} */ title) => html`
    <div class="scroll" tabindex="0" role="region" aria-label=${title}>
      <table class="plain-table stacks"><thead><tr>
      ${["First", "Second", "Condition"].map((name) => html`<th scope="col" key=${name}>${name}</th>`)}
      ${heads.map((name) => html`<th scope="col" class="number" key=${name}>${name}</th>`)}</tr></thead>
    <tbody>${of.map(
      ({ condition, first, second, ...one }) => html`<tr key=${`${condition} ${first} ${second}`}>
      <th scope="row" data-head="First">${named(first)}</th><td data-head="Second">${named(second)}</td>
      <td data-head="Condition">${condition}</td><td class="number" data-head=${heads[0]}>${count(one.tasks)}</td>
      <${TaskCount} head=${`${named(first)} more often right`} of=${one.lost.length}
        to=${{ condition, decided: decidedFor(first, second) }} />
      <${TaskCount} head=${`${named(second)} more often right`} of=${one.gained.length}
        to=${{ condition, decided: decidedFor(second, first) }} />
      ${alike.map(([name, end]) => html`<${TaskCount} key=${end} head=${name} of=${one.alike[end] || 0}
        to=${{ condition, agreed: agreedBy(first, second, end) }} />`)}</tr>`,
    )}</tbody></table></div>`;
  return html`<section class="panel" aria-labelledby="pairs-title"><h2 id="pairs-title">Agents, two by two</h2>
    <${ByRun} of=${pairs} name="Agents, two by two" runOf=${(/** @type {AgentPair} */ one) => one.run}
      shown=${table} />
    <p class="quiet">Tasks that both played under the same condition, by which of the two was right in more of its
      trials. A number leads to the trials of both on those tasks, a task to two of them side by side.
      ${pairs.length < all && ` Of ${count(all)} pairs that share tasks, these are ${count(pairs.length)}: under each
        condition those that share most, and all that the tables of several runs lead to.`}
      </p>
    <${AllShifts} of=${pairs} shown=${(/** @type {AgentPair} */ one) => html`<${Shifts} key=${id(one)} one=${one}
      name=${`${named(one.first)} and ${named(one.second)}, ${one.condition}`} gained=${named(one.second)}
      lost=${named(one.first)} />`} /></section>`;
}

/**
 * @typedef {{ pairs: ConditionPair[], several: boolean, named: Named }} ConditionsShown
 * @param {ConditionsShown & { title: string, heads: string[], children: any }} props
 */
function ConditionTable({ pairs, several, named, title, heads, children }) {
  const alike = alikeOf(pairs);
  const sides = (/** @type {ConditionPair} */ one) => ({
    ...(several ? { run: one.run.name } : {}),
    agent: one.agent,
    condition: [one.first, one.second],
  });
  const nameOf = (/** @type {ConditionPair} */ one) =>
    named(several ? `${one.run.label}: ${one.agent}` : one.agent);
  const id = (/** @type {ConditionPair} */ one) => `${one.run.run} ${one.agent} ${one.first} ${one.second}`;
  const table = (/** @type {ConditionPair[]} */ of, /** @type {string} */ name) => html`
    <div class="scroll" tabindex="0" role="region" aria-label=${name}><table class="plain-table stacks"><thead><tr>
      ${[...heads, ...alike.map(([name]) => name)].map((name, n) => html`<th scope="col" key=${name}
        class=${n > 2 ? "number" : ""}>${name}</th>`)}
      </tr></thead>
    <tbody>${of.map((one) => html`<tr key=${id(one)}>
      <th scope="row">${nameOf(one)}</th><td data-head=${heads[1]}>${one.first}</td>
      <td data-head=${heads[2]}>${one.second}</td><td class="number" data-head=${heads[3]}>${count(one.tasks)}</td>
      <${TaskCount} head=${heads[4]} of=${one.gained.length}
        to=${{ ...sides(one), shifted: decidedFor(one.second, one.first) }} />
      <${TaskCount} head=${heads[5]} of=${one.lost.length}
        to=${{ ...sides(one), shifted: decidedFor(one.first, one.second) }} />
      ${alike.map(([name, end]) => html`<${TaskCount} key=${end} head=${name} of=${one.alike[end] || 0}
        to=${{ ...sides(one), kept: agreedBy(one.first, one.second, end) }} />`)}</tr>`)}</tbody></table></div>`;
  return html`<section class="panel" aria-label=${title}><h2>${title}</h2>
    <${ByRun} of=${pairs} name=${title} runOf=${(/** @type {ConditionPair} */ one) => one.run.label} shown=${table} />
    ${children}
    <${AllShifts} of=${pairs} shown=${(/** @type {ConditionPair} */ one) => html`<${Shifts} key=${id(one)} one=${one}
      name=${`${nameOf(one)}, ${one.first} to ${one.second}`} />`} /></section>`;
}

/** @param {ConditionsShown} props */
function ConditionPairs({ pairs, several, named }) {
  const asking = pairs.filter((one) => one.asking);
  const others = pairs.filter((one) => !one.asking);
  /** @type {(one: ConditionPair) => string} */
  const player = (one) => named(several ? `${one.run.label}: ${one.agent}` : one.agent);
  const spoke = new Set(asking.filter((one) => one.questions).map(player));
  const silent = [...new Set(asking.map(player))].filter((name) => !spoke.has(name));
  return html`${asking.length > 0 && html`<${ConditionTable} pairs=${asking} several=${several} named=${named}
      title="Who gains by asking"
      heads=${["Agent", "Without a user", "With one", "Tasks", "Gained by asking", "Lost by asking"]}>
      <p class="quiet">Tasks that an agent played from the same request without a user and
        with one: gained where it was right in more of its trials with one. A number leads to the trials of both, a
        task to two of them side by side.</p>
      ${silent.length > 0 && html`<p>${joined(silent)} asked nothing although there was a user: no
        answer is behind what differs.</p>`}</${ConditionTable}>`}
    ${others.length > 0 && html`<${ConditionTable} pairs=${others} several=${several} named=${named}
      title=${`${asking.length ? "Other conditions" : "Conditions"}, two by two`}
      heads=${["Agent", "First", "Second", "Tasks", "Gained under the second", "Lost under it"]}>
      <p class="quiet">Tasks that an agent played under both conditions: gained where it was
        right in more of its trials under the second. A number leads to the trials of both, a task to two of them side
        by side.</p></${ConditionTable}>`}`;
}

/** What stands side by side. @param {Runs} runs @returns {string} */
function comparedOf(runs) {
  if (runs.runs.length > 1) return "runs";
  return runs.runs.some((run) => run.agents.length > 1) ? "agents" : "conditions";
}

/**
 * A name as it is shown: on a narrow screen without its run.
 * @typedef {(player: string) => string} Named
 */

/**
 * Of who played, the agent's name alone, where no two runs have an agent of that name.
 * @param {Row[]} rows @param {boolean} several @returns {Map<string, string>}
 */
function namesAlone(rows, several) {
  const players = new Map(rows.map((row) => [playerOf(row, several), row.agent]));
  const unique = new Set(players.values()).size === players.size;
  return unique ? players : new Map();
}

/** @param {{ runs: Runs, store: Store }} props */
function ComparePage({ runs, store }) {
  const several = runs.runs.length > 1;
  const what = headed(comparedOf(runs));
  const { value, error } = useLoaded(
    () => (several ? load("compare") : Promise.resolve({ tables: [], problem: "" })),
    runs.runs.map((run) => run.identity),
  );
  const agents = useMemo(() => agentPairs(store.rows, several), [store.version]);
  const conditions = useMemo(() => conditionPairs(store.rows, runs), [store.version]);
  const short = useMemo(() => namesAlone(store.rows, several), [store.version]);
  const narrow = useMedia(NARROW);
  /** @type {Named} */
  const named = (player) => (narrow && short.get(player)) || player;
  useEffect(() => {
    document.title = `${what} compared`;
  }, [what]);
  return html`<div class="report-page"><header class="report-head">
    <h1>${what} side by side</h1><p class="quiet">
    ${runs.runs.map((run) => run.label).join(", ")}</p></header>
    <${AgentPairs} ...${agents} named=${named} />
    <${ConditionPairs} pairs=${conditions} several=${several} named=${named} />
    ${!several && !agents.all && !conditions.length && html`<p class="empty">There are no two agents or conditions
      of this run that were scored on the same task.</p>`}
    ${error ? html`<${Failure} text=${error} />` : value ? html`${value.problem && html`<p class="notice warn">
      ${sentence(value.problem)}</p>`}<${Tables} tables=${value.tables}
      run=${null} />` : html`<p class="quiet">Comparing…</p>`}</div>`;
}
