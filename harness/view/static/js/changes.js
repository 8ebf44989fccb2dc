// @ts-check
"use strict";
// Rows that were changed: by a call, and expected beside actual.

/** @type {Record<string, string>} */
const OPERATIONS = { insert: "new", update: "changed", delete: "removed" };

/** @param {{ app: string, table: string, id: string, op: string }} props */
function RowName({ app, table, id, op }) {
  return html`<span class="row-name"><span class="op op-${Object.hasOwn(OPERATIONS, op) ? op : "update"}">${Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : op}</span> ${app}.${table} <code>${id}</code></span>`;
}

/** A field before and after. @param {{ name: string, before: any, after: any, op: string }} props */
function FieldLine({ name, before, after, op }) {
  return html`<div><dt>${name}</dt><dd>
    ${op !== "insert" && html`<del><${Value} of=${before} lines=${3} /></del>`}
    ${op === "update" && html`<span class="to" aria-label="became">→</span>`}
    ${op !== "delete" && html`<ins><${Value} of=${after} lines=${3} /></ins>`}
  </dd></div>`;
}

/** Rows that one call, or what arrived, changed. @param {{ of: Changed[] }} props */
function ChangedRows({ of }) {
  return html`<div class="changed"><h4>Changed ${counted(of.length, "row")}</h4>
    ${of.slice(0, 50).map((row, n) => html`<div class="change" key=${n}><${RowName} ...${row} />
      <dl class="values">${Object.entries(row.fields || {}).map(([name, [before, after]]) => html`<${FieldLine} key=${name} name=${name} before=${before} after=${after} op=${row.op} />`)}</dl></div>`)}
    ${of.length > 50 && html`<${Json} of=${of.slice(50)} title=${`${count(of.length - 50)} more`} />`}
  </div>`;
}

/** Writes with their values afterwards, where what was before is not told. @param {{ of: Write[] }} props */
function WrittenRows({ of }) {
  return html`<div class="changed"><h4>${counted(of.length, "row")}</h4>
    ${of.slice(0, 50).map((row, n) => html`<div class="change" key=${n}><${RowName} app=${row.app} table=${row.table} id=${row.id} op=${row.values ? "insert" : "delete"} />
      ${row.values && html`<${Fold} title="Values"><${Values} of=${row.values} lines=${3} /></${Fold}>`}</div>`)}
    ${of.length > 50 && html`<p class="quiet">${count(of.length - 50)} more</p>`}
  </div>`;
}

/** The fields of a change that matter: those it names, or all. @param {Change} change @returns {string[]} */
function changedFields(change) {
  if (change.fields?.length) return change.fields;
  return Object.keys(change.after || change.before || {});
}

/** @param {{ change: Change, against?: Change | null }} props */
function ChangeBox({ change, against }) {
  const fields = changedFields(change);
  const others = against ? new Set(changedFields(against)) : null;
  return html`<div class="change"><${RowName} ...${{ app: change.app, table: change.table, id: change.id, op: change.op }} />
    <dl class="values">${fields.map((name) => html`<${FieldLine} key=${name} name=${name} op=${change.op}
      before=${change.before?.[name] ?? null} after=${change.after?.[name] ?? null} />`)}</dl>
    ${others && fields.some((name) => !others.has(name)) && html`<p class="quiet">Fields beyond those expected do not count where a check leaves them open.</p>`}
  </div>`;
}

/** @param {{ trial: Trial }} props */
function ExpectedActual({ trial }) {
  const { expected, actual, pairs } = trial;
  const met = new Map(pairs);
  const used = new Set(pairs.map(([, at]) => at));
  const missing = expected.map((_, n) => n).filter((n) => !met.has(n));
  const extra = actual.map((_, n) => n).filter((n) => !used.has(n));
  if (!expected.length && !actual.length) return html`<p class="quiet">Nothing was to be changed, and nothing was.</p>`;
  /** @type {(kind: string, word: string, left: any, right: any, key: string) => any} */
  const line = (kind, word, left, right, key) => html`<div class="pair-row is-${kind}" key=${key} role="row">
    <div role="cell" class="expected">${left}</div><div role="cell" class="mark"><span class="mark-word">${word}</span></div><div role="cell" class="actual">${right}</div></div>`;
  return html`<div class="pairs" role="table" aria-label="Expected and actual changes">
    <div class="pair-row head" role="row"><div role="columnheader">Expected</div><div role="columnheader" class="mark"></div><div role="columnheader">Actual</div></div>
    ${missing.map((n) => line("missing", "missing", html`<${ChangeBox} change=${expected[n]} />`, html`<p class="nothing">not made</p>`, `m${n}`))}
    ${extra.map((n) => line("extra", "side effect", html`<p class="nothing">not expected</p>`, html`<${ChangeBox} change=${actual[n]} />`, `x${n}`))}
    ${pairs.map(([from, to]) => line("met", "as expected", html`<${ChangeBox} change=${expected[from]} />`, html`<${ChangeBox} change=${actual[to]} />`, `p${from}`))}
  </div>`;
}

/** "2 of 3 expected changes made, 1 side effect". @param {Trial} trial */
function changesSummary(trial) {
  const extra = trial.actual.length - trial.pairs.length;
  const parts = [trial.expected.length ? `${trial.pairs.length} of ${counted(trial.expected.length, "expected change")} made` : "no change expected"];
  parts.push(extra ? counted(extra, "side effect") : "no side effects");
  return parts.join(", ");
}
