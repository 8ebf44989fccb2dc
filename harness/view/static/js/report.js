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
    tiny(value) ? 3 : (String(Number(fixed(value, 3))).split(".")[1] || "").length;
  return Math.max(0, ...values.filter((value) => typeof value === "number").map(most));
}

/**
 * A cell's text; costs below a cent have two digits.
 * @param {any} value @param {number} places @param {string} column
 */
function cellText(value, places, column) {
  if (value === null || value === undefined) return "–";
  if (value > 0 && value < 0.01 && column.endsWith("USD")) return value.toPrecision(2);
  if (typeof value === "number" && tiny(value)) return value > 0 ? "< 0.001" : "> -0.001";
  if (typeof value === "number") return places ? fixed(value, places) : count(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A cell's text, explained where the table explains that name. @param {{ table: Table, text: string }} props */
function CellWord({ table, text }) {
  const means = table.means && Object.hasOwn(table.means, text) ? table.means[text] : "";
  return means ? html`<${Explained} means=${means}>${text}</${Explained}>` : text;
}

/** @param {Record<string, any>} links @param {number | null} run @returns {Route} */
function linkedList(links, run) {
  const own = run === null || "run" in links ? links : { run: nameOfRun(run), ...links };
  return filteredRoute(own);
}

/** Tables with more columns have rows that are cards on a narrow screen. */
const STACKED = 4;

/** @param {{ table: Table, run: number | null, id: string }} props */
function ReportTable({ table, run, id }) {
  const wide = table.columns.length > STACKED;
  const printing = usePrinting();
  const places = table.columns.map((column) => decimals(table.rows.map((row) => row[column])));
  const body = html`
    ${
      table.rows.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label=${table.title}><table
      class=${classes("plain-table", wide && "stacks")}>
      <thead><tr>${table.columns.map((column, n) => html`<th key=${n} scope="col"
      class=${table.numeric[n] ? "number" : ""}>${meaningOf(column) ? html`<${Explained}
      means=${meaningOf(column)}>${column}</${Explained}>` : column}</th>`)}</tr></thead>
      <tbody>${table.rows.map((row, at) => {
        const whole = table.links?.[at];
        return html`<tr key=${at}>${table.columns.map((column, n) => {
          const text = cellText(row[column], places[n], column);
          const narrow = table.cells?.[at]?.[column];
          // In the first column, which every row is named by, 0 is a name too.
          const links = narrow || (n && row[column] === 0 ? null : whole);
          const which = narrow ? "its trials" : "all trials of the row";
          const inner = links
            ? html`<${Link} to=${linkedList(links, run)} tabindex=${n && !narrow ? -1 : undefined}
              class=${narrow ? "exact" : undefined} label=${n ? `${column} ${text}: ${which}` : undefined}
              title=${narrow ? `The trials behind "${column}"` : table.means?.[text]}>${text || "–"}</${Link}>`
            : html`<${CellWord} table=${table} text=${text} />`;
          return n
            ? html`<td key=${n} class=${table.numeric[n] ? "number" : ""} data-head=${column}>${inner}</td>`
            : html`<th key=${n} scope="row">${inner}</th>`;
        })}</tr>`;
      })}</tbody></table></div>`
    }
    ${table.notes.map((note) => html`<p class="quiet"><${Ticked} of=${note} /></p>`)}`;
  const plots = html`<div class="plots">${table.plots.map((plot) => html`<figure key=${plot.name}>
    <img src=${`data:image/svg+xml,${encodeURIComponent(plot.svg)}`} alt=${`Plot: ${plot.name.replaceAll("_", " ")}`}
    loading="lazy" /><figcaption>${plot.name.replaceAll("_", " ")}</figcaption></figure>`)}</div>`;
  if (table.folded)
    return html`<section class="panel" id=${id}><${Fold} name=${table.title} kept=${printing}
      title=${html`<h2>${table.title}</h2>`}>${body}</${Fold}>
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

/** The way to the report that was written into a run's folder, or where it lies. @param {{ run: Run }} props */
function WrittenReport({ run }) {
  if (!run.written) return html`No report lies in its folder.`;
  if (IN_FOLDER) return html`A report that was written earlier lies in its folder, as <code>report.html</code>.`;
  return html`<a href=${`written/${run.run}.html`} target="_blank" rel="noopener">The report that was written
    earlier</a> lies in its folder, with the tables of that time.`;
}

/**
 * What one can do about a run whose suite is another one by now, and what the page still has.
 * @param {{ run: Run }} props
 */
function ChangedRun({ run }) {
  return html`<div class="changed-run">
    <p>There are no tables of it here: they would judge old trials by new tasks or checks.
      ${" "}<${WrittenReport} run=${run} /></p>
    <p>For new tables, play the run again with <code>harness eval</code>, or look at it with the suite as it was.</p>
    <p>All else on this page works: the list with its filters and search, trials with their scores as they were
      recorded, questions, and comparisons of trials. Expected changes are shown for tasks that are still the same.</p>
    </div>`;
}

/**
 * At how many trials the tables of a run were made, where it has more by now or will have, or has played some again.
 * @param {{ run: Run, report: Made, there: number, again: () => void }} props
 */
function MadeAt({ run, report: { trials: made, read }, there, again }) {
  const old = made < there || read < (run.total || 0);
  if (!run.under_way && !old) return null;
  const all = Math.max(run.planned || 0, there, made);
  return html`<p class="notice live">${run.under_way ? `${run.label} is under way: these` : "These"} tables were made at
    ${` ${count(made)} of ${counted(all, "trial")}`}${
      old && made >= there && ", of which some were played again since"
    }.
    ${old && html`${" "}<button class="more" onClick=${again}>Make them again</button>`}</p>`;
}

/** @param {{ route: Route, runs: Runs, rows: Row[] }} props */
function ReportPage({ route, runs, rows }) {
  const run = runs.runs.find((one) => one.run === route.run);
  const [times, setTimes] = useState(0);
  const { value, error } = useLoaded(
    () => (run ? load(`report-${run.run}`) : Promise.resolve(null)),
    [run?.run, run?.identity, times],
  );
  const there = useMemo(() => rows.filter((row) => row.run === run?.run).length, [rows, run?.run]);
  useEffect(() => {
    document.title = `Report: ${run?.label || ""}`;
  }, [run]);
  /** @param {any} event */
  const chosen = (event) => go({ ...readRoute(""), page: "report", run: Number(event.target.value) });
  return html`<div class="report-page">
    <header class="report-head"><h1>${value?.heading || run?.heading || "Report"}</h1>
      ${
        runs.runs.length > 1 &&
        html`<label>Run <select class="field small" value=${String(route.run)}
          onChange=${chosen}>
        ${!run && html`<option value="-1" disabled>choose one</option>`}
        ${runs.runs.map((one) => html`<option key=${one.run} value=${String(one.run)}>
          ${one.label} (${one.identity})</option>`)}</select></label>`
      }
      ${value?.sentence && html`<p>${value.sentence}</p>`}
      ${!run?.changed && html`<p class="quiet">Rows lead to their trials, underlined numbers to those that they count.
        Accuracy: ${MEANS.accuracy.toLowerCase()}
        ${` Side effects: ${MEANS.side_effects.toLowerCase()}`}</p>`}
      ${run?.changed && html`<div class="notice warn"><p><strong>${sentence(run.changed)}</strong></p>
        <${ChangedRun} run=${run} /></div>`}
      ${run && value && !run.changed && html`<${MadeAt} run=${run} report=${value} there=${there}
        again=${() => setTimes(times + 1)} />`}
      ${run?.calibration && html`<p class="notice">Calibration: ${MEANS.calibration}</p>`}</header>
    ${error ? html`<${Failure} text=${error} />` : run && value ? html`${!value.tables.length && !run.changed && html`<p
      class="empty">There is nothing to make a table of yet.</p>`}
      <${Tables} tables=${value.tables} run=${run.run} />` : run && html`<p class="quiet">Making the tables…</p>`}
  </div>`;
}
