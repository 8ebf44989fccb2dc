// @ts-check
"use strict";
// What people wrote on trials and steps: shown with their names, and written where the page may.

/**
 * What the annotations of a trial are read from and written with.
 * @typedef {{ runs: Runs, trial: Trial, all: Annotation[], set: (all: Annotation[]) => void }} Notes
 */

/** @typedef {{ kind: string, value: string, text: string }} Draft what is written and not saved yet */

/** Drafts of this session, by trial and place: who comes back finds them. @type {Map<string, Draft>} */
const DRAFTS = new Map();

/**
 * Whether the form at a place of a trial is open, as it is at first where it has a draft; `asked` where somebody opened
 * it by hand.
 * @param {Notes} notes @param {string | number} place a step, or what else has a form
 */
function useNoting({ runs, trial }, place) {
  const id = `${trial.run}.${trial.key} ${place}`;
  const [state, setState] = useState(() => ({ open: runs.writable && DRAFTS.has(id), asked: false }));
  return { id, ...state, set: (/** @type {boolean} */ open) => setState({ open, asked: open }) };
}

/** @typedef {ReturnType<typeof useNoting>} Noting */

/** The way to take an annotation back, asked for once more. @param {{ remove: () => void }} props */
function Remove({ remove }) {
  const [asked, setAsked] = useState(false);
  const keep = useRef(/** @type {HTMLElement | null} */ (null));
  const first = useRef(/** @type {HTMLElement | null} */ (null));
  const was = useRef(false);
  // At once, as below.
  useLayoutEffect(() => {
    if (asked !== was.current) (asked ? keep : first).current?.focus();
    was.current = asked;
  }, [asked]);
  if (!asked)
    return html`<button class="more" ref=${first} onClick=${() => setAsked(true)}
      aria-label="Remove this annotation">Remove</button>`;
  return html`<span class="note-remove" role="group" aria-label="Remove this annotation?"
    onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && setAsked(false)}>Remove it for good?
    ${" "}<button class="more" onClick=${remove}>Yes, remove</button>
    ${" "}<button class="more" ref=${keep} onClick=${() => setAsked(false)}>Keep</button></span>`;
}

/** @param {{ note: Annotation, notes: Notes }} props */
function NoteLine({ note, notes }) {
  const [error, setError] = useState("");
  const own = notes.runs.writable && note.author === notes.runs.author;
  const remove = async () => {
    try {
      await removeAnnotation(notes.runs, notes.trial, note.id);
      notes.set(notes.all.filter((one) => one.id !== note.id));
    } catch (failed) {
      setError(/** @type {Error} */ (failed).message);
    }
  };
  return html`<li class="note note-${/^(verdict|tag|note)$/.test(note.kind) ? note.kind : "note"}">
    <span class="note-what">${note.kind === "verdict" ? html`<${Verdict}
    of=${note.value} />` : note.kind === "tag" ? html`<span class="flag">${note.value}</span>` : ""}
      ${" "}<span class="note-text">${note.text}</span></span>
    <span class="note-who">${note.author}, ${writtenAt(note.at)}${own && html` <${Remove} remove=${remove} />`}</span>
    ${error && html`<${Failure} text=${error} />`}
  </li>`;
}

/** @param {{ step: number | null, notes: Notes, noting: Noting }} props */
function NoteForm({ step, notes, noting }) {
  const kept = DRAFTS.get(noting.id);
  // A verdict stands beside the score, so nobody gives one by saving a note.
  const [draft, setDraft] = useState(kept || { kind: "note", value: "", text: "" });
  const { kind, value, text } = draft;
  const [error, setError] = useState("");
  const form = useRef(/** @type {HTMLElement | null} */ (null));
  const written = useRef(/** @type {HTMLElement | null} */ (null));
  const opener = useRef(/** @type {Element | null} */ (null));
  // At once, not after the next frame: what is typed meanwhile would be taken for the page's keys.
  useLayoutEffect(() => {
    if (!noting.asked) return;
    opener.current = document.activeElement;
    written.current?.focus();
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const isEmpty = (/** @type {Draft} */ one) => !one.text.trim() && (one.kind !== "tag" || !one.value.trim());
  /** @param {Partial<Draft>} change */
  const write = (change) => {
    const next = { ...draft, ...change };
    if (isEmpty(next)) DRAFTS.delete(noting.id);
    else DRAFTS.set(noting.id, next);
    setDraft(next);
  };
  const done = () => {
    DRAFTS.delete(noting.id);
    noting.set(false);
  };
  /** @param {KeyboardEvent} event */
  const left = (event) => {
    if (event.key !== "Escape" || !(event.target instanceof HTMLElement)) return;
    event.target.blur();
    if (!isEmpty(draft)) return;
    done();
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
  };
  /** @param {any} event */
  const send = async (event) => {
    event.preventDefault();
    const said = {
      run: notes.trial.run,
      key: notes.trial.key,
      step,
      kind,
      value: kind === "note" ? "" : value.trim(),
      text: text.trim(),
      author: notes.runs.author,
    };
    try {
      const kept = await annotate(notes.runs, said);
      notes.set([...notes.all, kept]);
      done();
    } catch (failed) {
      setError(/** @type {Error} */ (failed).message);
    }
  };
  return html`<form class="note-form" ref=${form} onSubmit=${send} onKeyDown=${left}
    aria-label=${step === null ? "Annotate the trial" : `Annotate step ${step}`}>
    <label>Kind <select class="field small" value=${kind} onChange=${(/** @type {any} */ event) => {
      write({ kind: event.target.value, value: event.target.value === "verdict" ? "correct" : "" });
    }}><option value="note">note</option><option value="verdict">verdict</option><option value="tag">tag</option>
      </select></label>
    ${kind === "verdict" && html`<label>Verdict <select class="field small" value=${value}
      onChange=${(/** @type {any} */ event) => write({ value: event.target.value })}><option>correct</option>
      <option>failed</option></select></label>`}
    ${kind === "tag" && html`<label>Tag <input class="field small" required maxlength="60" value=${value}
      onInput=${(/** @type {any} */ event) => write({ value: event.target.value })} /></label>`}
    <label class="wide">${kind === "note" ? "Note" : "Why (if you like)"} <textarea class="field" rows="2"
    ref=${written}
    required=${kind === "note"} value=${text}
    onInput=${(/** @type {any} */ event) => write({ text: event.target.value })}>
    </textarea></label>
    <span class="note-buttons"><button class="button small primary">Save (as ${notes.runs.author})
    </button> <button type="button" class="button small" onClick=${done}>Cancel</button>
    ${kept && html` <span class="quiet">not saved yet</span>`}</span>
    ${error && html`<${Failure} text=${error} />`}
  </form>`;
}

/**
 * Annotations of a step, or of the trial as a whole, and the form for one more.
 * @param {{ step: number | null, notes: Notes, noting: Noting }} props
 */
function NoteList({ step, notes, noting }) {
  const own = notes.all.filter((note) => note.step === step);
  if (!own.length && !noting.open) return null;
  return html`<div class="notes">${own.length > 0 && html`<ul>
    ${own.map((note) => html`<${NoteLine} key=${note.id} note=${note} notes=${notes} />`)}</ul>`}
    ${noting.open && html`<${NoteForm} step=${step} notes=${notes} noting=${noting} />`}</div>`;
}

const NONE = "None yet. A verdict, tag or note is kept beside the record, with your name.";

/** Those of the trial, with the way to add one. @param {{ notes: Notes, route: Route }} props */
function TrialNotes({ notes, route }) {
  const noting = useNoting(notes, "trial");
  const { open } = noting;
  const own = notes.all.filter((note) => note.step === null);
  const noted = notes.all.flatMap((note) => (note.step === null ? [] : [note.step])).sort((a, b) => a - b);
  const steps = noted.length;
  if (!notes.runs.writable && !own.length && !steps) return null;
  return html`<section class="panel" aria-labelledby="notes-title"><h2 id="notes-title">Annotations</h2>
    ${!own.length && !steps && !open && html`<p class="quiet">${NONE}</p>`}
    ${steps > 0 && html`<p class="quiet">${counted(steps, "annotation")} on steps, below: ${[...new Set(noted)].map(
      (step, n) => html`${n ? ", " : ""}<${Link} to=${trialRoute(route, notes.trial, { step })}>step ${step}</${Link}>`,
    )}</p>`}
    <${NoteList} step=${null} notes=${notes} noting=${noting} />
    ${notes.runs.writable && !open && html`<button class="button small"
      onClick=${() => noting.set(true)}>Annotate</button>`}
  </section>`;
}
