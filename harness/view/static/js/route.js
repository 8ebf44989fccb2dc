// @ts-check
"use strict";
// The hash says all: which page, which trial and step, and how the list is filtered, so that links and reloads keep it.

/** @param {string | null} text @returns {Place | null} */
function readPlace(text) {
  const found = /^(\d{1,6})\.([0-9a-f]{16})$/.exec(text || "");
  return found ? { run: Number(found[1]), key: found[2] } : null;
}

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
  const first = readPlace(said.get("t"));
  const second = first && readPlace(said.get("u"));
  const named = said.get("p");
  /** @type {Map<string, string[]>} */
  const filters = new Map();
  for (const [name, value] of said) {
    if (!name.startsWith("f.")) continue;
    const facet = facetOf(name.slice(2), value);
    const values = filters.get(facet) || [];
    if (!values.includes(value)) filters.set(facet, [...values, value]);
  }
  return {
    page: second
      ? "pair"
      : first
        ? "trial"
        : named === "report" || named === "compare" || named === "forks" || named === "questions"
          ? named
          : "list",
    first,
    second,
    filters,
    step: readNumber(said.get("step")),
    at: readNumber(said.get("at")),
    attempt: first && !second ? readNumber(said.get("try")) : null,
    run: readNumber(said.get("run")) ?? 0,
    quick: said.get("q") || "",
    words: said.get("text") || "",
    sort: said.get("sort") || "",
    columns: said.getAll("c"),
    from: first ? pageFrom(said.get("from")) : "",
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
  if (route.first) said.set("t", `${route.first.run}.${route.first.key}`);
  if (route.first && route.second) said.set("u", `${route.second.run}.${route.second.key}`);
  if (route.first && route.step !== null) said.set("step", String(route.step));
  else if (route.first && route.at !== null) said.set("at", String(route.at));
  if (route.first && !route.second && route.attempt !== null) said.set("try", String(route.attempt));
  if (!route.first && route.page !== "list") said.set("p", route.page);
  if (!route.first && route.page === "report") said.set("run", String(route.run));
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

/** @returns {Route} */
function useRoute() {
  const [hash, set] = useState(() => location.hash);
  useEffect(() => {
    const heard = () => set(location.hash);
    for (const kind of ["hashchange", "popstate", REROUTED]) window.addEventListener(kind, heard);
    return () => ["hashchange", "popstate", REROUTED].forEach((kind) => window.removeEventListener(kind, heard));
  }, []);
  return useMemo(() => readRoute(hash), [hash]);
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
