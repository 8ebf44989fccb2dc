// @ts-check
"use strict";
// Rows that were changed: by a call, and expected beside actual.

/** @type {Record<string, string>} */
const OPERATIONS = { insert: "new", update: "changed", delete: "removed" };

/** The same of what is yet to be done. @type {Record<string, string>} */
const TO_DO = { insert: "new", update: "to change", delete: "to remove" };

/** @param {{ app: string, table: string, id: string, op: string, name?: string, missing?: boolean }} props */
function RowName({ app, table, id, op, name, missing }) {
  const known = Object.hasOwn(OPERATIONS, op);
  return html`<span class="row-name"><span class="op op-${known ? op : "update"}">
    ${known ? (missing ? TO_DO : OPERATIONS)[op] : op}</span>
    ${` ${app}.${table} `}${name ? html`${name} ` : ""}<code><${Marked} of=${String(id)} /></code></span>`;
}

/** Facts that a text has to say, in whatever words. @param {{ of: string[] }} props */
function FactsToSay({ of }) {
  return html`<span class="quiet">a text that says</span>
    <ul class="facts">${of.map((fact) => html`<li key=${fact}><${Marked} of=${fact} /></li>`)}</ul>`;
}

/** A field before and after; `says` stands for a text that is not given word for word. @param {FieldShown} props */
function FieldLine({ name, before, after, op, differs, says }) {
  return html`<div class=${differs ? "differs" : ""}><dt>${name}${differs ? html`<span
    class="unseen"> (differs)</span>` : ""}</dt><dd>
    ${op !== "insert" && html`<del><${Value} of=${before} lines=${3} /></del>`}
    ${op === "update" && html`<span class="to" aria-label="became">→</span>`}
    ${op !== "delete" && html`<ins>${says ? html`<${FactsToSay} of=${says} />` : html`<${Value} of=${after}
      lines=${3} />`}</ins>`}
  </dd></div>`;
}

/** @typedef {{ name: string, before: any, after: any, differs?: boolean, says?: string[] }} FieldChange */
/** @typedef {FieldChange & { op: string }} FieldShown */

/** Whether a field of a row holds nothing. @param {any} value */
function isEmpty(value) {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && !isCut(value) && !Object.keys(value).length;
}

/**
 * The fields of a changed row. Of one that is new or gone, those that hold nothing are folded, unless they are what
 * differs.
 * @param {{ of: FieldChange[], op: string }} props
 */
function FieldLines({ of, op }) {
  const holdsNothing = (/** @type {FieldChange} */ one) => isEmpty(one.before) && isEmpty(one.after) && !one.differs;
  const empty = op === "update" ? [] : of.filter(holdsNothing);
  /** @param {FieldChange[]} fields */
  const lines = (fields) => html`<dl class="values">${fields.map((one) => html`<${FieldLine} key=${one.name}
    ...${one} op=${op} />`)}</dl>`;
  return html`${lines(of.filter((one) => !empty.includes(one)))}
    ${empty.length > 0 && html`<${Fold} title=${`and ${counted(empty.length, "empty field")}`}
      of=${empty.map((one) => one.name)}>${lines(empty)}</${Fold}>`}`;
}

/** Rows that one call, or what arrived, changed. @param {{ of: Changed[] }} props */
function ChangedRows({ of }) {
  return html`<div class="changed"><h4>Changed ${counted(of.length, "row")}</h4>
    ${of.slice(0, 50).map(
      (row, n) => html`<${FoldsOf} key=${n} part=${row.id}><div class="change"><${RowName} ...${row} />
      <${FieldLines} op=${row.op} of=${Object.entries(row.fields || {}).map(([name, [before, after]]) => ({
        name,
        before,
        after,
      }))} /></div></${FoldsOf}>`,
    )}
    ${of.length > 50 && html`<${Json} of=${of.slice(50)} title=${`${count(of.length - 50)} more`} />`}
  </div>`;
}

/** The fields of a change that matter: those it names, or all. @param {Change} change @returns {string[]} */
function changedFields(change) {
  if (change.fields?.length) return change.fields;
  return Object.keys(change.after || change.before || {});
}

/**
 * A change with its fields; `apart` are those in which it is not what was expected, or not what was made.
 * @param {{ change: Change, apart?: string[], missing?: boolean }} props
 */
function ChangeBox({ change, apart = [], missing }) {
  const fields = changedFields(change);
  return html`<${FoldsOf} part=${`${change.table} ${change.id}`}><div class="change"><${RowName} app=${change.app}
    table=${change.table} id=${change.id} op=${change.op} name=${change.name} missing=${missing} />
    <${FieldLines} op=${change.op} of=${fields.map((name) => ({
      name,
      before: change.before?.[name] ?? null,
      after: change.after?.[name] ?? null,
      differs: apart.includes(name),
      says: change.says?.[name],
    }))} />
  </div></${FoldsOf}>`;
}

/** Differences that are told in one sentence. */
const TOLD = 3;

/** A value in a sentence, in quotes where it is several words. @param {any} value */
function inWords(value) {
  if (value === null || value === undefined || value === "") return "nothing";
  const whole = tidy(plain(value));
  const text = whole.length > 60 ? `${whole.slice(0, 59)}…` : whole;
  return text.includes(" ") ? `"${text}"` : text;
}

/** "says 3 of 4 facts; missing: 1,240.50", of a text that has to say some. @param {Telling} of */
function inFacts({ said, missing, enough }) {
  const all = said.length + missing.length;
  const lacks = missing.length ? `; missing: ${missing.join(", ")}` : "";
  const crossed = !missing.length && !enough ? ", but with the wrong names" : "";
  return `says ${count(said.length)} of ${counted(all, "fact")}${lacks}${crossed}`;
}

/**
 * "3 of 3 expected changes were made with another value: status Lost instead of Won"; "" where none was. What a check
 * counts twice, as missing and as unexpected, is one thing done wrong.
 * @param {Trial} trial
 */
function otherValues(trial) {
  if (!isExpectedKnown(trial) || !trial.near.length) return "";
  const said = trial.near.flatMap((one) => {
    const [wanted, made] = [trial.expected[one.expected], trial.actual[one.actual]];
    return one.fields.map((name) =>
      Object.hasOwn(one.told, name)
        ? `${name} ${inFacts(one.told[name])}`
        : `${name} ${inWords(made.after?.[name])} instead of ${inWords(wanted.after?.[name])}`,
    );
  });
  const each = [...new Set(said)];
  const rest = each.length > TOLD ? `, and ${count(each.length - TOLD)} more` : "";
  const made = `${count(trial.near.length)} of ${counted(trial.expected.length, "expected change")}`;
  return `${made} ${trial.near.length === 1 ? "was" : "were"} made with another value${each.length ? ": " : ""}${each
    .slice(0, TOLD)
    .join("; ")}${rest}.`;
}

/** More missing changes are not named in a sentence. */
const LACKING = 2;

/** "crm.customers Ada Lovelace status Won": an expected change in a sentence. @param {Change} change */
function inOneLine(change) {
  const { app, table, op, id, name } = change;
  const values = op === "update" ? changedFields(change).map((one) => `${one} ${inWords(change.after?.[one])}`) : [];
  const told = values.join(", ");
  const word = op === "update" ? "" : `${op === "insert" ? "new" : "removal of"} `;
  const row = name || (op === "insert" ? "" : id);
  return [`${word}${app}.${table}`, row, told.length > 80 ? "" : told].filter(Boolean).join(" ");
}

/** Which one or two expected changes were not made, not even with another value, by name. @param {Trial} trial */
function missingInWords(trial) {
  if (!isExpectedKnown(trial) || !trial.paired) return "";
  const found = new Set([...trial.pairs.map(([from]) => from), ...trial.near.map((one) => one.expected)]);
  const missing = trial.expected.filter((_, n) => !found.has(n));
  if (!missing.length || missing.length > LACKING) return "";
  return missing.map(inOneLine).join("; ");
}

/** What the check of outcomes says where all expected changes are missing. */
const ALL_MISSING = /^(the one expected change is missing|all \d+ expected changes are missing), and (.+)$/i;

/**
 * A reason with the names of the missing changes in it, where it says that all are missing; "" where it does not.
 * @param {string} reason @param {string} missing
 */
function reasonNaming(reason, missing) {
  const found = ALL_MISSING.exec(reason);
  return found && missing ? `${found[1]}: ${missing}. ${sentence(found[2])}` : "";
}

/** What the check of outcomes says where it counts changes and nothing else: expected ones, then unexpected ones. */
const COUNTED = new RegExp(
  "^(\\d+ of \\d+ expected changes (was|were) made|the one expected change is missing|" +
    "all \\d+ expected changes are missing), and (?<extra>\\d+) unexpected changes?\\.$",
  "i",
);

/**
 * Whether a reason says no more than `otherValues` does: it counts as missing and as unexpected what was made with
 * another value, and nothing else.
 * @param {Trial} trial @param {string} reason
 */
function isSaidBetter(trial, reason) {
  const near = isExpectedKnown(trial) ? trial.near.length : 0;
  const extra = COUNTED.exec(reason)?.groups?.extra;
  return (
    near > 0 &&
    Number(extra) === near &&
    trial.counts?.unexpected === near &&
    trial.expected.length - trial.pairs.length === near
  );
}

/** Whether what was expected is known: not of a task that is another one now, or gone. @param {Trial} trial */
function isExpectedKnown(trial) {
  return Boolean(trial.task && !trial.task.changed);
}

/** Whether it is known how many changes were expected: not of a task without an accepted end. @param {Trial} trial */
function areChangesExpected(trial) {
  return isExpectedKnown(trial) && Boolean(trial.counts || trial.expected.length);
}

/** What was changed, where nobody knows what was expected. @param {{ trial: Trial }} props */
function ActualAlone({ trial }) {
  if (!trial.actual.length) return html`<p class="quiet">Nothing was changed.</p>`;
  return trial.actual.map((change, n) => html`<${ChangeBox} key=${n} change=${change} />`);
}

/** More changes that were made as expected are folded. */
const MATCHED = 5;

/** Expected beside actual changes, where it is not known which met which. @param {{ trial: Trial }} props */
function Unpaired({ trial }) {
  const all = trial.expected.map((change, n) => html`<div key=${n}>
    ${typeof change.met === "boolean" && html`<p class="quiet met-word">
      ${change.met ? "made as expected" : "missing"}</p>`}
    <${FoldsOf} part=${`expected ${n}`}><${ChangeBox} change=${change} missing=${!change.met} /></${FoldsOf}></div>`);
  return html`<div class="pairs" role="table" aria-label="Expected and actual changes">
    <div class="pair-row head" role="row"><div role="columnheader">Expected</div><div role="columnheader" class="mark">
    </div><div role="columnheader">Actual</div></div>
    <div class="pair-row is-unpaired" role="row"><div role="cell" class="expected">${all.length ? all : "nothing"}</div>
    <div role="cell" class="mark"></div>
    <div role="cell" class="actual"><${FoldsOf} part="actual"><${ActualAlone} trial=${trial} /></${FoldsOf}></div></div>
  </div>`;
}

/** @param {{ trial: Trial }} props */
function ExpectedActual({ trial }) {
  if (!areChangesExpected(trial)) return html`<${ActualAlone} trial=${trial} />`;
  const { expected, actual, pairs, near } = trial;
  const met = new Map(pairs);
  const used = new Set(pairs.map(([, at]) => at));
  const missing = expected.map((_, n) => n).filter((n) => !met.has(n));
  const extra = actual.map((_, n) => n).filter((n) => !used.has(n));
  const nearFrom = new Set(near.map((one) => one.expected));
  const nearTo = new Set(near.map((one) => one.actual));
  if (!expected.length && !actual.length) return html`<p class="quiet">Nothing was to be changed, and nothing was.</p>`;
  if (!trial.paired) return html`<${Unpaired} trial=${trial} />`;
  /** @type {(kind: string, word: any, left: any, right: any, key: string) => any} */
  const line = (kind, word, left, right, key) => html`<div class="pair-row is-${kind}" key=${key} role="row">
    <div role="cell" class="expected"><${FoldsOf} part=${`expected ${key}`}>${left}</${FoldsOf}></div>
    <div role="cell" class="mark"><span class="mark-word">${word}</span>
    </div><div role="cell" class="actual"><${FoldsOf} part=${`actual ${key}`}>${right}</${FoldsOf}></div></div>`;
  const matched = pairs.map(([from, to]) => line("met", "as expected", expected[from].op === "delete" ? html`<div
    class="change"><${RowName} ...${expected[from]} /></div>` : html`<${ChangeBox} change=${expected[from]} />`,
    html`<${ChangeBox} change=${actual[to]} />`, `p${from}`));
  return html`<div class="pairs" role="table" aria-label="Expected and actual changes">
    <div class="pair-row head" role="row"><div role="columnheader">Expected</div><div role="columnheader" class="mark">
    </div><div role="columnheader">Actual</div></div>
    ${near.map((one) => line("near", html`<span class="word-near">made with another value</span>`,
      html`<${ChangeBox} change=${expected[one.expected]} apart=${one.fields} />`,
      html`<${ChangeBox} change=${actual[one.actual]} apart=${one.fields} /><${Tellings} of=${one} />`,
      `n${one.expected}`))}
    ${missing.filter((n) => !nearFrom.has(n)).map((n) => line("missing", "missing", html`<${ChangeBox}
      change=${expected[n]} missing=${true} />`, html`<p
      class="nothing">${expected[n].op === "delete" ? "still there" : "not made"}</p>`, `m${n}`))}
    ${extra.filter((n) => !nearTo.has(n)).map((n) => line("extra", "unexpected", html`<p
      class="nothing">not expected</p>`, html`<${ChangeBox} change=${actual[n]} />`, `x${n}`))}
    ${pairs.length > MATCHED ? html`<${Fold} class="matched" title=${`${count(pairs.length)} changes as expected`}
      of=${pairs.map(([, to]) => actual[to])}>${matched}</${Fold}>` : matched}
  </div>`;
}

/** What texts say of the facts that they have to say. @param {{ of: Near }} props */
function Tellings({ of }) {
  return Object.entries(of.told).map(
    ([name, told]) => html`<p class="tells" key=${name}><b>${name}</b> ${inFacts(told)}</p>`,
  );
}

/** "2 of 3 expected changes made, 1 unexpected change", as the check has counted. @param {Trial} trial */
function changesSummary(trial) {
  if (!isExpectedKnown(trial)) return counted(trial.actual.length, "changed row");
  const { counts } = trial;
  const score = trial.row.verdict === "void" ? "a void trial has no score" : "the score does not count changes";
  if (!counts) return `${counted(trial.actual.length, "changed row")}; ${score}`;
  const near = trial.near.length;
  const extra = counts.unexpected - near;
  const parts = [
    counts.expected
      ? `${count(counts.matched)} of ${counted(counts.expected, "expected change")} made`
      : "no change expected",
  ];
  if (near) parts.push(`${count(near)} with another value`);
  const kind = near ? "other unexpected change" : "unexpected change";
  parts.push(extra ? counted(extra, kind) : `no ${kind}s`);
  return parts.join(", ");
}
