// @ts-check
"use strict";
// The list of all trials: what is filtered, summed up, and found by text.

/**
 * What the route's filters leave, sorted. Made anew only where it changes.
 * @param {Store} store
 * @param {Route} route
 * @param {{ has: (id: string) => boolean } | null} found
 */
function useFiltered(store, route, found) {
  const facets = useMemo(() => facetsOf(store.runs, store.rows), [store.runs, store.rows]);
  const columns = useMemo(() => columnsOf(store.runs), [store.runs]);
  const key = writeRoute({ ...listRoute(route), columns: [] });
  const all = useMemo(() => filterable(store.rows, facets), [store.version, store.rows, facets]);
  const useful = useMemo(() => usefulOf(all), [all]);
  const chosen = useMemo(() => filtered(all, listRoute(route), found), [all, key, found]);
  const choices = useMemo(() => {
    if (chosen.rows.length) return chosen.choices;
    // Nothing is left: all that one could choose stays in sight.
    const every = filtered(all, listRoute(readRoute("")), null).choices;
    for (const { facet } of all.coded) {
      const each = chosen.choices.get(facet.name) || [];
      const own = new Set(each.map((choice) => choice.value));
      const rest = (every.get(facet.name) || []).filter((choice) => !own.has(choice.value));
      const whole = [...each, ...rest.map((choice) => ({ ...choice, count: 0 }))];
      every.set(facet.name, whole.sort((a, b) => facet.order(a.value, b.value)));
    }
    return every;
  }, [chosen]);
  const rows = useMemo(() => sorted(chosen.rows, route.sort, columns), [chosen, columns, route.sort]);
  return { all, facets, useful, columns, choices, rows };
}

/**
 * What a full-text search found; null where none was asked for.
 * @param {Store | undefined} store
 * @param {string} words
 */
function useSearch(store, words) {
  const asked = words.trim();
  const grown = store?.version;
  const result = useLoaded(
    () => (asked && store ? search(store.runs.runs, asked) : Promise.resolve(null)),
    [asked, Boolean(store), grown],
  );
  const last = useRef({ asked: "", value: /** @type {FoundTrials | null} */ (null) });
  if (result.value !== undefined) last.current = { asked, value: result.value };
  const value = result.value ?? (last.current.asked === asked ? last.current.value : null);
  return { value, error: result.error, under_way: Boolean(asked) && !value && !result.error };
}

/**
 * Accuracy, unless it would be over several conditions or suites, or over models and instruments: of those together it
 * is of none.
 * @param {Totals} of
 */
const accuracyOf = (of) =>
  of.conditions < 2 && of.kinds < 2 ? percent(of.scored ? of.correct / of.scored : null) : "";

/** @param {{ of: Totals, all: number }} props */
function TotalsLine({ of, all }) {
  const accuracy = accuracyOf(of);
  return html`<dl class="totals">
    <div><dt>Trials</dt><dd>${count(of.trials)}${of.trials !== all ? html` <small>of ${count(all)}</small>` : ""}</dd>
    </div>
    <div><dt>Correct</dt><dd>${count(of.correct)}</dd></div>
    ${accuracy && html`<div><dt><${Term} of="accuracy">Accuracy</${Term}></dt><dd>${accuracy}</dd></div>`}
    <div><dt><${Term} of="unexpected">Unexpected</${Term}></dt><dd>
    ${of.known ? html`${count(of.unexpected)}${accuracy && html` <small>${percent(of.unexpected / of.known)}</small>`}`
      : "–"}</dd></div>
    <div><dt>Cost</dt><dd>
    ${of.unpriced === of.trials ? "–" : money(of.cost)}${of.unpriced && of.unpriced < of.trials ? html` <small>
    ${count(of.unpriced)} unpriced</small>` : ""}</dd></div>
    ${of.trials !== all && html`<div class="totals-of">These figures are of <br />the filtered trials.</div>`}
  </dl>`;
}

/** @param {{ columns: Column[], shown: string[], route: Route, usual: string[], title: string }} props */
function Chooser({ columns, shown, route, usual, title }) {
  /** @param {string} name */
  const toggle = (name) => {
    const next = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name];
    const same = next.length === usual.length && next.every((one) => usual.includes(one));
    go({ ...route, columns: same ? [] : next }, true);
  };
  const box = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    /** @param {Event} event */
    const leave = (event) => {
      const at = box.current;
      if (!at?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        if (at.contains(document.activeElement)) at.querySelector("summary")?.focus();
      } else if (event.target instanceof Node && at.contains(event.target)) return;
      at.open = false;
    };
    for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, leave);
    return () => ["keydown", "pointerdown"].forEach((kind) => document.removeEventListener(kind, leave));
  }, []);
  return html`<details class="chooser" ref=${box}>
    <summary class="button small">${title}</summary><div class="chooser-box">
    ${columns.map(
      (
        column,
      ) => html`<label key=${column.name} title=${column.hint}>
        <input type="checkbox" checked=${shown.includes(column.name)}
      disabled=${column.name === "task"} onChange=${() => toggle(column.name)} /> ${column.title}</label>`,
    )}
    <button class="more" onClick=${() => go({ ...route, columns: [] }, true)}>Reset</button>
  </div></details>`;
}

/**
 * What cards are sorted by, as there are no headers to be clicked.
 * @param {{ columns: Column[], route: Route }} props
 */
function Sorting({ columns, route }) {
  const down = route.sort.startsWith("-");
  const name = route.sort.replace(/^-/, "");
  /** @param {any} event */
  const chosen = (event) => {
    const column = columns.find((one) => one.name === event.target.value);
    go({ ...route, sort: column ? `${column.number ? "-" : ""}${column.name}` : "" });
  };
  return html`<div class="sorting"><label for="sort">Sort by</label>
    <select id="sort" class="field small" value=${name} onChange=${chosen}><option value="">the run's order</option>
      ${columns.map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}
    </select>
    <button class="button small" disabled=${!name}
      aria-label=${down ? "Descending; make it ascending" : "Ascending; make it descending"}
      onClick=${() => go({ ...route, sort: down ? name : `-${name}` })}>${down ? "↓" : "↑"}</button></div>`;
}

/** "3 trials of 540 hold". @param {FoundTrials} found */
function holding(found) {
  const { size: held } = found.excerpts;
  return `${counted(held, "trial")} of ${count(found.searched)} ${held === 1 ? "holds" : "hold"}`;
}

/**
 * The two boxes: an instant filter of the rows, a search of all text.
 * @param {{ route: Route, search: ReturnType<typeof useSearch> }} props
 */
function Boxes({ route, search: found }) {
  const [typed, setTyped] = useState(route.words);
  useEffect(() => setTyped(route.words), [route.words]);
  /** @param {any} event */
  const send = (event) => {
    event.preventDefault();
    go({ ...route, words: typed.trim() });
  };
  return html`<div class="boxes">
    <label class="box"><span>Filter rows</span><input id="quick" class="field" type="search" value=${route.quick}
    placeholder="task, agent, reason…" autocomplete="off"
    title="Looks into task, request, agent, condition, why, last words, remarks and tags"
      onInput=${(/** @type {any} */ event) => go({ ...route, quick: event.target.value }, true)} onKeyDown=${leave} />
        </label>
    <form class="box" role="search" onSubmit=${send}><label for="words">Search all text</label>
      <input id="words" class="field" type="search" value=${typed} placeholder=${'words, or "a phrase"'}
      autocomplete="off" enterkeyhint="search"
        onInput=${(/** @type {any} */ event) => {
          setTyped(event.target.value);
          if (!event.target.value && route.words) go({ ...route, words: "" });
        }} onKeyDown=${leave} />
      <button class="button small">Search</button></form>
    ${found.under_way && html`<p class="quiet">Searching…</p>`}
    ${found.error && html`<${Failure} text=${found.error} />`}
    ${found.value && html`<p class="quiet">${holding(found.value)} ${quoted(route.words)}.
      <button class="more" onClick=${() => go({ ...route, words: "" })}>Clear</button></p>`}
  </div>`;
}

/** Escape leaves a field. @param {KeyboardEvent} event */
function leave(event) {
  if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
}

/**
 * Why the list is empty: each filter, with how many trials it alone leaves, and a button to take it back; `broken`
 * where something could not be read.
 * @param {{ all: Filterable, route: Route, found: Map<string, Excerpt> | null, broken: boolean }} props
 */
function Nothing({ all, route, found, broken }) {
  if (!all.rows.length)
    return html`<p class="empty">${broken ? "No trial can be shown; what is missing is named above." :
      "There is no trial in these runs yet."}</p>`;
  const bare = { ...listRoute(readRoute("")), sort: route.sort, columns: route.columns };
  /** @type {{ name: string, left: number, without: Route }[]} */
  const causes = [];
  for (const one of all.coded) {
    const { facet } = one;
    const values = route.filters.get(facet.name);
    if (!values) continue;
    const only = { rows: all.rows, coded: [one] };
    const alone = filtered(only, { ...bare, filters: new Map([[facet.name, values]]) }, null);
    const without = new Map(route.filters);
    without.delete(facet.name);
    const name = `${facet.title}: ${values.map((value) => facet.say(value)).join(" or ")}`;
    causes.push({ name, left: alone.rows.length, without: { ...route, filters: without } });
  }
  if (route.quick) {
    const left = filtered({ rows: all.rows, coded: [] }, { ...bare, quick: route.quick }, null).rows.length;
    causes.push({ name: `rows with “${route.quick}”`, left, without: { ...route, quick: "" } });
  }
  if (found) causes.push({ name: `text ${quoted(route.words)}`, left: found.size, without: { ...route, words: "" } });
  return html`<div class="empty"><p>No trial passes ${causes.length > 1 ? "all of these together" : "this"}:</p>
    <ul>${causes.map((one) => html`<li key=${one.name}>${one.name}
      <span class="quiet"> leaves ${one.left ? counted(one.left, "trial") : "none"}${causes.length > 1 ? " alone" : ""}
      </span><button class="more" onClick=${() => go(one.without)}>Take back</button></li>`)}</ul></div>`;
}

/** @param {Store} store @param {Run} run */
function played(store, run) {
  return count(store.rows.filter((row) => row.run === run.run).length);
}

/** What the reader should know of the runs before the figures. @param {{ store: Store }} props */
function RunNotices({ store }) {
  const { runs } = store.runs;
  const playing = runs.filter((run) => run.under_way);
  const calibration = runs.filter((run) => run.calibration);
  return html`<div class="notices">
    ${playing.map((run) => html`<p class="notice live" key=${run.run}><span class="dot" aria-hidden="true"></span>
      ${run.label} is under way${run.planned ? `: ${played(store, run)} of ${counted(run.planned, "trial")}` : ""}.
      ${" New trials appear here."}</p>`)}
    ${calibration.length > 0 && calibration.length === runs.length && html`<p
      class="notice">Calibration: ${MEANS.calibration}</p>`}
    ${runs.filter((run) => run.changed).map((run) => html`<details class="notice warn" key=${`c${run.run}`}>
      <summary>${ended(`${run.label}: ${run.changed}`)} What this means</summary>
      <${ChangedRun} run=${run} /></details>`)}
    ${
      store.problems.length > 0 &&
      html`<details class="notice warn" open=${!store.rows.length}><summary>
        ${counted(store.problems.length, "file")} could not be read; the rest is shown</summary>
      <ul>${store.problems.slice(0, 200).map((one) => html`<li><code>${one.file}</code> ${one.text}</li>`)}
        ${store.problems.length > 200 && html`<li>and ${count(store.problems.length - 200)} more</li>`}</ul>
      </details>`
    }
  </div>`;
}

/**
 * @param {object} props
 * @param {Store} props.store
 * @param {Route} props.route
 * @param {ReturnType<typeof useFiltered>} props.list
 * @param {ReturnType<typeof useSearch>} props.search
 * @param {string} props.last the trial that was looked at last
 */
function ListPage({ store, route, list, search: found, last }) {
  const { rows, columns, facets, useful, choices } = list;
  const wide = useMedia("(min-width: 1560px)");
  const narrow = useMedia(NARROW);
  const usual = useMemo(
    () => (narrow ? CARD_FIELDS : sensible(store.rows, columns, wide)),
    [store.rows.length > 0, columns, wide, narrow],
  );
  const asked = route.columns.filter((name) => columns.some((column) => column.name === name));
  const shown = asked.length ? [...new Set([...asked, "task"])] : usual;
  const roomy = useMemo(() => fitted(columns, store.rows), [columns, store.rows]);
  const chosen = roomy.filter((column) => shown.includes(column.name));
  const excerpts = route.words ? (found.value?.excerpts ?? null) : null;
  const visible = useMemo(() => {
    if (!excerpts) return chosen;
    // What was found takes the room of other columns, unless they were asked for.
    const less = chosen.filter((column) => !/^(reason|ckpt|questions)$/.test(column.name));
    const rest = asked.length ? chosen : less;
    const at = rest.findIndex((column) => column.name === "task") + 1;
    return [...rest.slice(0, at), foundColumn(excerpts), ...rest.slice(at)];
  }, [roomy, shown.join(), excerpts]);
  const fields = asked.length ? chosen.filter((column) => !/^(verdict|task)$/.test(column.name)) : null;
  const by = narrow && !fields ? roomy.find((column) => column.name === route.sort.replace(/^-/, "")) : undefined;
  const apart = useMemo(
    () => ({
      run: narrow && store.runs.runs.length > 1 && !agentTellsRun(store.rows),
      trial: narrow && store.rows.some((row) => row.trial),
    }),
    [store.version, narrow],
  );
  const sum = useMemo(() => totals(rows, store.runs), [rows, store.runs]);
  const [cursor, setCursor] = useState(last || listPlace.cursor);
  const [moved, setMoved] = useState(last ? 1 : 0);
  const here = useRef(cursor);
  listPlace.cursor = here.current;
  /** @param {string} id */
  const point = (id) => {
    here.current = id;
    listPlace.cursor = id;
    setCursor(id);
  };
  /** @param {number} by */
  const move = (by) => {
    if (!rows.length) return;
    const at = rows.findIndex((row) => rowId(row) === here.current);
    point(rowId(rows[within(at + by, 0, rows.length - 1)]));
    setMoved((was) => was + 1);
  };
  const open = () => {
    const held = document.activeElement;
    const row = rows.find((one) => rowId(one) === here.current);
    if (!row || (held && held !== document.body && !held.closest("tbody, .cards, .rows:focus"))) return false;
    go(trialRoute(route, { run: row.run, key: row.key }));
    return true;
  };
  useKeys({
    Enter: open,
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    PageDown: () => move(15),
    PageUp: () => move(-15),
    Home: () => move(-rows.length),
    End: () => move(rows.length),
    "/": () => document.getElementById("words")?.focus(),
    f: () => document.getElementById("quick")?.focus(),
  });
  useEffect(() => {
    document.title = `${counted(store.rows.length, "trial")} · ${store.runs.runs.map((run) => run.label).join(", ")}`;
  }, [store.version]);
  return html`<div class="list-page">
    <${Facets} facets=${facets} useful=${useful} choices=${choices} route=${route} />
    <section class=${classes("list-main", found.under_way && "is-searching")} aria-label="Trials"
      aria-busy=${found.under_way}>
      <h1 class="unseen">Trials</h1>
      <${RunNotices} store=${store} />
      <${UnknownFilters} route=${route} known=${facets.map((facet) => facet.name)} />
      <${Boxes} route=${route} search=${found} />
      <div class="list-head"><${TotalsLine} of=${sum} all=${store.rows.length} />
      ${narrow && html`<${Sorting} columns=${columns} route=${route} />`}
      <${Chooser} columns=${columns} shown=${shown} route=${route} usual=${usual}
        title=${narrow ? "Fields" : "Columns"} />
      </div>
      <p class="unseen" role="status" aria-live="polite">
      ${counted(rows.length, "trial")} shown${accuracyOf(sum) && `, accuracy ${accuracyOf(sum)}`}</p>
      <${PrintedRows} of=${rows.length} />
      ${rows.length ? html`<${Rows} rows=${rows} columns=${visible} fields=${fields} by=${by}
        apart=${apart} excerpts=${excerpts} route=${route} cursor=${cursor}
        setCursor=${point} moved=${moved} />` : html`<${Nothing} all=${list.all} route=${route} found=${excerpts}
        broken=${store.problems.length > 0} />`}
    </section>
  </div>`;
}
