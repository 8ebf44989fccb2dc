// @ts-check
"use strict";
// Text and JSON as they are, folded where long. Nothing here is ever taken for markup.

/** @param {any} value @returns {value is Cut} */
function isCut(value) {
  return (
    value !== null &&
    typeof value === "object" &&
    value.cut === true &&
    typeof value.start === "string" &&
    typeof value.chars === "number"
  );
}

/** A long value as plain text. @param {any} value @returns {string} */
function plain(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : isCut(value) ? value.start : JSON.stringify(value);
}

/** The start of a text that fits so many lines. @param {string} text @param {number} lines */
function beginning(text, lines) {
  let end = -1;
  for (let n = 0; n < lines; n += 1) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) break;
  }
  const most = lines * 160;
  const cut = end < 0 ? text.length : end;
  return text.slice(0, Math.min(cut, most));
}

/** On paper, where nothing opens, how much of a text is printed. @param {{ start: string, chars: number }} props */
function PrintedPart({ start, chars }) {
  return html`<span class="printed-only"> (the first ${count(start.length)} of ${count(chars)} characters)</span>`;
}

/** @param {{ of: Long | null | undefined, lines?: number, mono?: boolean, quiet?: boolean }} props */
function Prose({ of, lines = 14, mono, quiet }) {
  const text = plain(of);
  const start = beginning(text, lines);
  const long = text.length > start.length + 80;
  const held = useHolds(long ? text.slice(start.length) : "");
  const [chosen, setAll] = useState(/** @type {boolean | null} */ (null));
  const all = chosen ?? held;
  const name = classes("text", mono && "mono", quiet && "quiet");
  return html`<div class=${name}><${Marked}
    of=${all || !long ? text : `${start}…`} />${long && html`<button class="more"
    aria-expanded=${all} onClick=${() => setAll(!all)}>${all ? "Fold" : `All ${count(text.length)} characters`}
    </button>`}${long && !all && html`<${PrintedPart} start=${start} chars=${isCut(of) ? of.chars : text.length} />`}
    ${isCut(of) && html`<p class="cut">${count(of.chars)} characters; the record, to download, has them all.</p>`}
      </div>`;
}

/** Where folds are: the page, and the part of it. Those of one place are told apart by their titles. @type {any} */
const FoldPlace = preact.createContext("");

/** What was opened by hand, by place and title: who comes back finds it open. @type {Set<string>} */
const OPENED = new Set();

/** Keep whether a fold was opened, or folded again. @param {string} id @param {boolean} open */
function keepOpened(id, open) {
  if (open) OPENED.add(id);
  else OPENED.delete(id);
}

/** A part of a place, which has folds of its own. @param {{ part: string | number, children?: any }} props */
function FoldsOf({ part, children }) {
  const place = useContext(FoldPlace);
  return html`<${FoldPlace.Provider} value=${`${place}/${part}`}>${children}</${FoldPlace.Provider}>`;
}

/**
 * What may be folded: open as long as `kept`, and at first where `of`, which it shows, holds a word that is looked for.
 * @typedef {{ title: any, kept?: boolean, of?: any, children?: any, class?: string }} Folded
 * @param {Folded & { name?: string }} props
 */
function Fold({ title, kept = false, of, children, class: kind, name }) {
  const held = useHolds(of);
  const id = `${useContext(FoldPlace)}/${name ?? title}`;
  const [chosen, setOpened] = useState(() => OPENED.has(id) || null);
  const opened = kept || (chosen ?? held);
  return html`<details class=${classes("fold", kind)} open=${opened}
    onToggle=${(/** @type {any} */ event) => {
      if (event.target !== event.currentTarget || event.target.open === opened) return;
      keepOpened(id, event.target.open);
      setOpened(event.target.open);
    }}>
    <summary>${title}</summary>${opened && children}
  </details>`;
}

/** JSON, made only once it is opened. @param {{ of: any, title: any }} props */
function Json({ of, title }) {
  return html`<${Fold} title=${title} of=${of} class="json"><${JsonText} of=${of} /></${Fold}>`;
}

/** @param {{ of: any }} props */
function JsonText({ of }) {
  return html`<${Prose} of=${JSON.stringify(of, null, 2)} lines=${40} mono=${true} />`;
}

/** One value of a row or argument. @param {{ of: any, lines?: number }} props */
function Value({ of, lines = 6 }) {
  if (of === null || of === undefined) return html`<span class="nothing">null</span>`;
  if (typeof of === "string" || isCut(of))
    return of === "" ? html`<span class="nothing">empty</span>` : html`<${Prose} of=${of} lines=${lines} />`;
  if (typeof of === "object")
    return html`<${Prose} of=${JSON.stringify(of, null, Array.isArray(of) && of.length < 6 ? 0 : 1)} lines=${lines}
      mono=${true} />`;
  return html`<span class="mono"><${Marked} of=${String(of)} /></span>`;
}

/** Names and values, one a line. @param {{ of: Record<string, any>, lines?: number }} props */
function Values({ of, lines }) {
  const names = Object.keys(of);
  if (!names.length) return null;
  return html`<dl class="values">${names.map((name) => html`<div key=${name}><dt>${name}</dt><dd>
    <${Value} of=${of[name]} lines=${lines} /></dd></div>`)}</dl>`;
}

/** What a call returned: JSON set out in lines, other text as it is. @param {{ of: Long }} props */
function Result({ of }) {
  const text = plain(of);
  const set = useMemo(() => {
    if (typeof of !== "string" || !/^\s*[[{]/.test(of) || of.length > 200000) return null;
    try {
      return JSON.stringify(JSON.parse(of), null, 2);
    } catch {
      return null;
    }
  }, [of]);
  if (!text) return html`<p class="nothing">empty</p>`;
  return html`<${Prose} of=${set ?? of} lines=${8} mono=${set !== null} />`;
}
