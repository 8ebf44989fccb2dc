// @ts-check
"use strict";
// The rows of the list that are in sight, as a table or, on narrow screens, as cards.

const ROW = 46;
/** Columns of long texts, which share the room that is left. */
const LONG = /^(reason|found|last_words)$/;
/** The head of the table, in pixels. */
const HEAD = 33;
/** Of a card, in pixels: what is around its lines with the first of them, and each further line. */
const CARD = 38;
const LINE = 20;
/** Rows beyond what is in sight, on either side. */
const BEYOND = 10;

/** Rows of the list that are printed. */
const PRINTED = 2000;

/** Where the list was left: kept for coming back from a trial. */
const listPlace = { of: "", top: 0, cursor: "" };

/** @param {Place} row */
function rowId(row) {
  return `${row.run}.${row.key}`;
}

/**
 * The part of a long list that is in sight.
 * @param {{ current: HTMLElement | null }} box @param {number} length @param {number} height of a row, in pixels
 */
function useWindow(box, length, height) {
  const [sight, set] = useState({ from: 0, to: 60 });
  const printing = usePrinting();
  const look = () => {
    const at = box.current;
    if (!at) return;
    const from = Math.max(0, Math.floor(at.scrollTop / height) - BEYOND);
    const to = Math.min(length, Math.ceil((at.scrollTop + at.clientHeight) / height) + BEYOND);
    set((was) => (was.from === from && was.to === to ? was : { from, to }));
  };
  useLayoutEffect(look, [length, height]);
  useEffect(() => {
    const at = box.current;
    if (!at) return undefined;
    at.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(at);
    return () => {
      at.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, [length, height]);
  if (printing) return { from: 0, to: Math.min(PRINTED, length) };
  return { from: Math.min(sight.from, Math.max(0, length - 1)), to: Math.min(sight.to, length) };
}

/** How many rows of a longer list are printed. @param {{ of: number }} props */
function PrintedRows({ of }) {
  return of > PRINTED && html`<p class="printed-only">The first ${count(PRINTED)} of ${counted(of, "trial")}.</p>`;
}

/** @param {{ row: Row, route: Route, children?: any }} props */
function RowLink({ row, route, children }) {
  return html`<${Link} to=${trialRoute(route, { run: row.run, key: row.key })} class="row-link">${children}</${Link}>`;
}

/** @param {{ column: Column, route: Route, sort: string }} props */
function Header({ column, route, sort }) {
  if (!column.by)
    return html`<th scope="col" class="unsorted" title=${column.hint}><span>${column.title}</span></th>`;
  const way = sort === column.name ? "ascending" : sort === `-${column.name}` ? "descending" : "none";
  const first = column.number ? `-${column.name}` : column.name;
  const second = column.number ? column.name : `-${column.name}`;
  const next = sort === first ? second : sort === second ? "" : first;
  return html`<th scope="col" aria-sort=${way} class=${column.number ? "number" : ""}>
    <button title=${column.hint || ""} onClick=${() => go({ ...route, sort: next })}>${column.title}
    <span class="arrow" aria-hidden="true">${way === "ascending" ? "↑" : way === "descending" ? "↓" : ""}</span>
    </button>
  </th>`;
}

/** That people wrote on a trial. @param {{ row: Row }} props */
function NoteSign({ row }) {
  if (!row.notes) return null;
  const said = counted(row.notes, "annotation");
  return html` <span class="note-sign" title=${said} aria-label=${said} role="img">✎${row.notes}</span>`;
}

/** The first words of the request, below the id of its task: ids say little. @param {{ row: Row }} props */
function RequestLine({ row }) {
  return row.request ? html`<span class="request-line" title=${row.request}>${row.request}</span>` : null;
}

/** Fields of a card that stand side by side; the others have two lines. @param {Column[]} fields */
function gridded(fields) {
  return fields.filter((field) => field.name !== "reason" && field.name !== "last_words");
}

/**
 * @param {object} props
 * @param {Row} props.row
 * @param {Route} props.route
 * @param {Column[] | null} props.fields that were chosen, if any were
 * @param {Column | undefined} props.by what cards are sorted by
 * @param {{ run: boolean, trial: boolean }} props.apart what trials of the whole list differ in
 * @param {Excerpt | undefined} props.excerpt
 */
function Card({ row, route, fields, by, apart, excerpt }) {
  const asked = row.questions ? counted(row.questions, "question") : "";
  const which = [apart.run ? row.run_label : "", apart.trial ? `trial ${row.trial}` : ""];
  const cost = row.cost ? money(row.cost) : "";
  const facts = [row.agent, row.condition, ...which, asked, counted(row.calls, "call"), cost];
  const sorted = by && !CARD_FIELDS.includes(by.name) ? html`${by.title} ${by.show(row)} · ` : "";
  const has = (/** @type {string} */ name) => fields?.some((field) => field.name === name);
  const why = row.reason || (row.mistake ? "" : (row.flags || []).join(", ").replaceAll("_", " "));
  return html`<${RowLink} row=${row} route=${route}>
    <span class="card-head"><${Verdict} of=${row.verdict} /><span class="card-task">${row.task}</span>
      <${NoteSign} row=${row} /></span>
    ${!has("request") && html`<${RequestLine} row=${row} />`}
    ${fields ? html`<span class="card-fields">${gridded(fields).map((field) => html`<span key=${field.name}><small>
      ${field.title}</small> ${field.show(row) || "–"}</span>`)}</span>` : html`<span class="card-facts">
      ${sorted}${facts.filter(Boolean).join(" · ")}</span>`}
    ${excerpt && html`<span class="card-found"><${ExcerptLine} of=${excerpt} /></span>`}
    ${has("last_words") && html`<span class="card-said">“${row.last_words}”</span>`}
    ${(!fields || has("reason")) && html`<span class="card-why">${row.unexpected ? html`<span
    class="bad">${counted(row.unexpected, "unexpected change")}</span>${row.mistake || why ? " · " : ""}` : ""}
    ${row.mistake ? html`<strong class="bad">${bothBegun(mistakeOf(row))}</strong>. ` : ""}${why}</span>`}
  </${RowLink}>`;
}

/**
 * Lines of a card below its first.
 * @param {Column[] | null} fields @param {boolean} found whether words of a search are shown @param {Row[]} rows
 */
function cardLines(fields, found, rows) {
  const named = !fields?.some((field) => field.name === "request") && rows.some((row) => row.request);
  const grid = fields ? gridded(fields).length : 0;
  const own = fields ? Math.ceil(grid / 2) + 2 * (fields.length - grid) : 4;
  return own + (found ? 1 : 0) + (named ? 1 : 0);
}

/**
 * The rows in sight. The cursor is a row that keys move; it has the focus.
 * @param {object} props
 * @param {Row[]} props.rows
 * @param {Column[]} props.columns
 * @param {Route} props.route
 * @param {Column[] | null} props.fields of cards, where they were chosen
 * @param {Column | undefined} props.by what cards are sorted by, where it is to be told
 * @param {{ run: boolean, trial: boolean }} props.apart what trials of the whole list differ in
 * @param {Map<string, Excerpt> | null} props.excerpts
 * @param {string} props.cursor
 * @param {(id: string) => void} props.setCursor
 * @param {number} props.moved how often keys have moved the cursor
 */
function Rows({ rows, columns, fields, by, apart, excerpts, route, cursor, setCursor, moved }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const narrow = useMedia(NARROW);
  const lines = cardLines(fields, Boolean(excerpts), rows);
  const height = narrow ? CARD + lines * LINE : ROW;
  const of = writeRoute({ ...listRoute(route), columns: [] });
  const anchor = useRef({ id: "", offset: 0, of });

  // Come back to where one left; and stay there when a run under way adds rows above.
  useLayoutEffect(() => {
    const at = box.current;
    if (!at) return;
    const index = rows.findIndex((row) => rowId(row) === cursor);
    if (listPlace.of === of) {
      at.scrollTop = listPlace.top;
      if (index >= 0) show(at, index);
    }
  }, []);
  useLayoutEffect(() => {
    const at = box.current;
    if (!at || anchor.current.of !== of) {
      if (at && anchor.current.of) at.scrollTop = 0;
      anchor.current = { id: "", offset: 0, of };
      return;
    }
    if (!anchor.current.id || at.scrollTop < height) return;
    const index = rows.findIndex((row) => rowId(row) === anchor.current.id);
    if (index >= 0) at.scrollTop = index * height + anchor.current.offset;
  }, [rows, of]);
  useEffect(() => {
    const at = box.current;
    if (!at) return undefined;
    const heard = () => {
      const index = Math.floor(at.scrollTop / height);
      anchor.current = { id: rows[index] ? rowId(rows[index]) : "", offset: at.scrollTop - index * height, of };
      Object.assign(listPlace, { of, top: at.scrollTop });
    };
    at.addEventListener("scroll", heard, { passive: true });
    return () => at.removeEventListener("scroll", heard);
  }, [rows, of, height]);

  /** @param {HTMLElement} at @param {number} index */
  const show = (at, index) => {
    const head = narrow ? 0 : HEAD;
    const top = index * height;
    if (top < at.scrollTop) at.scrollTop = top;
    else if (top + height + head > at.scrollTop + at.clientHeight) at.scrollTop = top + height + head - at.clientHeight;
  };
  const { from, to } = useWindow(box, rows.length, height);
  useLayoutEffect(() => {
    const at = box.current;
    const index = rows.findIndex((row) => rowId(row) === cursor);
    if (!moved || !at || index < 0) return;
    show(at, index);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const link = at.querySelector(`[data-row="${index}"] .row-link`);
        if (link instanceof HTMLElement && listPlace.cursor === cursor) link.focus({ preventScroll: true });
      }),
    );
  }, [moved]);

  const named = !columns.some((one) => one.name === "request");
  const sight = rows.slice(from, to);
  const above = { height: `${from * height}px` };
  const below = { height: `${(rows.length - to) * height}px` };
  if (narrow) {
    return html`<div class="rows cards" ref=${box} role="region" aria-label="Trials" tabindex="0">
      <div style=${above}></div>
      <ol start=${from + 1}>${sight.map(
        (
          row,
          n,
        ) => html`<li key=${rowId(row)} data-row=${from + n} aria-setsize=${rows.length} aria-posinset=${from + n + 1}
        class=${rowId(row) === cursor ? "card at" : "card"} style=${{ height: `${height}px` }}
        onFocusIn=${() => setCursor(rowId(row))}>
          <${Card} row=${row} route=${route} fields=${fields} by=${by} apart=${apart}
            excerpt=${excerpts?.get(rowId(row))} /></li>`,
      )}</ol>
      <div style=${below}></div>
    </div>`;
  }
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  return html`<div class="rows" ref=${box} role="region" aria-label="Trials" tabindex="0">
    <table class="list" aria-rowcount=${rows.length + 1} style=${{ minWidth: `${width}px` }}>
      <colgroup>${columns.map((column) => html`<col key=${column.name}
      style=${{ width: LONG.test(column.name) ? "auto" : `${column.width}px` }} />`)}</colgroup>
      <thead><tr aria-rowindex="1">${columns.map((column) => html`<${Header} key=${column.name} column=${column}
      route=${route} sort=${route.sort} />`)}</tr></thead>
      <tbody>
        <tr class="space" aria-hidden="true" style=${above}></tr>
        ${sight.map(
          (
            row,
            n,
          ) => html`<tr key=${rowId(row)} data-row=${from + n} aria-rowindex=${from + n + 2}
            class=${classes("row", rowId(row) === cursor && "at", (from + n) % 2 === 1 && "odd")}
          onFocusIn=${() => setCursor(rowId(row))}
            onClick=${(/** @type {MouseEvent} */ event) => opened(event, row, route)}>
          ${columns.map(
            (column) => html`<td key=${column.name} title=${titled(column, row)}
              class=${classes(column.number && "number", column.name === "reason" && "why")}>
            ${column.name === "task" ? html`<${NoteSign} row=${row} />
              <${RowLink} row=${row} route=${route}>${row.task}</${RowLink}>
              ${named && html`<${RequestLine} row=${row} />`}` : column.show(row)}
          </td>`,
          )}
        </tr>`,
        )}
        <tr class="space" aria-hidden="true" style=${below}></tr>
      </tbody>
    </table>
  </div>`;
}

/** The whole of what a narrow cell cuts. @param {Column} column @param {Row} row @returns {string | undefined} */
function titled(column, row) {
  if (column.name === "found") return undefined;
  const shown = column.show(row);
  return typeof shown === "string" && shown.length * 7 > column.width ? shown : undefined;
}

/**
 * A click anywhere on a row opens it, unless text is being selected.
 * @param {MouseEvent} event
 * @param {Row} row
 * @param {Route} route
 */
function opened(event, row, route) {
  if (event.target instanceof Element && event.target.closest("a, button, abbr")) return;
  if (String(getSelection())) return;
  if (event.metaKey || event.ctrlKey) window.open(writeRoute(trialRoute(route, row)), "_blank", "noopener");
  else go(trialRoute(route, { run: row.run, key: row.key }));
}
