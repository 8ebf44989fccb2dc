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

/** A field before and after. @param {{ name: string, before: any, after: any, op: string, differs?: boolean }} props */
function FieldLine({ name, before, after, op, differs }) {
  return html`<div class=${differs ? "differs" : ""}><dt>${name}${differs ? html`<span
    class="unseen"> (differs)</span>` : ""}</dt><dd>
    ${op !== "insert" && html`<del><${Value} of=${before} lines=${3} /></del>`}
    ${op === "update" && html`<span class="to" aria-label="became">→</span>`}
    ${op !== "delete" && html`<ins><${Value} of=${after} lines=${3} /></ins>`}
  </dd></div>`;
}

/** @typedef {{ name: string, before: any, after: any, differs?: boolean }} FieldChange */

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

/** Writes with their values afterwards, where what was before is not told. @param {{ of: Write[] }} props */
function WrittenRows({ of }) {
  return html`<div class="changed"><h4>${counted(of.length, "row")}</h4>
    ${of.slice(0, 50).map(
      (
        row,
        n,
      ) => html`<div class="change" key=${n}><${RowName} app=${row.app} table=${row.table} id=${row.id}
        op=${row.values ? "insert" : "delete"} />
      ${row.values && html`<${Fold} title="Values" name=${`values ${row.id}`} of=${row.values}>
        <${FieldLines} op="insert" of=${Object.entries(row.values).map(([name, after]) => ({
          name,
          before: null,
          after,
        }))} /></${Fold}>`}</div>`,
    )}
    ${of.length > 50 && html`<p class="quiet">${count(of.length - 50)} more</p>`}
  </div>`;
}

/** The fields of a change that matter: those it names, or all. @param {Change} change @returns {string[]} */
function changedFields(change) {
  if (change.fields?.length) return change.fields;
  return Object.keys(change.after || change.before || {});
}

/** @param {{ change: Change, against?: Change | null, missing?: boolean }} props */
function ChangeBox({ change, against, missing }) {
  const fields = changedFields(change);
  return html`<${FoldsOf} part=${`${change.table} ${change.id}`}><div class="change"><${RowName} app=${change.app}
    table=${change.table} id=${change.id} op=${change.op} name=${change.name} missing=${missing} />
    <${FieldLines} op=${change.op} of=${fields.map((name) => ({
      name,
      before: change.before?.[name] ?? null,
      after: change.after?.[name] ?? null,
      differs: against ? differs(change, against, name) : false,
    }))} />
  </div></${FoldsOf}>`;
}

/**
 * Whether two changes, of which both speak of a field, say different things of it.
 * @param {Change} one
 * @param {Change} other
 * @param {string} name
 */
function differs(one, other, name) {
  if (!changedFields(one).includes(name) || !changedFields(other).includes(name)) return false;
  return canonical(one.after?.[name] ?? null) !== canonical(other.after?.[name] ?? null);
}

/**
 * Expected changes that are missing, each with the unexpected one that is most like it, if one is: often one thing done
 * wrong.
 * @param {Change[]} expected
 * @param {Change[]} actual
 * @param {number[]} missing
 * @param {number[]} extra
 * @returns {[number, number][]}
 */
function nearly(expected, actual, missing, extra) {
  const free = new Set(extra);
  /** @type {[number, number][]} */
  const found = [];
  for (const from of missing) {
    const one = expected[from];
    let most = -1;
    let best = -1;
    for (const to of free) {
      const other = actual[to];
      if (one.app !== other.app || one.table !== other.table || one.op !== other.op) continue;
      const same = changedFields(one).filter(
        (name) => canonical(one.after?.[name] ?? null) === canonical(other.after?.[name] ?? null),
      ).length;
      const likeness = same + (one.id && one.id === other.id ? 100 : 0);
      if ((one.op === "insert" || (one.id && one.id === other.id)) && likeness > most) [most, best] = [likeness, to];
    }
    if (best >= 0) {
      found.push([from, best]);
      free.delete(best);
    }
  }
  return found;
}

/** Of trials that are shown, what `nearOf` found. @type {WeakMap<Trial, [number, number][]>} */
const NEAR = new WeakMap();

/** Expected changes that were made with another value, as `nearly` finds them. @param {Trial} trial */
function nearOf(trial) {
  const known = NEAR.get(trial) || nearlyMade(trial);
  NEAR.set(trial, known);
  return known;
}

/** @param {Trial} trial @returns {[number, number][]} */
function nearlyMade(trial) {
  if (!isExpectedKnown(trial)) return [];
  const met = new Set(trial.pairs.map(([from]) => from));
  const used = new Set(trial.pairs.map(([, to]) => to));
  const missing = trial.expected.map((_, n) => n).filter((n) => !met.has(n));
  const extra = trial.actual.map((_, n) => n).filter((n) => !used.has(n));
  return nearly(trial.expected, trial.actual, missing, extra);
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

/**
 * "3 of 3 expected changes were made with another value: status Lost instead of Won"; "" where none was. What a check
 * counts twice, as missing and as unexpected, is one thing done wrong.
 * @param {Trial} trial
 */
function otherValues(trial) {
  const near = nearOf(trial);
  if (!near.length) return "";
  const said = near.flatMap(([from, to]) => {
    const [wanted, made] = [trial.expected[from], trial.actual[to]];
    return changedFields(wanted)
      .filter((name) => differs(wanted, made, name))
      .map((name) => `${name} ${inWords(made.after?.[name])} instead of ${inWords(wanted.after?.[name])}`);
  });
  const each = [...new Set(said)];
  const rest = each.length > TOLD ? `, and ${count(each.length - TOLD)} more` : "";
  const made = `${count(near.length)} of ${counted(trial.expected.length, "expected change")}`;
  return `${made} ${near.length === 1 ? "was" : "were"} made with another value${each.length ? ": " : ""}${each
    .slice(0, TOLD)
    .join("; ")}${rest}.`;
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
  const near = nearOf(trial).length;
  const extra = COUNTED.exec(reason)?.groups?.extra;
  return (
    near > 0 &&
    Number(extra) === near &&
    trial.expected.length - trial.pairs.length === near &&
    trial.actual.length - trial.pairs.length === near
  );
}

/** Whether what was expected is known: not of a task that is another one now, or gone. @param {Trial} trial */
function isExpectedKnown(trial) {
  return Boolean(trial.task && !trial.task.changed);
}

/** What was changed, where nobody knows what was expected. @param {{ trial: Trial }} props */
function ActualAlone({ trial }) {
  if (!trial.actual.length) return html`<p class="quiet">Nothing was changed.</p>`;
  return trial.actual.map((change, n) => html`<${ChangeBox} key=${n} change=${change} />`);
}

/** More changes that were made as expected are folded. */
const MATCHED = 5;

/** @param {{ trial: Trial }} props */
function ExpectedActual({ trial }) {
  if (!isExpectedKnown(trial)) return html`<${ActualAlone} trial=${trial} />`;
  const { expected, actual, pairs } = trial;
  const met = new Map(pairs);
  const used = new Set(pairs.map(([, at]) => at));
  const missing = expected.map((_, n) => n).filter((n) => !met.has(n));
  const extra = actual.map((_, n) => n).filter((n) => !used.has(n));
  const near = nearOf(trial);
  const nearFrom = new Set(near.map(([from]) => from));
  const nearTo = new Set(near.map(([, to]) => to));
  if (!expected.length && !actual.length) return html`<p class="quiet">Nothing was to be changed, and nothing was.</p>`;
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
    ${near.map(([from, to]) => line("near", html`<span class="word-near">made with another value</span>`,
      html`<${ChangeBox} change=${expected[from]}
      against=${actual[to]} />`, html`<${ChangeBox} change=${actual[to]} against=${expected[from]} />`, `n${from}`))}
    ${missing.filter((n) => !nearFrom.has(n)).map((n) => line("missing", "missing", html`<${ChangeBox}
      change=${expected[n]} missing=${true} />`, html`<p
      class="nothing">${expected[n].op === "delete" ? "still there" : "not made"}</p>`, `m${n}`))}
    ${extra.filter((n) => !nearTo.has(n)).map((n) => line("extra", "unexpected", html`<p
      class="nothing">not expected</p>`, html`<${ChangeBox} change=${actual[n]} />`, `x${n}`))}
    ${pairs.length > MATCHED ? html`<${Fold} class="matched" title=${`${count(pairs.length)} changes as expected`}
      of=${pairs.map(([, to]) => actual[to])}>${matched}</${Fold}>` : matched}
  </div>`;
}

/** "2 of 3 expected changes made, 1 unexpected change". @param {Trial} trial */
function changesSummary(trial) {
  if (!isExpectedKnown(trial)) return counted(trial.actual.length, "changed row");
  const near = nearOf(trial).length;
  const extra = trial.actual.length - trial.pairs.length - near;
  const parts = [
    trial.expected.length
      ? `${trial.pairs.length} of ${counted(trial.expected.length, "expected change")} made`
      : "no change expected",
  ];
  if (near) parts.push(`${count(near)} with another value`);
  const kind = near ? "other unexpected change" : "unexpected change";
  parts.push(extra ? counted(extra, kind) : `no ${kind}s`);
  return parts.join(", ");
}
