// @ts-check
"use strict";
// The page as a whole: what is read at first, what grows, and which part is shown.

/** How often a run under way is looked at, in milliseconds. */
const EVERY = 2000;
/** And how often others are: somebody may go on with one, or remove it. */
const SELDOM = 15000;

/**
 * All rows of a run, and what is known of it with them.
 * @param {Run} run @returns {Promise<{ run: Run, rows: Row[] }>}
 */
async function readIndex(run) {
  try {
    const index = await load(`index-${run.run}`);
    return { run: toldBy(index, run), rows: indexRows(index, run) };
  } catch (error) {
    const problem = { file: run.folder, text: /** @type {Error} */ (error).message };
    return { run: { ...run, problems: distinct([...(run.problems || []), problem]) }, rows: [] };
  }
}

/** @param {Index} index @param {Run} run @returns {Run} */
function toldBy(index, run) {
  const { under_way: playing, total, planned, problems } = index;
  return { ...run, under_way: playing, total, planned: planned ?? run.planned, problems: problems || [] };
}

/** @param {Runs} runs @returns {Promise<Store>} */
async function readStore(runs) {
  showRuns(runs.runs);
  return storeOf(runs, await Promise.all(runs.runs.map(readIndex)), 1);
}

/** @param {Runs} runs @param {{ run: Run, rows: Row[] }[]} each @param {number} version @returns {Store} */
function storeOf(runs, each, version) {
  const rows = each.flatMap((one) => one.rows);
  decide(rows, each.length > 1);
  return {
    runs: { ...runs, runs: each.map((one) => one.run) },
    rows,
    version,
    problems: distinct(each.flatMap((one) => one.run.problems || [])),
    under_way: each.some((one) => one.run.under_way),
  };
}

/** @param {Problem[]} problems @returns {Problem[]} */
function distinct(problems) {
  return [...new Map(problems.map((one) => [`${one.file}\n${one.text}`, one])).values()];
}

/**
 * A run with what was played, played again or removed since, null where its folder holds another run by now.
 * @param {Run} run @param {Row[]} rows
 */
async function grownRun(run, rows) {
  const index = await load(`index-${run.run}`, `?after=${run.total || 0}`).catch(() => null);
  if (!index) return { run, rows };
  if (index.identity !== run.identity) return null;
  const next = toldBy(index, run);
  const fresh = new Map(indexRows(index, run).map((row) => [row.key, row]));
  if (!fresh.size && canonical(next) === canonical(run) && index.trials === rows.length) return { run, rows };
  for (const key of fresh.keys()) forget({ run: run.run, key });
  const all = rows.map((row) => fresh.get(row.key) || row);
  for (const row of rows) fresh.delete(row.key);
  all.push(...fresh.values());
  return all.length === index.trials ? { run: next, rows: all } : readIndex(run);
}

/**
 * The store as its runs are now: those under way, or all where none is. The same where nothing has changed.
 * @param {Store} store @returns {Promise<Store>}
 */
async function grown(store) {
  const was = store.runs.runs.map((run) => ({ run, rows: store.rows.filter((row) => row.run === run.run) }));
  const next = await Promise.all(
    was.map((one) => (one.run.under_way || !store.under_way ? grownRun(one.run, one.rows) : one)),
  );
  if (next.includes(null)) {
    kept.clear(); // trials of the run that was there have the same keys
    const again = await load("runs").then(readStore, () => store);
    return again === store ? store : { ...again, version: store.version + 1 };
  }
  const each = next.flatMap((one) => one || []);
  if (each.every((one, n) => one.run === was[n].run && one.rows === was[n].rows)) return store;
  return storeOf(store.runs, each, store.version + 1);
}

/** @param {{ route: Route, runs: Runs | undefined, keys: () => void }} props */
function Top({ route, runs, keys }) {
  const several = (runs?.runs.length || 0) > 1;
  const label = runs?.runs.length === 1 ? runs.runs[0].label : several ? counted(runs?.runs.length || 0, "run") : "";
  const pairs = several || runs?.runs.some((run) => run.agents.length > 1 || run.conditions.length > 1);
  const asks = runs?.runs.some((run) => run.conditions.some((one) => one.ask !== "off"));
  const inList = route.page === "list" || route.page === "trial" || route.page === "pair";
  const nav = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    // On a narrow screen the page that is shown may be one whose link lies beyond the edge.
    // Not by `scrollIntoView`, after which Tab would go on from that link.
    const [box, link] = [nav.current, nav.current?.querySelector("[aria-current]")?.getBoundingClientRect()];
    const { left, right } = box?.getBoundingClientRect() || { left: 0, right: 0 };
    if (box && link) box.scrollLeft += Math.min(0, link.left - left) + Math.max(0, link.right - right);
  }, [route.page, runs]);
  return html`<header class="top">
    <a class="skip" href="#main" onClick=${(/** @type {any} */ event) => {
      event.preventDefault();
      document.getElementById("main")?.focus();
    }}>To the content</a>
    <span class="brand">harness <b>view</b></span>
    <nav aria-label="Pages" ref=${nav}>
      <${Link} to=${inList ? listRoute(route) : readRoute("")} current=${inList}>Trials</${Link}>
      <${Link} to=${{ ...listRoute(readRoute("")), page: "report", run: route.run }}
      current=${route.page === "report"}>Report</${Link}>
      ${pairs && html`<${Link} to=${{ ...listRoute(readRoute("")), page: "compare" }}
        current=${route.page === "compare"}>Compare<span class="wide-only">
        ${runs ? ` ${comparedOf(runs)}` : ""}</span></${Link}>`}
      ${asks && html`<${Link} to=${{ ...listRoute(readRoute("")), page: "questions" }}
        current=${route.page === "questions"}>Questions</${Link}>`}
      <${Link} to=${{ ...listRoute(readRoute("")), page: "forks" }} current=${route.page === "forks"}>Forks</${Link}>
    </nav>
    <span class="top-run" title=${runs?.runs.map((run) => run.folder).join("\n")}>${label}</span>
    <button class="button small" onClick=${keys} aria-label="Keys">?</button>
  </header>`;
}

/** Which page it is, whatever is filtered or marked on it. @param {Route} route */
function placeOf(route) {
  const { page, run, first, second, attempt } = route;
  return [page, page === "report" ? run : "", ...[first, second].map((one) => one && rowId(one)), attempt].join(" ");
}

function App() {
  const [store, setStore] = useState(/** @type {Store | undefined} */ (undefined));
  const [runs, setRuns] = useState(/** @type {Runs | undefined} */ (undefined));
  const route = useRoute(store?.runs || runs);
  const [error, setError] = useState("");
  const [help, setHelp] = useState(false);
  const last = useRef("");
  useEffect(() => {
    load("runs")
      .then(async (read) => {
        const reading = readStore(read);
        setRuns(read);
        setStore(await reading);
      })
      .catch((failed) => setError(failed.message));
  }, []);
  useEffect(() => {
    if (IN_FOLDER || !store) return undefined;
    let wanted = true;
    /** @type {number | undefined} */
    let timer;
    const look = async () => {
      const next = document.hidden ? store : await grown(store);
      if (!wanted) return;
      if (next !== store) setStore(next);
      else timer = setTimeout(look, store.under_way ? EVERY : SELDOM);
    };
    timer = setTimeout(look, store.under_way ? EVERY : SELDOM);
    // Who comes back to the page sees what is there now.
    const back = () => {
      clearTimeout(timer);
      look();
    };
    document.addEventListener("visibilitychange", back);
    return () => {
      wanted = false;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", back);
    };
  }, [store]);
  const nothing = useMemo(
    () => ({
      runs: runs || { package: "", writable: false, token: "", author: "", runs: [] },
      rows: [],
      version: 0,
      problems: [],
      under_way: false,
    }),
    [runs],
  );
  if (route.first) last.current = `${route.first.run}.${route.first.key}`;
  useKeys({ "?": () => setHelp(true) });
  const page = () => {
    if (error) return html`<${Failure} text=${error} />`;
    if (!runs) return html`<p class="quiet pad">Reading the runs…</p>`;
    if (route.page === "report") return html`<${ReportPage} route=${route} runs=${store?.runs || runs}
      rows=${store?.rows || nothing.rows} />`;
    if (route.page === "pair" && route.first && route.second)
      return html`<${PairPage} route=${route} first=${route.first} second=${route.second} />`;
    if (!store && !route.first) return html`<p class="quiet pad">Reading the trials…</p>`;
    if (route.page === "compare" && store) return html`<${ComparePage} runs=${store.runs} store=${store} />`;
    if (route.page === "questions" && store) return html`<${QuestionsPage} route=${route} store=${store} />`;
    if (route.page === "forks" && store) return html`<${ForksPage} store=${store} route=${route} />`;
    return html`<${ListOrTrial} store=${store || nothing} route=${route} last=${last.current}
      changed=${() => setStore((was) => was && { ...was, version: was.version + 1 })} />`;
  };
  return html`<${Top} route=${route} runs=${store?.runs || runs} keys=${() => setHelp(true)} />
    <${FoldPlace.Provider} value=${placeOf(route)}>
      <main id="main" tabindex="-1" class=${`page-${route.page}`}>
        ${runs && html`<${UnknownPlaces} of=${route} />`}${page()}</main></${FoldPlace.Provider}>
    <${KeysHelp} open=${help} close=${() => setHelp(false)} />`;
}

/**
 * The list, or a trial that is walked to in it: both know what is filtered.
 * @param {{ store: Store, route: Route, last: string, changed: () => void }} props
 */
function ListOrTrial({ store, route, last, changed }) {
  const found = useSearch(store, route.words);
  const list = useFiltered(store, route, route.words ? (found.value?.excerpts ?? null) : null);
  const asked = useQuestionWalk(store, route);
  /** @param {Place} place @param {number} notes */
  const noted = (place, notes) => {
    const row = store.rows.find((one) => one.run === place.run && one.key === place.key);
    if (row && row.notes !== notes) {
      row.notes = notes;
      changed();
    }
  };
  if (route.first)
    return html`<${TrialPage} place=${route.first} route=${route} runs=${store.runs} noted=${noted}
      walk=${asked || trialWalk(list.rows, route)} />`;
  return html`<${ListPage} store=${store} route=${route} list=${list} search=${found} last=${last} />`;
}

const into = /** @type {Element} */ (document.getElementById("app"));
into.replaceChildren();
preact.render(html`<${App} />`, into);
