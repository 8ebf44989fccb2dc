// @ts-check
"use strict";
// The report's tables: each row leads to its trials.

/** Whether a number is none, but would be rounded to it. @param {number} value */
function tiny(value) {
  return value !== 0 && Math.abs(value) < 0.0005;
}

/** Decimals that the numbers of a column need, up to three, so that they line up. @param {any[]} values */
function decimals(values) {
  const most = (/** @type {number} */ value) =>
    tiny(value) ? 3 : (String(Math.round(value * 1000) / 1000).split(".")[1] || "").length;
  return Math.max(0, ...values.filter((value) => typeof value === "number").map(most));
}

/** @param {any} value @param {number} places */
function cellText(value, places) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number" && tiny(value)) return value > 0 ? "< 0.001" : "> -0.001";
  if (typeof value === "number") return places ? value.toFixed(places) : count(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** @param {Record<string, any>} links @param {number | null} run @returns {Route} */
function linkedList(links, run) {
  const own = run === null || "run" in links ? links : { run, ...links };
  return filteredRoute(own);
}

/** @param {{ table: Table, run: number | null, id: string }} props */
function ReportTable({ table, run, id }) {
  const places = table.columns.map((column) => decimals(table.rows.map((row) => row[column])));
  const body = html`
    ${
      table.rows.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label=${table.title}><table class="plain-table">
      <thead><tr>${table.columns.map((column, n) => html`<th key=${n} scope="col"
      class=${table.numeric[n] ? "number" : ""}>${meaningOf(column) ? html`<abbr class="term"
      title=${meaningOf(column)}>${column}</abbr>` : column}</th>`)}</tr></thead>
      <tbody>${table.rows.map((row, at) => {
        const whole = table.links?.[at];
        return html`<tr key=${at}>${table.columns.map((column, n) => {
          const text = cellText(row[column], places[n]);
          const narrow = table.cells?.[at]?.[column];
          const links = narrow || whole;
          const inner = links
            ? html`<${Link} to=${linkedList(links, run)} tabindex=${n && !narrow ? -1 : undefined}
              class=${narrow ? "exact" : undefined} label=${n ? `${column} ${text}: its trials` : undefined}
              title=${narrow ? `The trials that "${column}" counts` : undefined}>${text || "–"}</${Link}>`
            : text;
          return n
            ? html`<td key=${n} class=${table.numeric[n] ? "number" : ""}>${inner}</td>`
            : html`<th key=${n} scope="row">${inner}</th>`;
        })}</tr>`;
      })}</tbody></table></div>`
    }
    ${table.notes.map((note) => html`<p class="quiet"><${Ticked} of=${note} /></p>`)}`;
  const plots = html`<div class="plots">${table.plots.map((plot) => html`<figure key=${plot.name}>
    <img src=${`data:image/svg+xml,${encodeURIComponent(plot.svg)}`} alt=${`Plot: ${plot.name.replaceAll("_", " ")}`}
    loading="lazy" /><figcaption>${plot.name.replaceAll("_", " ")}</figcaption></figure>`)}</div>`;
  if (table.folded)
    return html`<section class="panel" id=${id}><${Fold} title=${html`<h2>${table.title}</h2>`}>${body}</${Fold}>
      ${plots}</section>`;
  return html`<section class="panel" id=${id} aria-labelledby=${`${id}-title`}><h2 id=${`${id}-title`}>${table.title}
    </h2>${body}${plots}</section>`;
}

/** @param {{ tables: Table[], run: number | null }} props */
function Tables({ tables, run }) {
  let part = "";
  return tables.map((table, n) => {
    const begins = (table.part || "") !== part && table.part;
    part = table.part || "";
    return html`${begins && html`<h2 class="report-part" key=${`p${n}`}>${begins}</h2>`}
      <${ReportTable} key=${n} table=${table} run=${run} id=${`table-${n}`} />`;
  });
}

/** @param {{ route: Route, runs: Runs }} props */
function ReportPage({ route, runs }) {
  const run = runs.runs.find((one) => one.run === route.run) || runs.runs[0];
  const { value, error } = useLoaded(
    () => (run ? load(`report-${run.run}`) : Promise.reject(new Error("There is no run."))),
    [run?.run],
  );
  useEffect(() => {
    document.title = `Report: ${run?.label || ""}`;
  }, [run]);
  /** @param {any} event */
  const chosen = (event) => go({ ...readRoute(""), page: "report", run: Number(event.target.value) });
  return html`<div class="report-page">
    <header class="report-head"><h1>${value?.heading || run?.heading || "Report"}</h1>
      ${
        runs.runs.length > 1 &&
        html`<label>Run <select class="field small" value=${String(run?.run)}
          onChange=${chosen}>
        ${runs.runs.map((one) => html`<option key=${one.run} value=${String(one.run)}>
          ${one.label} (${one.identity})</option>`)}</select></label>`
      }
      <p class="quiet">Rows lead to their trials, underlined numbers to those that they count.
        Accuracy: ${MEANS.accuracy.toLowerCase()}
        ${` Side effects: ${MEANS.side_effects.toLowerCase()}`}</p>
      ${run?.changed && html`<p class="notice warn">There are no tables. ${sentence(run.changed)}</p>`}
      ${run?.calibration && html`<p class="notice">Calibration: ${MEANS.calibration}</p>`}</header>
    ${error ? html`<${Failure} text=${error} />` : value ? html`${!value.tables.length && !run.changed && html`<p
      class="empty">There is nothing to make a table of yet.</p>`}
      <${Tables} tables=${value.tables} run=${run.run} />` : html`<p class="quiet">Making the tables…</p>`}
  </div>`;
}

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
  const found = [];
  for (const [condition, players] of conditions) {
    const names = [...players.keys()];
    for (let n = 0; n < names.length; n += 1) {
      for (const second of names.slice(n + 1)) {
        const [a, b] = [players.get(names[n]), players.get(second)];
        const apart = [...(a || [])].flatMap(([task, one]) => {
          const other = b?.get(task);
          return other ? [Math.sign(one.right / one.of - other.right / other.of)] : [];
        });
        const won = apart.filter((one) => one > 0).length;
        const lost = apart.filter((one) => one < 0).length;
        if (apart.length) found.push({ condition, first: names[n], second, tasks: apart.length, won, lost });
      }
    }
  }
  return found;
}

/** @param {{ store: Store }} props */
function AgentPairs({ store }) {
  const several = store.runs.runs.length > 1;
  const pairs = useMemo(() => agentPairs(store.rows, several), [store.version]);
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
      trials. A number leads to the trials of both on those tasks.</p></section>`;
}

/** @param {{ runs: Runs, store: Store }} props */
function ComparePage({ runs, store }) {
  const several = runs.runs.length > 1;
  const { value, error } = useLoaded(
    () => (several ? load("compare") : Promise.resolve({ tables: [], problem: "" })),
    [runs.runs.length],
  );
  useEffect(() => {
    document.title = several ? "Runs compared" : "Agents compared";
  }, []);
  return html`<div class="report-page"><header class="report-head">
    <h1>${several ? "Runs side by side" : "Agents side by side"}</h1><p class="quiet">
    ${runs.runs.map((run) => run.label).join(", ")}</p></header>
    <${AgentPairs} store=${store} />
    ${!several && !agentPairs(store.rows, several).length && html`<p class="empty">There are no two agents of this run
      that were scored on the same task under the same condition.</p>`}
    ${error ? html`<${Failure} text=${error} />` : value ? html`${value.problem && html`<p class="notice warn">
      ${sentence(value.problem)}</p>`}<${Tables} tables=${value.tables}
      run=${null} />` : html`<p class="quiet">Comparing…</p>`}</div>`;
}
