// @ts-check
"use strict";
// What agents asked in all runs: a row a question, with its answer, what that did, and what may have gone wrong.

/** Questions that are shown before one asks for more. */
const QUESTIONS = 200;

/** The choice that unites all signs of a misunderstanding. */
const ANY = "any";

/** @typedef {Question & { row: Row }} AskedQuestion */

/**
 * What questions are filtered by: within a group one of the ticked choices is enough, and every group has to pass.
 * @typedef {object} Group
 * @property {string} name
 * @property {string} title
 * @property {string[]} always choices that are offered also where they are 0
 * @property {(one: AskedQuestion) => string[]} of
 * @property {(value: string) => string} say
 */

/** @type {Group[]} */
const QUESTION_GROUPS = [
  {
    name: "doubt",
    title: "Possible misunderstanding",
    always: [ANY, "not_understood", "asked_twice"],
    of: (one) => (one.doubts.length ? [ANY, ...one.doubts.map((doubt) => doubt.kind)] : []),
    say: (value) => (value === ANY ? "any sign of one" : doubtName(value)),
  },
  {
    name: "became",
    title: "What the answer did",
    always: [],
    of: (one) => one.became,
    say: becameOf,
  },
  {
    name: "verdict",
    title: "Verdict of the trial",
    always: [],
    of: (one) => [one.row.verdict],
    say: (value) => value,
  },
  { name: "agent", title: "Agent", always: [], of: (one) => [one.row.agent], say: (value) => value },
  {
    name: "run",
    title: "Run",
    always: [],
    of: (one) => [nameOfRun(one.row.run)],
    say: (value) => labelOfRun(runNamed(value) ?? -1) || value,
  },
];

/** What an answer did, in words. @param {string} kind */
function becameOf(kind) {
  return BECAME[kind] || PARTS[kind] || kind.replaceAll("_", " ");
}

/** @param {string} kind */
function doubtName(kind) {
  return Object.hasOwn(DOUBTS, kind) ? DOUBTS[kind][0] : kind.replaceAll("_", " ");
}

/** @param {string} kind */
function doubtMeans(kind) {
  return Object.hasOwn(DOUBTS, kind) ? DOUBTS[kind][1] : "";
}

/** @param {Store} store @returns {Promise<AskedQuestion[]>} */
async function loadQuestions(store) {
  const rows = new Map(store.rows.map((row) => [rowId(row), row]));
  const all = await Promise.all(store.runs.runs.map((run) => load(`questions-${run.run}`)));
  return all.flatMap((each, n) =>
    each.questions.flatMap((/** @type {Question} */ one) => {
      const row = rows.get(`${store.runs.runs[n].run}.${one.key}`);
      return row ? [{ ...one, row }] : [];
    }),
  );
}

/**
 * The questions that pass all groups, those that may be misunderstood first; and of each group all choices that these
 * runs have, counted over the questions that pass the other groups.
 * @param {AskedQuestion[]} all @param {Route} route
 * @returns {{ left: AskedQuestion[], counts: Map<string, number>[] }}
 */
function questionsLeft(all, route) {
  const wanted = QUESTION_GROUPS.map((group) => route.filters.get(group.name) || []);
  const words = folded(route.quick).split(/\s+/).filter(Boolean);
  const counts = QUESTION_GROUPS.map((group, n) => {
    /** @type {Map<string, number>} */
    const every = new Map([...group.always, ...wanted[n]].map((value) => [value, 0]));
    for (const value of all.flatMap(group.of)) every.set(value, (every.get(value) || 0) + 1);
    // In an order that no tick changes, so that nothing moves under the pointer.
    return new Map([...every].sort((a, b) => b[1] - a[1]).map(([value]) => [value, 0]));
  });
  /** @type {AskedQuestion[]} */
  const left = [];
  for (const one of all) {
    if (words.length) {
      const { task, request, agent } = one.row;
      const text = folded([plain(one.question), plain(one.answer), task, request, agent].join("\n"));
      if (!words.every((word) => text.includes(word))) continue;
    }
    const values = QUESTION_GROUPS.map((group) => group.of(one));
    const refused = values.flatMap((own, n) =>
      wanted[n].length && !own.some((value) => wanted[n].includes(value)) ? [n] : [],
    );
    if (!refused.length) left.push(one);
    values.forEach((own, n) => {
      if (refused.some((each) => each !== n)) return;
      for (const value of new Set(own)) counts[n].set(value, (counts[n].get(value) || 0) + 1);
    });
  }
  left.sort((a, b) => strongest(a.doubts) - strongest(b.doubts));
  return { left, counts };
}

/** The route to a question's place. @param {Route} route @param {AskedQuestion} one */
function questionRoute(route, one) {
  return trialRoute(route, { run: one.row.run, key: one.row.key }, { at: one.at, from: "questions" });
}

/**
 * The questions before and after the one that a trial was opened at, in the order of the filtered page.
 * @param {Store} store @param {Route} route @returns {Walk | null}
 */
function useQuestionWalk(store, route) {
  const asked = route.from === "questions" && store.rows.length > 0;
  const { value } = useLoaded(() => (asked ? loadQuestions(store) : Promise.resolve(null)), [asked, store.version]);
  const filters = writeRoute({ ...route, at: null, step: null, first: null });
  const left = useMemo(() => (value ? questionsLeft(value, route).left : null), [value, filters]);
  const last = useRef("");
  if (!left || !route.first) return null;
  const { run, key } = route.first;
  const found = left.findIndex((one) => one.row.run === run && one.row.key === key && one.at === route.at);
  if (found >= 0) last.current = `${run}.${key} ${left[found].at}`;
  // Whoever looks around in the trial goes on from the question by which it was opened.
  const at = found >= 0 ? found : left.findIndex((one) => `${rowId(one.row)} ${one.at}` === last.current);
  return {
    noun: "question",
    at,
    of: left.length,
    before: at > 0 ? questionRoute(route, left[at - 1]) : null,
    after: at >= 0 && at + 1 < left.length ? questionRoute(route, left[at + 1]) : null,
  };
}

/** @param {{ group: Group, counts: Map<string, number>, route: Route }} props */
function QuestionChoices({ group, counts, route }) {
  const chosen = route.filters.get(group.name) || [];
  return html`<fieldset class="choices"><legend>${group.title}</legend><div>${[...counts].map(
    ([value, number]) => html`<label key=${value} class=${number ? "" : "none"} title=${doubtMeans(value)}>
      <input type="checkbox" checked=${chosen.includes(value)}
        onChange=${() => go(toggled(route, group.name, value))} />
      <span>${group.say(value)} <span class="count">${count(number)}</span></span></label>`,
  )}</div></fieldset>`;
}

/** The same signs, the strongest first: in the order of `DOUBTS`. @param {Doubt[]} signs */
function byStrength(signs) {
  return [...signs].sort((a, b) => strength(a) - strength(b));
}

/** The place of a sign among all, the strongest 0. @param {Doubt} sign */
function strength({ kind }) {
  const order = Object.keys(DOUBTS);
  return order.includes(kind) ? order.indexOf(kind) : order.length;
}

/** The place of the strongest of some; behind all others where there is none. @param {Doubt[]} signs */
function strongest(signs) {
  return signs.length ? Math.min(...signs.map(strength)) : Number.MAX_SAFE_INTEGER;
}

/** Why the user may have misunderstood a question. @param {{ of: Doubt[], told?: boolean }} props */
function Doubts({ of, told }) {
  return html`<ul class="doubts">${of.map((one) => html`<li key=${one.kind}>
    <span class="part part-doubt" title=${doubtMeans(one.kind)}>${doubtName(one.kind)}</span>
    ${one.about.map((name) => html` <code key=${name}>${name}</code>`)}
    ${told && html` <span class="quiet">${doubtMeans(one.kind)}</span>`}</li>`)}</ul>`;
}

/** The strongest sign of a question, with the others folded behind it. @param {{ of: Doubt[] }} props */
function StrongestDoubt({ of }) {
  const [first, ...rest] = byStrength(of);
  if (!first) return null;
  return html`<${Doubts} of=${[first]} />${rest.length > 0 && html`<${Fold}
    title=${`and ${counted(rest.length, "more sign")}`}><${Doubts} of=${rest} /></${Fold}>`}`;
}

/** @param {{ one: AskedQuestion, route: Route }} props */
function QuestionRow({ one, route }) {
  const { row } = one;
  const run = labelOfRun(row.run);
  // What the strongest sign says, the answer need not say beside it.
  const [first] = byStrength(one.doubts);
  const alike = Boolean(first) && one.became.includes(first.kind);
  const became = one.became.filter((kind) => !alike || kind !== first.kind);
  const did = became.map((kind) => html`<span key=${kind} class=${partClass(kind)}>${becameOf(kind)}</span> `);
  const signs = html`<${FoldsOf} part=${`${row.key} ${one.at}`}><${StrongestDoubt} of=${one.doubts} /></${FoldsOf}>`;
  return html`<tr class=${one.doubts.length ? "doubted" : ""}><td><${Link} to=${questionRoute(route, one)}>
      <${Prose} of=${one.question} lines=${8} /></${Link}></td>
    <td><${Prose} of=${one.answer} lines=${8} /></td>
    ${alike ? html`<td colspan="2">${did}${signs}</td>` : html`<td>${did}</td><td>${signs}</td>`}
    <td><${Verdict} of=${row.verdict} /> <span>${row.agent}</span><br />
      <span class="quiet">${row.task}<br />
      <${RequestLine} row=${row} />
      ${row.condition}, trial ${row.trial}${run && html`<br />${run}`}</span></td></tr>`;
}

/** @param {{ store: Store, route: Route }} props */
function QuestionsPage({ store, route }) {
  const { value: all, error } = useLoaded(() => loadQuestions(store), [store.version]);
  const [most, setMost] = useState(QUESTIONS);
  useEffect(() => {
    document.title = "Questions";
  }, []);
  const { left, counts } = useMemo(
    () => (all ? questionsLeft(all, route) : { left: [], counts: [] }),
    [all, route],
  );
  const head = html`<header class="report-head"><h1>Questions and answers</h1><p class="quiet">
    What agents asked the user. Questions that the user may have misunderstood come first;
    ${" "}a <${Term} of="sign">sign</${Term}> of it is no proof, so read both question and answer. Click a question to
    see it in its trial.</p>
  </header>`;
  if (error) return html`<div class="report-page">${head}<${Failure} text=${error} /></div>`;
  if (!all) return html`<div class="report-page">${head}<p class="quiet">Reading the questions…</p></div>`;
  if (!all.length)
    return html`<div class="report-page">${head}<p class="empty">No agent of these runs asked anything.</p></div>`;
  const doubted = left.filter((one) => one.doubts.length).length;
  return html`<div class="report-page">${head}
    <${UnknownFilters} route=${route} known=${QUESTION_GROUPS.map((group) => group.name)} />
    <div class="question-filters">
      <label class="box"><span>Filter</span><input class="field" type="search" value=${route.quick}
        placeholder="question, answer, task…" autocomplete="off" onKeyDown=${leave}
        onInput=${(/** @type {any} */ event) => go({ ...route, quick: event.target.value }, true)} /></label>
      ${QUESTION_GROUPS.map((group, n) => {
        const useful = group.always.length || counts[n].size > 1 || route.filters.has(group.name);
        return useful && html`<${QuestionChoices} key=${group.name} group=${group} counts=${counts[n]}
          route=${route} />`;
      })}
    </div>
    <p class="quiet" role="status">${counted(left.length, "question")}
      ${left.length < all.length ? ` of ${count(all.length)}` : ""}${`, ${count(doubted)} possibly misunderstood`}</p>
    ${
      left.length
        ? html`<div class="panel"><div class="scroll" tabindex="0" role="region" aria-label="Questions">
      <table class="plain-table questions"><thead><tr><th scope="col">Question</th><th scope="col">Answer</th>
        <th scope="col">What the answer did</th><th scope="col">Possible misunderstanding</th>
        <th scope="col">Trial</th></tr></thead>
      <tbody>${left.slice(0, most).map((one) => html`<${QuestionRow} key=${`${rowId(one.row)} ${one.at}`}
        one=${one} route=${route} />`)}
      </tbody></table></div>
      ${left.length > most && html`<button class="button" onClick=${() => setMost(most + 500)}>
        ${count(left.length - most)} more</button>`}</div>`
        : html`<p class="empty">No question passes these filters.
      <button class="more" onClick=${() => go({ ...route, filters: new Map(), quick: "" })}>Take all back</button></p>`
    }
  </div>`;
}
