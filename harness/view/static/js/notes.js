// @ts-check
"use strict";
// What people wrote on trials and steps: shown with their names, and written where the page may.

/**
 * What the annotations of a trial are read from and written with.
 * @typedef {{ runs: Runs, trial: Trial, all: Annotation[], set: (all: Annotation[]) => void }} Notes
 */

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
    of=${note.value} />` : note.kind === "tag" ? html`<span class="flag">${note.value}</span>` : ""} ${note.text}</span>
    <span class="note-who">${note.author}, ${moment(note.at)}${own && html` <button class="more" onClick=${remove}
    aria-label="Remove this annotation">Remove</button>`}</span>
    ${error && html`<${Failure} text=${error} />`}
  </li>`;
}

/** @param {{ step: number | null, notes: Notes, done: () => void }} props */
function NoteForm({ step, notes, done }) {
  // A verdict stands beside the score, so nobody gives one by saving a note.
  const [kind, setKind] = useState("note");
  const [value, setValue] = useState("correct");
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const written = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => written.current?.focus(), []);
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
  return html`<form class="note-form" onSubmit=${send}
    aria-label=${step === null ? "Annotate the trial" : `Annotate step ${step}`}>
    <label>Kind <select class="field small" value=${kind} onChange=${(/** @type {any} */ event) => {
      setKind(event.target.value);
      setValue(event.target.value === "verdict" ? "correct" : "");
    }}><option value="note">note</option><option value="verdict">verdict</option><option value="tag">tag</option>
      </select></label>
    ${kind === "verdict" && html`<label>Verdict <select class="field small" value=${value}
      onChange=${(/** @type {any} */ event) => setValue(event.target.value)}><option>correct</option>
      <option>failed</option></select></label>`}
    ${kind === "tag" && html`<label>Tag <input class="field small" required maxlength="60" value=${value}
      onInput=${(/** @type {any} */ event) => setValue(event.target.value)} /></label>`}
    <label class="wide">${kind === "note" ? "Note" : "Why (if you like)"} <textarea class="field" rows="2"
    ref=${written}
    required=${kind === "note"} value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)}>
    </textarea></label>
    <span class="note-buttons"><button class="button small primary">Save (as ${notes.runs.author})
    </button> <button type="button" class="button small" onClick=${done}>Cancel</button></span>
    ${error && html`<${Failure} text=${error} />`}
  </form>`;
}

/**
 * Annotations of a step, or of the trial as a whole.
 * @param {{ step: number | null, notes: Notes, open?: boolean, close?: () => void }} props
 */
function NoteList({ step, notes, open, close }) {
  const own = notes.all.filter((note) => note.step === step);
  if (!own.length && !open) return null;
  return html`<div class="notes">${own.length > 0 && html`<ul>
    ${own.map((note) => html`<${NoteLine} key=${note.id} note=${note} notes=${notes} />`)}</ul>`}
    ${open && html`<${NoteForm} step=${step} notes=${notes} done=${close} />`}</div>`;
}

const NONE = "None yet. A verdict, tag or note is kept beside the record, with your name.";

/** Those of the trial, with the way to add one. @param {{ notes: Notes, route: Route }} props */
function TrialNotes({ notes, route }) {
  const [open, setOpen] = useState(false);
  const own = notes.all.filter((note) => note.step === null);
  const noted = notes.all.flatMap((note) => (note.step === null ? [] : [note.step])).sort((a, b) => a - b);
  const steps = noted.length;
  if (!notes.runs.writable && !own.length && !steps) return null;
  return html`<section class="panel" aria-labelledby="notes-title"><h2 id="notes-title">Annotations</h2>
    ${!own.length && !steps && !open && html`<p class="quiet">${NONE}</p>`}
    ${steps > 0 && html`<p class="quiet">${counted(steps, "annotation")} on steps, below: ${[...new Set(noted)].map(
      (step, n) => html`${n ? ", " : ""}<${Link} to=${trialRoute(route, notes.trial, { step })}>step ${step}</${Link}>`,
    )}</p>`}
    <${NoteList} step=${null} notes=${notes} open=${open} close=${() => setOpen(false)} />
    ${notes.runs.writable && !open && html`<button class="button small"
      onClick=${() => setOpen(true)}>Annotate</button>`}
  </section>`;
}
