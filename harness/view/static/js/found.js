// @ts-check
"use strict";
// Words of a search: where they stand in a trial, and how they are marked. A mark is an element around plain text.

/** What marks words in a text, null where none are looked for: seen by all that shows text. @type {any} */
const Marks = preact.createContext(null);

/** Words of a search; a phrase in quotes is one. @param {string} words @returns {string[]} */
function searched(words) {
  const found = [...words.matchAll(/"([^"]*)"?|(\S+)/g)].map((one) => folded(tidy(one[1] ?? one[2])));
  return [...new Set(found)].filter(Boolean);
}

/** White space single. @param {string} text */
function tidy(text) {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

/** Words of a search in quotes; a phrase has its own. @param {string} words */
function quoted(words) {
  return words.includes('"') ? words : `“${words}”`;
}

/** What finds the words in a text that is folded. @param {string} words @returns {RegExp | null} */
function marksOf(words) {
  const each = searched(words)
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&").replaceAll(" ", "\\s+"));
  return each.length ? new RegExp(each.join("|"), "g") : null;
}

/**
 * Where words stand in a text as it is: folded, some characters are several.
 * @param {string} text @param {RegExp} marks @returns {[number, number][]}
 */
function spansOf(text, marks) {
  const low = folded(text);
  if (low.length === text.length)
    return [...low.matchAll(marks)].map((match) => [match.index, match.index + match[0].length]);
  /** Of each folded character, where the one that it is of begins and ends. @type {[number, number][]} */
  const places = [];
  let at = 0;
  for (const one of text) {
    for (let n = folded(one).length; n > 0; n -= 1) places.push([at, at + one.length]);
    at += one.length;
  }
  /** @type {[number, number][]} */
  const spans = [];
  for (const match of low.matchAll(marks)) {
    const [start, end] = [places[match.index][0], places[match.index + match[0].length - 1][1]];
    if (start >= (spans.at(-1)?.[1] ?? 0)) spans.push([start, end]);
  }
  return spans;
}

/** A text in parts, of which every second one is a word that was found. @param {string} text @param {RegExp} marks */
function inParts(text, marks) {
  const parts = [];
  let at = 0;
  for (const [start, end] of spansOf(text, marks)) {
    parts.push(text.slice(at, start), text.slice(start, end));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** @param {{ of: string[] }} props */
function Parts({ of }) {
  return of.map((part, n) => (n % 2 ? html`<mark key=${n}>${part}</mark>` : part));
}

/** A text with the words marked that are looked for. @param {{ of: string }} props */
function Marked({ of }) {
  const marks = useContext(Marks);
  return marks ? html`<${Parts} of=${inParts(of, marks)} />` : of;
}

/**
 * Whether a value holds one of the words, in any text of it.
 * @param {any} value @param {RegExp | null} marks @returns {boolean}
 */
function holds(value, marks) {
  if (!marks || value === null || value === undefined) return false;
  if (typeof value === "string") return folded(value).search(marks) >= 0;
  if (isCut(value)) return holds(value.start, marks);
  return typeof value === "object" && Object.values(value).some((one) => holds(one, marks));
}

/** Whether a value that may be folded holds one of the words. @param {any} value @returns {boolean} */
function useHolds(value) {
  const marks = useContext(Marks);
  return useMemo(() => holds(value, marks), [value, marks]);
}

const AROUND = [20, 160];

/** The text around the first word, in parts. @param {string} text @param {RegExp | null} marks @returns {string[]} */
function around(text, marks) {
  const first = (marks && spansOf(text, marks)[0]?.[0]) ?? -1;
  const start = Math.max(0, first - AROUND[0]);
  const end = Math.min(text.length, Math.max(0, first) + AROUND[1]);
  const cut = `${start ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  return marks ? inParts(cut, marks) : [cut];
}

/**
 * As the server finds it, of a folder's texts: an excerpt where all words are held, else null.
 * @param {FolderText} text @param {string[]} words @param {RegExp | null} marks
 * @returns {Excerpt | null}
 */
function excerptOf(text, words, marks) {
  if (!words.every((word) => text.all.includes(word))) return null;
  let most = 0.5;
  /** @type {PlaceOfText} */
  let best = [0, -1, "", ""];
  for (const place of text.places) {
    const low = folded(place[3]);
    const held = words.reduce((sum, word) => sum + (low.includes(word) ? 1 : 0), 0);
    // What a call was given tells more than what was said of it.
    const worth = held + (held && place[2].startsWith("arguments") ? 0.5 : 0);
    if (worth > most) [most, best] = [worth, place];
    if (worth > words.length) break;
  }
  return [best[2], around(best[3], marks)];
}

/**
 * The same of one trial: each event that holds one of the words, then what is no event.
 * @param {PlaceOfText[]} places @param {string[]} words @param {RegExp | null} marks
 * @returns {{ hits: Hit[], total: number }}
 */
function hitsOf(places, words, marks) {
  /** @type {Map<string, Hit>} */
  const made = new Map();
  for (const [attempt, at, field, text] of places) {
    const low = folded(text);
    if (!words.some((word) => low.includes(word))) continue;
    const key = `${attempt} ${at} ${at >= 0 ? "" : field.split(".")[0]}`;
    const hit = made.get(key) || { attempt, at, fields: [] };
    made.set(key, hit);
    hit.fields.push([field, around(text, marks)]);
  }
  const last = (/** @type {Hit} */ hit) => (hit.at < 0 ? Infinity : hit.at);
  const hits = [...made.values()].sort((a, b) => a.attempt - b.attempt || last(a) - last(b) || 0);
  return { hits: hits.slice(0, 2000), total: hits.length };
}

/** Names of fields that say more than a record's; "" where it goes without saying. @type {Record<string, string>} */
const FIELDS = { text: "", content: "", request: "sent to the model", response: "answer of the model" };

/** What places of a trial are called in a few words, by their paths. @type {[RegExp, string][]} */
const PLACES = [
  [/^task\.expected\.\d+\.\d+\.values\.([^.]+).*$/, "expected change: $1"],
  [/^task\.expected\.\d+\.\d+\.before\.([^.]+).*$/, "expected change: $1 before"],
  [/^task\.expected\..*$/, "expected change"],
  [/^task\.prompts\.(.+)$/, "$1 request"],
  [/^task\.withheld\..*$/, "withheld"],
  [/^task\.facts\.([^.]+).*$/, "task: $1"],
  [/^annotations\.\d+\.text$/, "annotation"],
  [/^annotations\.\d+\.([^.]+)$/, "annotation: $1"],
  [/^changes\.\d+\.after\.([^.]+).*$/, "change: $1"],
  [/^changes\.\d+\.before\.([^.]+).*$/, "change: $1 before"],
  [/^changes\..*$/, "change"],
  [/^start\.\d+\.before\.([^.]+).*$/, "at the start: $1"],
  [/^writes\.\d+\.values\.([^.]+).*$/, "written: $1"],
  [/^writes\..*$/, "written row"],
  [/^arguments\.([^.]+).*$/, "argument: $1"],
];

/** A place of a trial in a few words. @param {string} path of a field: `arguments.to.0` */
function fieldName(path) {
  for (const [of, name] of PLACES) if (of.test(path)) return path.replace(of, name);
  const [first, ...rest] = path.split(".");
  const name = Object.hasOwn(FIELDS, first) ? FIELDS[first] : first.replaceAll("_", " ");
  return [name, rest.filter((one) => !/^\d+$/.test(one)).join(" › ")].filter(Boolean).join(": ");
}

/** Characters before the first word that was found, and between two, of which more are left out. */
const [BEFORE, BETWEEN] = [12, 10];

/** Parts with less around the words, so that all of them are in sight. @param {string[]} parts */
function briefly(parts) {
  return parts.map((part, n) => {
    if (n % 2 || n === parts.length - 1) return part;
    if (n === 0) return part.length > BEFORE ? `…${part.slice(-BEFORE).replace(/^\S*\s+(?=\S)/, "")}` : part;
    return part.length > BETWEEN ? `${part.slice(0, BETWEEN / 2)}…${part.slice(-BETWEEN / 2)}` : part;
  });
}

/**
 * The words that were found with a few around them, then where they stand. `whole` leaves nothing out; so does a cell
 * of the list where one points at it.
 * @param {{ of: Excerpt, whole?: boolean }} props
 */
function ExcerptLine({ of: [field, parts], whole }) {
  const named = fieldName(field);
  const brief = briefly(parts);
  const same = whole || brief.every((part, n) => part === parts[n]);
  return html`<span class="excerpt"><span class=${classes("excerpt-text", !same && "is-brief")}><${Parts}
    of=${same ? parts : brief} /></span>
    ${!same && html`<span class="excerpt-text is-whole"><${Parts} of=${parts} /></span>`}
    ${named && html` <span class="excerpt-field">${named}</span>`}</span>`;
}

/** What a card shows of its event: words in the rest are told as excerpts. */
const RENDERED = new Set(
  "text content arguments app tool context candidates targets revealed parts problem model source process".split(" "),
);

/**
 * Whether a card shows the words of a field.
 * @param {Event_} event @param {string} field @param {RegExp | null} marks
 */
function isShown(event, field, marks) {
  const first = field.split(".")[0];
  if (first === "tool") return holds(`${event.app}.${event.tool}`, marks);
  if (first === "writes") return holds(event.changed, marks);
  return RENDERED.has(first) && holds(event[first], marks);
}

/**
 * Words that stand in what the card leaves out or cuts.
 * @param {{ event: Event_, hit: Hit | undefined }} props
 */
function HiddenHits({ event, hit }) {
  const marks = useContext(Marks);
  const hidden = (hit?.fields || []).filter(([field]) => !isShown(event, field, marks));
  if (!hidden.length) return null;
  return html`<div class="hidden-hits"><h4>Found in what is not shown here</h4>
    <ul>${hidden.slice(0, 5).map((one, n) => html`<li key=${n}><${ExcerptLine} of=${one} whole=${true} /></li>`)}</ul>
    ${hidden.length > 5 && html`<p class="quiet">and in ${counted(hidden.length - 5, "more field")}</p>`}</div>`;
}

/** Where a hit is, as the page counts. @param {Hit} hit @param {Trial | undefined} trial */
function placeName(hit, trial) {
  if (hit.at < 0) return "outside the events";
  const same = trial && (attemptOf(trial) || 0) === hit.attempt;
  const step = same ? trial.steps.indexOf(hit.at) : -1;
  return step >= 0 ? `step ${step}` : `event ${hit.at}`;
}

/**
 * The words in force, how many places hold one, and the way from each to the next.
 * @param {object} props
 * @param {Hit[]} props.hits
 * @param {number} props.total
 * @param {string} props.words
 * @param {number} props.at which of them is shown, -1 where none is yet
 * @param {Trial | undefined} props.trial
 * @param {(by: number) => void} props.move
 * @param {Route} props.clear
 */
function HitBar({ hits, total, words, at, trial, move, clear }) {
  const hit = hits[at];
  const place = hit && placeName(hit, trial);
  const earlier = hit?.attempt ? `, earlier try ${hit.attempt}` : "";
  const told = hit ? `${count(at + 1)} of ${count(total)}, ${place}${earlier}` : counted(total, "place");
  return html`<div class="hit-bar" role="group" aria-label="Found words">
    <span class="hit-words">Found <mark>${words}</mark></span>
    <button class="button small" disabled=${!hits.length} onClick=${() => move(-1)}
      title="Key: ,">Previous hit</button>
    <button class="button small" disabled=${!hits.length} onClick=${() => move(1)} title="Key: .">Next hit</button>
    <span role="status" aria-live="polite" class="hit-status"
      title=${hit ? `${hit.fields[0][1].join("")} (${fieldName(hit.fields[0][0]) || place})` : undefined}>
      ${hits.length ? told : "Nowhere in this trial"}
      ${hit && html` <${ExcerptLine} of=${hit.fields[0]} />`}</span>
    <${Link} to=${clear} class="tool" label="Stop marking" title="Stop marking">✕</${Link}>
  </div>`;
}
