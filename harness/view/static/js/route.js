// @ts-check
"use strict";
// The hash says all: which page, which trial and step, and how the list is filtered, so that links and reloads keep it.

/** The runs that are shown. Addresses have their names: the place among others goes by how the page was started. */
let runsShown = /** @type {Run[]} */ ([]);

/** @param {Run[]} runs */
function showRuns(runs) {
  runsShown = runs;
}

/** What addresses call a run. @param {number} number */
function nameOfRun(number) {
  return runsShown.find((run) => run.run === number)?.name ?? "";
}

/** What people call a run, "" where it is the only one that is shown. @param {number} number */
function labelOfRun(number) {
  return (runsShown.length > 1 && runsShown.find((run) => run.run === number)?.label) || "";
}

/**
 * The run of a name, or of what was one when other runs were shown: the end of its path, or more of it than is needed
 * now, perhaps with the beginning of its identity. Null where there is none, or more than one.
 * @param {string} name @returns {number | null}
 */
function runNamed(name) {
  const same = runsShown.find((run) => run.name === name);
  if (same) return same.run;
  const [, place, identity] = /^(.+)\.([0-9a-f]{6})$/.exec(name) || ["", "", ""];
  const lies = (/** @type {Run} */ run, /** @type {string} */ end) => `/${run.path}`.endsWith(`/${end}`);
  const found = runsShown.filter(
    (run) => lies(run, name) || (place && lies(run, place) && run.identity.startsWith(identity)),
  );
  return found.length === 1 ? found[0].run : null;
}

/**
 * @param {string | null} text @param {string[]} unknown what is asked for and not there is added to it
 * @returns {Place | null}
 */
function readPlace(text, unknown) {
  if (text === null) return null;
  const found = /^(.+)\.([0-9a-f]{16})$/.exec(text);
  const run = found ? runNamed(found[1]) : null;
  if (found && run !== null) return { run, key: found[2] };
  unknown.push(found ? `run ${found[1]}` : `trial ${text}`);
  return null;
}

/**
 * The first run where none is named, -1 where there is none of the name.
 * @param {string | null} text @param {string[]} unknown what is asked for and not there is added to it
 */
function readRun(text, unknown) {
  if (text === null) return runsShown[0]?.run ?? -1;
  const run = runNamed(text);
  if (run === null) unknown.push(`run ${text}`);
  return run ?? -1;
}

const PAGES = /** @type {const} */ (["list", "report", "compare", "forks", "questions"]);

/** @param {string | null} text @returns {number | null} */
function readNumber(text) {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** The page that a trial or a comparison was opened from, "" where it was the list. @param {string | null} text */
function pageFrom(text) {
  return text === "questions" || text === "compare" ? text : "";
}

/** @param {string} hash @returns {Route} */
function readRoute(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {string[]} */
  const unknown = [];
  const first = readPlace(said.get("t"), unknown);
  const second = first && readPlace(said.get("u"), unknown);
  const named = said.get("p") || "list";
  const page = PAGES.find((one) => one === named);
  if (!page) unknown.push(`page ${named}`);
  /** @type {Map<string, string[]>} */
  const filters = new Map();
  for (const [name, value] of said) {
    if (!name.startsWith("f.")) continue;
    const facet = facetOf(name.slice(2), value);
    const run = facet === "run" ? readRun(value, unknown) : null;
    if (run === -1) continue;
    const one = run === null ? value : nameOfRun(run);
    const values = filters.get(facet) || [];
    if (!values.includes(one)) filters.set(facet, [...values, one]);
  }
  return {
    page: second ? "pair" : first ? "trial" : page || "list",
    first,
    second,
    filters,
    step: readNumber(said.get("step")),
    at: readNumber(said.get("at")),
    attempt: first && !second ? readNumber(said.get("try")) : null,
    run: readRun(page === "report" ? said.get("run") : null, unknown),
    quick: said.get("q") || "",
    words: said.get("text") || "",
    sort: said.get("sort") || "",
    columns: said.getAll("c"),
    from: first ? pageFrom(said.get("from")) : "",
    unknown,
  };
}

/**
 * The facet that a value belongs to: reports and records know troubles of the dialogue as flags, and signs of a
 * misunderstanding were once among what became of a question.
 * @param {string} name @param {string} value
 */
function facetOf(name, value) {
  if (name === "flags" && TROUBLES.includes(value)) return "dialogue";
  return name === "became" && Object.hasOwn(DOUBTS, value) && !Object.hasOwn(PARTS, value) ? "doubt" : name;
}

/** The hash that says a route. @param {Route} route */
function writeRoute(route) {
  const said = new URLSearchParams();
  if (route.first) said.set("t", `${nameOfRun(route.first.run)}.${route.first.key}`);
  if (route.first && route.second) said.set("u", `${nameOfRun(route.second.run)}.${route.second.key}`);
  if (route.first && route.step !== null) said.set("step", String(route.step));
  else if (route.first && route.at !== null) said.set("at", String(route.at));
  if (route.first && !route.second && route.attempt !== null) said.set("try", String(route.attempt));
  if (!route.first && route.page !== "list") said.set("p", route.page);
  if (!route.first && route.page === "report" && route.run >= 0) said.set("run", nameOfRun(route.run));
  for (const [name, values] of route.filters) for (const value of values) said.append(`f.${name}`, value);
  if (route.quick) said.set("q", route.quick);
  if (route.words) said.set("text", route.words);
  if (route.sort) said.set("sort", route.sort);
  for (const column of route.columns) said.append("c", column);
  if (route.first && route.from) said.set("from", route.from);
  return `#${said}`;
}

/** The list as the route filters it; filters of another page are none of its. @param {Route} route @returns {Route} */
function listRoute(route) {
  if (route.from) return { ...readRoute(""), sort: route.sort, columns: route.columns };
  return { ...route, page: "list", first: null, second: null, step: null, at: null, attempt: null };
}

/** @param {Route} route @param {Place} first @param {Partial<Route>} [more] @returns {Route} */
function trialRoute(route, first, more = {}) {
  return { ...route, page: "trial", first, second: null, step: null, at: null, attempt: null, ...more };
}

/** Which earlier try this is, null of the trial itself. @param {Trial} trial */
function attemptOf(trial) {
  return trial.attempt?.number ?? null;
}

/** A list with these filters alone. @param {Record<string, any>} links @returns {Route} */
function filteredRoute(links) {
  const route = readRoute("");
  for (const [name, value] of Object.entries(links)) {
    const values = (Array.isArray(value) ? value : [value]).map((one) => (one === null ? "" : String(one)));
    for (const one of values) {
      const facet = facetOf(name, one);
      route.filters.set(facet, [...(route.filters.get(facet) || []), one]);
    }
  }
  return route;
}

const REROUTED = "harness-rerouted";

/**
 * Go where a route leads; `replace` where Back should not stop at every letter.
 * @param {Route} route
 * @param {boolean} [replace]
 */
function go(route, replace = false) {
  const hash = writeRoute(route);
  if (hash === location.hash || (hash === "#" && !location.hash)) return;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  window.dispatchEvent(new Event(REROUTED));
}

/** Whether one has gone from one place of the page to another since it was loaded. */
let hasMoved = false;

/** @param {Runs | undefined} runs @returns {Route} */
function useRoute(runs) {
  const [hash, set] = useState(() => location.hash);
  useEffect(() => {
    const heard = () => {
      hasMoved = true;
      set(location.hash);
    };
    for (const kind of ["hashchange", "popstate", REROUTED]) window.addEventListener(kind, heard);
    return () => ["hashchange", "popstate", REROUTED].forEach((kind) => window.removeEventListener(kind, heard));
  }, []);
  // A run that grows is named as it was: what the route leads to is not drawn anew for that.
  const named = runs?.runs.map((run) => run.name).join("\n");
  return useMemo(() => readRoute(hash), [hash, named]);
}

/** Runs that are named where one is asked for that is not here: of three hundred, the first say how names look. */
const NAMED_RUNS = 10;

/** What the address asks for that is not here, as it names no run, trial or page. @param {{ of: Route }} props */
function UnknownPlaces({ of }) {
  if (!of.unknown.length) return null;
  const runs = of.unknown.some((one) => one.startsWith("run "));
  return html`<p class="notice warn" role="status">The address asks for what is not here:
    ${" "}<code>${of.unknown.join(", ")}</code>.
    ${runs && html`${" "}${runsShown.length === 1 ? "The run shown is" : "The runs shown are"}
      ${" "}<code>${runsShown.slice(0, NAMED_RUNS).map((run) => run.name).join(", ")}</code>${
        runsShown.length > NAMED_RUNS && ` and ${count(runsShown.length - NAMED_RUNS)} more`}.`}
    ${" "}<button class="more" onClick=${() => go(of, true)}>Take back</button></p>`;
}

/**
 * A link within the page.
 * @param {object} props
 * @param {Route} props.to
 * @param {any} [props.children]
 * @param {string} [props.class]
 * @param {string} [props.title]
 * @param {boolean} [props.current]
 * @param {string} [props.label]
 * @param {number} [props.tabindex]
 */
function Link({ to, children, class: name, title, current, label, tabindex }) {
  return html`<a href=${writeRoute(to)} class=${name} title=${title} aria-label=${label} tabindex=${tabindex}
    aria-current=${current ? "page" : undefined}>${children}</a>`;
}
