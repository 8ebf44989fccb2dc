// @ts-check
"use strict";
// The page as a whole: what is read at first, what grows, and which part is shown.

/** How often a run under way is looked at, in milliseconds. */
const EVERY = 2000;

/** @param {Runs} runs @returns {Promise<Store>} */
async function readStore(runs) {
  /** @type {Problem[]} */
  const problems = runs.runs.flatMap((run) => run.problems || []);
  const indices = await Promise.all(
    runs.runs.map((run) =>
      load(`index-${run.run}`).catch((error) => {
        problems.push({ file: run.folder, text: error.message });
        return null;
      }),
    ),
  );
  const rows = indices.flatMap((index, n) => (index ? indexRows(index, runs.runs[n]) : []));
  for (const index of indices) problems.push(...(index?.problems || []));
  decide(rows, runs.runs.length > 1);
  const playing = runs.runs.map((run, n) => ({ ...run, under_way: indices[n]?.under_way ?? run.under_way }));
  return {
    runs: { ...runs, runs: playing },
    rows,
    version: 1,
    problems: distinct(problems),
    under_way: playing.some((run) => run.under_way),
  };
}

/** @param {Problem[]} problems @returns {Problem[]} */
function distinct(problems) {
  return [...new Map(problems.map((one) => [`${one.file}\n${one.text}`, one])).values()];
}

/** The store with what its runs under way have played since. @param {Store} store @returns {Promise<Store>} */
async function grown(store) {
  const { runs } = store;
  let changed = false;
  const rows = [...store.rows];
  const problems = [...store.problems];
  const next = await Promise.all(
    runs.runs.map(async (run) => {
      if (!run.under_way) return run;
      const have = rows.reduce((sum, row) => sum + (row.run === run.run ? 1 : 0), 0);
      const index = await load(`index-${run.run}`, `?after=${have}`).catch(() => null);
      if (!index) return run;
      const fresh = indexRows(index, run);
      problems.push(...(index.problems || []));
      if (!fresh.length && index.under_way) return run;
      changed = true;
      rows.push(...fresh);
      return index.under_way ? run : { ...run, under_way: false };
    }),
  );
  if (!changed) return store;
  decide(rows, runs.runs.length > 1);
  return {
    runs: { ...runs, runs: next },
    rows,
    version: store.version + 1,
    problems: distinct(problems),
    under_way: next.some((run) => run.under_way),
  };
}

/** @param {{ route: Route, runs: Runs | undefined, keys: () => void }} props */
function Top({ route, runs, keys }) {
  const several = (runs?.runs.length || 0) > 1;
  const label = runs?.runs.length === 1 ? runs.runs[0].label : several ? counted(runs?.runs.length || 0, "run") : "";
  const pairs = several || runs?.runs.some((run) => run.agents.length > 1);
  const asks = runs?.runs.some((run) => run.conditions.some((one) => one.ask !== "off"));
  const inList = route.page === "list" || route.page === "trial" || route.page === "pair";
  return html`<header class="top">
    <a class="skip" href="#main" onClick=${(/** @type {any} */ event) => {
      event.preventDefault();
      document.getElementById("main")?.focus();
    }}>To the content</a>
    <span class="brand">harness <b>view</b></span>
    <nav aria-label="Pages">
      <${Link} to=${inList ? listRoute(route) : readRoute("")} current=${inList}>Trials</${Link}>
      <${Link} to=${{ ...listRoute(readRoute("")), page: "report", run: route.run }}
      current=${route.page === "report"}>Report</${Link}>
      ${pairs && html`<${Link} to=${{ ...listRoute(readRoute("")), page: "compare" }}
        current=${route.page === "compare"}>${several ? "Compare runs" : "Compare agents"}</${Link}>`}
      ${asks && html`<${Link} to=${{ ...listRoute(readRoute("")), page: "questions" }}
        current=${route.page === "questions"}>Questions</${Link}>`}
      <${Link} to=${{ ...listRoute(readRoute("")), page: "forks" }} current=${route.page === "forks"}>Forks</${Link}>
    </nav>
    <span class="top-run" title=${runs?.runs.map((run) => run.folder).join("\n")}>${label}</span>
    <button class="button small" onClick=${keys} aria-label="Keys">?</button>
  </header>`;
}

function App() {
  const route = useRoute();
  const [store, setStore] = useState(/** @type {Store | undefined} */ (undefined));
  const [runs, setRuns] = useState(/** @type {Runs | undefined} */ (undefined));
  const [error, setError] = useState("");
  const [help, setHelp] = useState(false);
  const last = useRef("");
  useEffect(() => {
    load("runs")
      .then(async (read) => {
        setRuns(read);
        setStore(await readStore(read));
      })
      .catch((failed) => setError(failed.message));
  }, []);
  useEffect(() => {
    if (IN_FOLDER || !store?.under_way) return undefined;
    let wanted = true;
    const timer = setTimeout(async () => {
      const next = await grown(store);
      if (wanted) setStore(next === store ? { ...store } : next);
    }, EVERY);
    return () => {
      wanted = false;
      clearTimeout(timer);
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
    if (route.page === "report") return html`<${ReportPage} route=${route} runs=${runs} />`;
    if (route.page === "pair" && route.first && route.second)
      return html`<${PairPage} route=${route} first=${route.first} second=${route.second} />`;
    if (!store && !route.first) return html`<p class="quiet pad">Reading the trials…</p>`;
    if (route.page === "compare" && store) return html`<${ComparePage} runs=${runs} store=${store} />`;
    if (route.page === "questions" && store) return html`<${QuestionsPage} route=${route} store=${store} />`;
    if (route.page === "forks" && store) return html`<${ForksPage} store=${store} route=${route} />`;
    return html`<${ListOrTrial} store=${store || nothing} route=${route} last=${last.current}
      changed=${() => setStore((was) => was && { ...was, version: was.version + 1 })} />`;
  };
  return html`<${Top} route=${route} runs=${store?.runs || runs} keys=${() => setHelp(true)} />
    <main id="main" tabindex="-1" class=${`page-${route.page}`}>${page()}</main>
    <${KeysHelp} open=${help} close=${() => setHelp(false)} />`;
}

/**
 * The list, or a trial that is walked to in it: both know what is filtered.
 * @param {{ store: Store, route: Route, last: string, changed: () => void }} props
 */
function ListOrTrial({ store, route, last, changed }) {
  const found = useSearch(store, route.words);
  const list = useFiltered(store, route, route.words ? (found.value?.excerpts ?? null) : null);
  /** @param {Place} place @param {number} notes */
  const noted = (place, notes) => {
    const row = store.rows.find((one) => one.run === place.run && one.key === place.key);
    if (row && row.notes !== notes) {
      row.notes = notes;
      changed();
    }
  };
  if (route.first)
    return html`<${TrialPage} place=${route.first} route=${route} rows=${list.rows} runs=${store.runs}
      noted=${noted} />`;
  return html`<${ListPage} store=${store} route=${route} list=${list} search=${found} last=${last} />`;
}

const into = /** @type {Element} */ (document.getElementById("app"));
into.replaceChildren();
preact.render(html`<${App} />`, into);
