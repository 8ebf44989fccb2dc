// @ts-check
"use strict";
// What agents asked in all runs: a row a question, with its answer and what became of it.

/** Questions that are shown before one asks for more. */
const QUESTIONS = 200;

/** @typedef {Question & { row: Row }} AskedQuestion */

/** What became of a question, in words. @param {string} kind */
function becameOf(kind) {
  return BECAME[kind] || PARTS[kind] || kind.replaceAll("_", " ");
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

/** What the boxes leave. @param {AskedQuestion[]} all @param {Route} route */
function questionsLeft(all, route) {
  const wanted = { became: route.filters.get("became") || [], verdict: route.filters.get("verdict") || [] };
  const words = folded(route.quick).split(/\s+/).filter(Boolean);
  return all.filter((one) => {
    if (wanted.became.length && !one.became.some((kind) => wanted.became.includes(kind))) return false;
    if (wanted.verdict.length && !wanted.verdict.includes(one.row.verdict)) return false;
    const text = folded(`${plain(one.question)}\n${plain(one.answer)}\n${one.row.task}\n${one.row.agent}`);
    return words.every((word) => text.includes(word));
  });
}

/** @param {{ name: string, of: AskedQuestion[], values: (one: AskedQuestion) => string[], route: Route }} props */
function QuestionChoices({ name, of, values, route }) {
  const counts = new Map((name === "became" ? ["not_understood", "asked_twice"] : []).map((value) => [value, 0]));
  for (const one of of) for (const value of values(one)) counts.set(value, (counts.get(value) || 0) + 1);
  const chosen = route.filters.get(name) || [];
  return html`<fieldset class="choices"><legend>${name === "became" ? "What became of it" : "Verdict of the trial"}
    </legend>${[...counts].sort((a, b) => b[1] - a[1]).map(([value, number]) => html`<label key=${value}>
      <input type="checkbox" checked=${chosen.includes(value)} onChange=${() => go(toggled(route, name, value))} />
      ${name === "became" ? becameOf(value) : value} <span class="count">${count(number)}</span></label>`)}</fieldset>`;
}

/** @param {{ one: AskedQuestion, route: Route }} props */
function QuestionRow({ one, route }) {
  const { row } = one;
  const to = trialRoute(route, { run: row.run, key: row.key }, { at: one.at, from: "questions" });
  return html`<tr><td><${Link} to=${to}><${Prose} of=${one.question} lines=${8} /></${Link}></td>
    <td><${Prose} of=${one.answer} lines=${8} /></td>
    <td>${one.became.map((kind) => html`<span key=${kind}
      class="part part-${Object.hasOwn(PARTS, kind) || kind === "asked_twice" ? kind : "other"}">${becameOf(kind)}
      </span> `)}</td>
    <td><${Verdict} of=${row.verdict} /></td>
    <td><span>${row.agent}</span><br />
      <span class="quiet">${row.task}<br />${row.condition}, trial ${row.trial}</span></td></tr>`;
}

/** @param {{ store: Store, route: Route }} props */
function QuestionsPage({ store, route }) {
  const { value: all, error } = useLoaded(() => loadQuestions(store), [store.version]);
  const [most, setMost] = useState(QUESTIONS);
  useEffect(() => {
    document.title = "Questions";
  }, []);
  const left = useMemo(() => (all ? questionsLeft(all, route) : []), [all, route]);
  const head = html`<header class="report-head"><h1>Questions and answers</h1><p class="quiet">
    Every question that an agent put to the user, with what the answer did about it. A question leads to its place.</p>
  </header>`;
  if (error) return html`<div class="report-page">${head}<${Failure} text=${error} /></div>`;
  if (!all) return html`<div class="report-page">${head}<p class="quiet">Reading the questions…</p></div>`;
  if (!all.length)
    return html`<div class="report-page">${head}<p class="empty">No agent of these runs asked anything.</p></div>`;
  return html`<div class="report-page">${head}
    <div class="question-filters">
      <label class="box"><span>Filter</span><input class="field" type="search" value=${route.quick}
        placeholder="question, answer, task…" autocomplete="off" onKeyDown=${leave}
        onInput=${(/** @type {any} */ event) => go({ ...route, quick: event.target.value }, true)} /></label>
      <${QuestionChoices} name="became" of=${all} values=${(/** @type {AskedQuestion} */ one) => one.became}
        route=${route} />
      <${QuestionChoices} name="verdict" of=${all} values=${(/** @type {AskedQuestion} */ one) => [one.row.verdict]}
        route=${route} />
    </div>
    <p class="quiet" role="status">${counted(left.length, "question")}
      ${left.length < all.length ? ` of ${count(all.length)}` : ""}</p>
    ${
      left.length
        ? html`<div class="panel"><div class="scroll" tabindex="0" role="region" aria-label="Questions">
      <table class="plain-table questions"><thead><tr><th scope="col">Question</th><th scope="col">Answer</th>
        <th scope="col">Became</th><th scope="col">Verdict</th><th scope="col">Trial</th></tr></thead>
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
