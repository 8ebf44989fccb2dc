// @ts-check
"use strict";
// Two trials step by step: which steps are the same, and where they part first.

/**
 * What both are compared by: a step with what was said before it and asked in it.
 * @typedef {object} Step
 * @property {string} kind
 * @property {string} title
 * @property {string} name
 * @property {string} sign what is the same in two steps that are the same
 * @property {Event_} event
 * @property {Event_[]} said
 * @property {Event_[]} asked
 */
/**
 * A line of the comparison.
 * @typedef {{ left: Step | null, right: Step | null, same: boolean, result: boolean }} Pairing
 */

/**
 * Steps of a trial: calls, hand-overs, requests and arrivals, with what belongs to each.
 * @param {Event_[]} events
 * @returns {Step[]}
 */
function stepsOf(events) {
  /** @type {Step[]} */
  const steps = [];
  /** @type {Event_[]} */
  let said = [];
  /** @type {Event_[]} */
  let asked = [];
  for (const event of events) {
    if (event.kind === "message" && event.role === "assistant" && plain(event.content)) said.push(event);
    else if (event.kind === "question") asked.push(event);
    else if (event.kind === "answer") {
      const last = steps.at(-1);
      if (last?.kind === "hand_over" && last.event.n === event.step) last.asked.push(event);
      else asked.push(event);
    } else if (
      event.kind === "call" ||
      event.kind === "hand_over" ||
      event.kind === "request" ||
      event.kind === "arrival"
    ) {
      const call = event.kind === "call";
      const name = call ? `${event.app}.${event.tool}` : event.kind;
      const sign = call ? `${name} ${canonical(event.arguments)}` : `${name} ${plain(event.text)}`;
      steps.push({ kind: event.kind, title: eventTitle(event), name, sign, event, said, asked });
      said = [];
      asked = [];
    }
  }
  if (said.length)
    steps.push({
      kind: "last",
      title: "Last words",
      name: "last",
      sign: said.map((one) => plain(one.content)).join("\n"),
      event: said[said.length - 1],
      said: [],
      asked,
    });
  return steps;
}

/** The most cells of a table that aligns what comes after the parting. */
const CELLS = 4e6;

/** Steps side by side. @param {Step[]} left @param {Step[]} right @returns {Pairing[]} */
function aligned(left, right) {
  let begin = 0;
  while (begin < left.length && begin < right.length && left[begin].sign === right[begin].sign) begin += 1;
  const head = left.slice(0, begin).map((step, n) => paired(step, right[n]));
  const a = left.slice(begin);
  const b = right.slice(begin);
  if (a.length * b.length > CELLS) {
    const rest = Array.from({ length: Math.max(a.length, b.length) }, (_, n) => paired(a[n] || null, b[n] || null));
    return [...head, ...rest];
  }
  return [...head, ...alignedRest(a, b)];
}

/** @param {Step | null} left @param {Step | null} right @returns {Pairing} */
function paired(left, right) {
  const same = Boolean(left && right && left.sign === right.sign);
  return {
    left,
    right,
    same,
    result:
      same && left?.kind === "call"
        ? plain(left.event.text) === plain(right?.event.text) && left.event.status === right?.event.status
        : true,
  };
}

/**
 * The alignment with most in common: the same step counts 4, the same tool 1.
 * @param {Step[]} a
 * @param {Step[]} b
 * @returns {Pairing[]}
 */
function alignedRest(a, b) {
  const width = b.length + 1;
  const best = new Int32Array((a.length + 1) * width);
  /** @type {(i: number, j: number) => number} */
  const worth = (i, j) => (a[i].sign === b[j].sign ? 4 : a[i].name === b[j].name ? 1 : -1);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const both = worth(i, j) + best[(i + 1) * width + j + 1];
      best[i * width + j] = Math.max(both, best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  /** @type {Pairing[]} */
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const here = best[i * width + j];
    if (worth(i, j) > 0 && here === worth(i, j) + best[(i + 1) * width + j + 1]) lines.push(paired(a[i++], b[j++]));
    else if (here === best[(i + 1) * width + j]) lines.push(paired(a[i++], null));
    else lines.push(paired(null, b[j++]));
  }
  while (i < a.length) lines.push(paired(a[i++], null));
  while (j < b.length) lines.push(paired(null, b[j++]));
  return lines;
}

/** Whether a step of a line changed something. @param {Pairing} line */
function writes(line) {
  return [line.left, line.right].some((step) => step?.kind === "call" && (step.event.changed || []).length > 0);
}

/** Whether a step of a line changed something, or asked what may be why. @param {Pairing} line */
function tells(line) {
  return writes(line) || [line.left, line.right].some((step) => Boolean(step?.asked.length));
}

/**
 * Whether a line is kept where only what changed or asked something is shown: last words that differ are, too.
 * @param {Pairing} line
 */
function isKept(line) {
  return tells(line) || (!line.same && [line.left, line.right].some((step) => step?.kind === "last"));
}

/** What a step asked, and what it was answered. @param {Step | null} step @returns {[string, string]} */
function exchanged(step) {
  const events = step?.asked.length && step.kind === "hand_over" ? [step.event, ...step.asked] : step?.asked || [];
  /** @param {boolean} answers */
  const said = (answers) =>
    canonical(events.filter((one) => (one.kind === "answer") === answers).map((one) => plain(one.text)));
  return [said(false), said(true)];
}

/**
 * The lines with a difference that matters: in what was changed, asked or answered. Two ways to look the same thing up
 * are none.
 * @param {Pairing[]} lines @returns {number[]}
 */
function mattering(lines) {
  return lines.flatMap((line, n) => (matterOf(line) ? [n] : []));
}

/** "changed", "asked and answered": in what a line differs that matters; "" where in nothing. @param {Pairing} line */
function matterOf(line) {
  const [left, right] = [exchanged(line.left), exchanged(line.right)];
  const said = ["asked", "answered"].filter((_, n) => left[n] !== right[n]);
  if (writes(line) && !(line.same && line.result)) said.push("changed");
  return said.join(" and ");
}

/**
 * The first line where the agents do otherwise, not where they are told otherwise; -1 where they do not.
 * @param {Pairing[]} lines
 */
function parting(lines) {
  /** @param {Step | null} step */
  const given = (step) => step?.kind === "request" || step?.kind === "arrival";
  return lines.findIndex((line) => !line.same && !given(line.left) && !given(line.right));
}
