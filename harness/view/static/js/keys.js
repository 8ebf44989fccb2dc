// @ts-check
"use strict";
// The keyboard: keys of the page that is shown, and a list of them.

/** @type {[string, string][]} */
const KEYS = [
  ["j k or ↓ ↑", "move in the list"],
  ["j k", "the next and previous event of a trial"],
  ["Enter", "open the trial"],
  ["n p", "the next and previous trial of the filtered list"],
  [". ,", "the next and previous place that holds a word of the search"],
  ["u", "up, from a trial to the list"],
  ["f", "filter the list as one types"],
  ["/", "search all text"],
  ["c", "compare with another trial of the task"],
  ["?", "these keys, and words of the page"],
  ["Esc", "close, or leave a field"],
];

/** Whether keys are typed into a field now. @param {KeyboardEvent} event */
function typing(event) {
  const at = event.target;
  return (
    at instanceof HTMLElement && (at.matches("input:not([type=checkbox]), textarea, select") || at.isContentEditable)
  );
}

/**
 * Listen to keys while shown; what gives `false` leaves its key alone.
 * @param {Record<string, () => unknown>} keys by name
 */
function useKeys(keys) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const heard = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (typing(event) || document.querySelector("dialog[open]")) return;
      const run = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (!run) return;
      if (run() !== false) event.preventDefault();
    };
    document.addEventListener("keydown", heard);
    return () => document.removeEventListener("keydown", heard);
  }, []);
}

/** @param {{ open: boolean, close: () => void }} props */
function KeysHelp({ open, close }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return html`<dialog ref=${dialog} onClose=${close} aria-labelledby="keys-title" class="keys">
    <form method="dialog"><button class="button small" autofocus>Close</button></form>
    <h2 id="keys-title">Keys</h2>
    <dl>${KEYS.map(([key, what]) => html`<div><dt>${key.split(" ").map((one) => (one === "or" ? " or " : html`<kbd>
    ${one}</kbd> `))}</dt><dd>${what}</dd></div>`)}</dl>
    <h2>Words</h2>
    <dl class="glossary">${GLOSSARY.map(([word, what]) => html`<div><dt>${word}</dt><dd>${what}</dd></div>`)}</dl>
  </dialog>`;
}
