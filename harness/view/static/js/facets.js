// @ts-check
"use strict";
// The filters beside the list, with counts.

/** How many choices of a facet are shown before one asks for more. */
const CHOICES = 8;

/**
 * The route with one choice of a facet taken or left.
 * @param {Route} route
 * @param {string} name
 * @param {string} value
 * @returns {Route}
 */
function toggled(route, name, value) {
  const filters = new Map(route.filters);
  const values = filters.get(name) || [];
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  if (next.length) filters.set(name, next);
  else filters.delete(name);
  return { ...route, filters };
}

/** @param {{ facet: Facet, choices: Choice[], route: Route }} props */
function FacetBox({ facet, choices, route }) {
  const [all, setAll] = useState(false);
  const [typed, setTyped] = useState("");
  const chosen = choices.filter((choice) => choice.on).length;
  // One that was opened or ticked stays open, so that nothing moves under the pointer.
  const [opened, setOpened] = useState(chosen > 0 || !facet.folded || OPENED.has(`facet/${facet.name}`));
  useEffect(() => {
    if (chosen) setOpened(true);
  }, [chosen > 0]);
  /** @param {Choice} choice */
  const said = ({ value }) => [facet.say(value), facet.tell?.(value)].filter(Boolean).join(": ");
  const named = choices.filter((choice) => !typed || folded(said(choice)).includes(folded(typed)));
  // Of many, and of all where a verdict is ticked, those that most trials have come first:
  // "which template fails most?" is read off at once.
  const first = (/** @type {Choice} */ one) => Number(one.on) * 2 + Number(Boolean(facet.always?.includes(one.value)));
  if (choices.length > CHOICES) named.sort((a, b) => first(b) - first(a) || b.count - a.count);
  else if (facet.folded && facet.order === COLLATOR.compare && route.filters.has("verdict"))
    named.sort((a, b) => b.count - a.count);
  const shown = named.slice(0, all ? 400 : Math.max(CHOICES, chosen));
  const open = opened || chosen > 0;
  return html`<details class="facet" open=${open} role="group" aria-label=${facet.title}
    onToggle=${(/** @type {any} */ event) => {
      if (event.target.open === open) return;
      keepOpened(`facet/${facet.name}`, event.target.open);
      setOpened(event.target.open);
    }}>
    <summary title=${facet.hint || ""}>${facet.title}${chosen ? html` <span class="pill">${chosen}</span>` : ""}
    </summary>
    ${open && html`${
      choices.length > CHOICES &&
      html`<input type="search" class="field small" placeholder=${`Among ${count(choices.length)}`}
        aria-label=${`Find a choice of ${facet.title}`}
      value=${typed} onInput=${(/** @type {any} */ event) => setTyped(event.target.value)} />`
    }
    <ul>${shown.map(
      (choice) => html`<li key=${choice.value}><label class=${choice.count ? "" : "none"}
        title=${said(choice)}>
      <input type="checkbox" checked=${choice.on} onChange=${() => go(toggled(route, facet.name, choice.value))} />
      <span class="name">${facet.say(choice.value)}</span>
      <span class="count">${count(choice.count)}${choice.of !== undefined && ` of ${count(choice.of)}`}</span>
    </label></li>`,
    )}</ul>
    ${named.length > CHOICES && !typed && html`<button class="more" onClick=${() => setAll(!all)}>
      ${all ? "Fewer" : `All ${count(named.length)}`}</button>`}`}
  </details>`;
}

/** @param {{ facets: Facet[], useful: Set<string>, choices: Map<string, Choice[]>, route: Route }} props */
function Facets({ facets, useful, choices, route }) {
  const narrow = useMedia(NARROW);
  const shown = facets.filter((facet) => useful.has(facet.name) || route.filters.has(facet.name));
  const ticked = [...route.filters.values()].reduce((sum, values) => sum + values.length, 0);
  const chosen = ticked + Number(Boolean(route.quick));
  const boxes = html`<div class="facets">
    ${shown.map((facet) => html`<${FacetBox} key=${facet.name} facet=${facet} choices=${choices.get(facet.name) || []}
      route=${route} />`)}
  </div>`;
  const clear =
    chosen > 0 &&
    html`<button class="button small"
      onClick=${() => go({ ...route, filters: new Map(), quick: "" })}>Clear ${counted(chosen, "filter")}</button>`;
  if (narrow) {
    return html`<section class="filters" aria-label="Filters"><details class="drawer">
      <summary>Filters${chosen ? html` <span class="pill">${chosen}</span>` : ""}</summary>${clear}${boxes}</details>
      </section>`;
  }
  return html`<section class="filters" aria-label="Filters"><div class="filters-head"><h2>Filters</h2>${clear}</div>
    ${boxes}</section>`;
}

/**
 * Filters of the address that the page does not have: they cannot be ticked off, and filter nothing.
 * @param {{ route: Route, known: string[] }} props
 */
function UnknownFilters({ route, known }) {
  const rest = [...route.filters].filter(([name]) => !known.includes(name));
  if (!rest.length) return null;
  const said = rest.flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  const filters = new Map([...route.filters].filter(([name]) => known.includes(name)));
  return html`<p class="notice warn" role="status">The address asks for ${said.length === 1 ? "a filter" : "filters"}
    ${" that this page does not have, and that it ignores: "}<code>${said.join(", ")}</code>.
    <button class="more" onClick=${() => go({ ...route, filters }, true)}>Take back</button></p>`;
}
