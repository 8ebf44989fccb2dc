// @ts-check
"use strict";
// Numbers and terms as people read them.

const COUNT = new Intl.NumberFormat("en-GB");

/** @param {number | null | undefined} value */
function count(value) {
  return value === null || value === undefined ? "–" : COUNT.format(value);
}

/** A text with a full stop, unless it ends in a mark already. @param {string} text */
function ended(text) {
  const whole = text.trim();
  return whole && `${whole}${/[.!?]$/.test(whole) ? "" : "."}`;
}

/** A sentence of a text. @param {string} text */
function sentence(text) {
  const whole = ended(text);
  return whole && `${whole[0].toUpperCase()}${whole.slice(1)}`;
}

/** A name as a heading: `designed_class` is "Designed class". @param {string} name */
function headed(name) {
  const plain = name.replaceAll("_", " ");
  return plain && `${plain[0].toUpperCase()}${plain.slice(1)}`;
}

/** "1 trial", "2 trials". @param {number} number @param {string} noun @param {string} [many] */
function counted(number, noun, many) {
  return `${count(number)} ${number === 1 ? noun : many || `${noun}s`}`;
}

/** "a", "a and b", "a, b and c". @param {string[]} names */
function joined(names) {
  return [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
}

/**
 * A number with so many decimals, halves rounded away from 0, as in all reports (`harness.report.texts.rounded`).
 * @param {number} value @param {number} places
 */
function fixed(value, places) {
  const one = 10 ** places;
  const near = Math.round(Number((Math.abs(value) * one).toFixed(9))) / one; // binary, 0.575 is a little less
  return (Math.sign(value) * near).toFixed(places);
}

/** A share as a percentage. @param {number | null | undefined} share */
function percent(share) {
  if (share === null || share === undefined || Number.isNaN(share)) return "–";
  const value = share * 100;
  const text = fixed(value, 1);
  return `${value === 0 || value >= 10 ? Number(text) : text}%`;
}

/** US dollars. @param {number | null | undefined} value */
function money(value) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "$0";
  return value < 0.01 ? `$${value.toPrecision(2)}` : `$${value.toFixed(value < 1 ? 3 : 2)}`;
}

/** A span of time. @param {number | null | undefined} seconds */
function span(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 0.0995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** @param {number} bytes */
function size(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const DAY = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

const WRITTEN = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

/** When a person wrote something, by the reader's clock. @param {string} iso */
function writtenAt(iso) {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : WRITTEN.format(at);
}

/** The moment of a session by its own clock, without seconds. @param {string} iso */
function moment(iso) {
  const found = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)/.exec(iso);
  if (!found) return iso;
  const day = new Date(Date.UTC(+found[1], +found[2] - 1, +found[3]));
  return `${DAY.format(day)}, ${found[4]}`;
}

/** What a term means, in a sentence for who meets it first. @type {Record<string, string>} */
const MEANS = {
  unexpected: "Changes that the task did not ask for, or asked for with another value.",
  side_effects:
    "Trials that changed something and did not end as wanted, as the suite's published metric counts: " +
    "also where all that was changed was wanted, but more was wanted.",
  ckpt: "The share of checkpoints, the changes that the task expects, that were made.",
  void: "Void: the trial broke through no fault of the agent, and counts nowhere.",
  unscored: "Unscored: no check could say whether it was right, for example because a judge was not asked.",
  correct: "All that was expected was done, and nothing else.",
  failed: "Something expected is missing, or something else was changed.",
  accuracy: "Correct trials among those that are neither void nor unscored.",
  condition: "What the trial was played under: which wording of the task, whether the agent may ask, and whom.",
  template: "The pattern that tasks of one kind are made from.",
  prompt: "Which of the task's requests was played: the original, or one that withholds something.",
  tools: "Tools that the agent called, also where a call was refused.",
  tables: "Tables in which the trial changed a row.",
  asked: "How many questions the agent put to the user.",
  forks: "A fork takes a trial up to one of its steps and goes on from there, so that the rest can be tried again.",
  fork: "A trial that went on from a step of another one.",
  tries:
    "A try is given up where the agent's last action could not be read. The trial is the last try; " +
    "its tokens and time are of all tries together.",
  revealed: "What the user let the agent know of the details that the request withholds.",
  calibration: "played by scripted agents of known behaviour, not by models.",
  withheld: "What the full request says and the played one does not.",
  dial: "A dial is a probability that the reference agent is set to: how often it looks, asks or guesses.",
  pass: "pass@k: the share of tasks where at least one of k trials is correct.",
  every: "pass^k: the share of tasks where all of k trials are correct.",
  designed_class:
    "What the task was made to show: whether what is withheld decides the outcome, may be guessed, or does no harm.",
  remark: "What stands out in a trial, told from its record: that it reached a limit, say, or asked twice.",
  sign: "Why the user may have misunderstood a question. It is no proof: read question and answer.",
  flag: "A failure flag of LHAW: one way in which asking goes wrong, found by a judge or a rule in failed trials.",
  ended: "How a trial came to its end. Whether what the agent said last is true is not judged: read it.",
  severity: "How the detail was taken out of the request: deleted, made vague, or replaced by a general word.",
  decided: "Of two agents under one condition, which was right in more of its trials of the task.",
  shifted: "Of two conditions for one agent, under which it was right in more of its trials of the task.",
  agreed: "Two agents that were right in the same share of their trials of the task under one condition.",
  kept: "Two conditions under which one agent was right in the same share of its trials of the task.",
};

/** What a remark on a trial says: `flags` of a record. @type {Record<string, string>} */
const FLAGS = {
  asked_twice: "asked twice for the same",
  canary: "said what only the run folder says",
  contradiction: "was told two things that do not agree",
  crashed: "crashed",
  disturbed: "a call was disturbed on purpose",
  fork: "went on from another trial",
  garbled: "sent calls that could not be read",
  limit: "reached a limit",
  not_understood: "the user did not understand a question",
  reply_cut: "a reply of its model was cut at its limit of tokens",
  reply_empty: "a reply of its model was empty",
  reply_filtered: "a reply of its model was cut by the provider's filter of content",
  no_call: "called no tool",
  no_preference: "the user had no preference in some answer, and left it to the agent",
  tries: "needed more than one try",
};

/** Remarks about the dialogue, which are worth knowing where none has one. */
const TROUBLES = ["not_understood", "asked_twice", "contradiction", "no_preference"];

/** What became of a question, beside the kinds of `PARTS`. @type {Record<string, string>} */
const BECAME = { nothing: "told nothing", unanswered: "not answered" };

/**
 * Signs that the user misunderstood a question (`harness/view/doubts.py`): a name, and what happened.
 * @type {Record<string, [string, string]>}
 */
const DOUBTS = {
  not_understood: ["not understood", "The user could not tell what the question, or a part of it, was after."],
  contradiction: ["contradiction", "One answer has a value and a refusal."],
  beside: ["beside the question", "The answer told something that the user did not take the question to ask for."],
  bare_value: ["no yes or no", "A question to be answered with yes or no was answered with a value alone."],
  told_again: [
    "told again",
    "An earlier answer had told this: a value read back was taken for a question or denied, or the agent asked again.",
  ],
  asked_again: [
    "asked again at once",
    "The answer told nothing of what was asked for, and the next question asked for it again.",
  ],
  told_nothing: [
    "withheld, not told",
    "The answer told nothing, although something that the request withholds had not been told yet.",
  ],
  stated: [
    "about what is stated",
    "The answer is about what the request states, which the question does not name, and something is withheld.",
  ],
  asked_twice: ["asked twice", "An earlier question had asked for the same."],
};

/** Words of the page, for who meets them first. @type {[string, string][]} */
const GLOSSARY = [
  ["unexpected changes", "changes that the task did not ask for, or asked for with another value"],
  ["side effects", "the suite's published metric: a trial that changed something and did not end as wanted has some"],
  ["remark", "what stands out in a trial, told from its record: that it reached a limit, say, or asked twice"],
  ["sign", "why the user may have misunderstood a question; no proof, so read question and answer"],
  ["flag", "a failure flag of LHAW: one way in which asking goes wrong, as a judge or a rule found it; in the report"],
  ["withheld", "what the full request says and the played one does not"],
  ["told, confirmed", "the answer gave what was asked for; or it said yes to what the question proposed"],
  ["pointed to the request", "the answer said only that the request states it, as in “That's in what I wrote.”"],
  ["corrected", "the answer said no to what the question proposed, and gave what is right"],
  ["no preference", "the user left it to the agent"],
  ["not understood", "the simulated user could not tell what the question was after"],
  ["condition", "which wording of the task was played, whether the agent may ask, and whom"],
  ["template", "the pattern that tasks of one kind are made from"],
  ["void", "the trial broke through no fault of the agent, and counts nowhere"],
  ["unscored", "no check could say whether it was right, as where a judge was not asked yet"],
];

/** What a column of a report means, where it is known. @param {string} column */
function meaningOf(column) {
  const name = column.toLowerCase();
  if (name.startsWith("pass@")) return MEANS.pass;
  if (name.startsWith("pass^")) return MEANS.every;
  if (/\bdial\b/.test(name)) return MEANS.dial;
  if (/\bckpt\b/.test(name)) return MEANS.ckpt;
  const plain = name.replace(/ %$/, "").replaceAll(" ", "_");
  return Object.hasOwn(MEANS, plain) ? MEANS[plain] : "";
}

/** Text in which `backticks` stand for code. @param {{ of: string }} props */
function Ticked({ of }) {
  return of.split("`").map((part, n) => (n % 2 ? html`<code key=${n}>${part}</code>` : part));
}

/** What an answer did about one thing that was asked for. @type {Record<string, string>} */
const PARTS = {
  given: "told",
  pointed: "pointed to the request",
  confirmed: "confirmed",
  corrected: "corrected",
  no_preference: "no preference",
  not_understood: "not understood",
  put_off: "put off",
};

/**
 * What a part of an answer did: `pointed` where it only says that the request states it, as `harness/view/questions.py`
 * has it too.
 * @param {Part} part @param {string[]} revealed
 */
function partKind({ kind, target, text }, revealed) {
  return kind === "given" && !text && target && !revealed.includes(target) ? "pointed" : kind;
}

/** The class of a chip that says what an answer did. @param {string} kind */
function partClass(kind) {
  return `part part-${Object.hasOwn(PARTS, kind) ? kind : "other"}`;
}

/** Statuses of calls that are not `ok`. @type {Record<string, string>} */
const STATUSES = {
  failed: "refused by the tool",
  invalid: "arguments do not fit",
  unknown: "no such tool",
  garbled: "could not be read",
  disturbed: "disturbed on purpose",
  defect: "defect of the tool",
  fault: "fault of the harness",
};

/**
 * A word that explains itself where one points at it, goes to it by Tab, or asks a screen reader.
 * @param {{ means: string, children?: any }} props
 */
function Explained({ means, children }) {
  return html`<abbr class="term" tabindex="0" title=${means}>${children}</abbr>`;
}

/** The same of a term that the page knows. @param {{ of: string, children?: any }} props */
function Term({ of, children }) {
  return html`<${Explained} means=${MEANS[of]}>${children}</${Explained}>`;
}

/** A verdict by word and colour. @param {{ of: string }} props */
function Verdict({ of }) {
  return html`<span class="verdict ${/^(correct|failed|void|unscored)$/.test(of) ? `is-${of}` : ""}"
    title=${MEANS[of] || ""}>${of || "–"}</span>`;
}
