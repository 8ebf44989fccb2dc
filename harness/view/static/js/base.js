// @ts-check
"use strict";
// What every other script uses. All are classic scripts of one page: what one defines at its top is seen by the others.

const { useState, useEffect, useLayoutEffect, useMemo, useRef, useContext } = preactHooks;

/** Characters that turn the direction of what follows, unseen. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text in which such characters are seen, and turn nothing. @param {string} text */
function straight(text) {
  return text.replace(TURNS, (one) => `[U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}

/** Attributes whose text is shown, or read out. */
const SAID = ["title", "aria-label", "alt", "data-head"];

/** All that is shown is straight, wherever it comes from: a text is a node without a type. @param {VNode} node */
preact.options.vnode = (node) => {
  if (node.type === null) {
    if (typeof node.props === "string") node.props = straight(node.props);
  } else if (typeof node.type === "string")
    for (const name of SAID) if (typeof node.props[name] === "string") node.props[name] = straight(node.props[name]);
};

const html = htm.bind(preact.h);

/** Classes of which some may be absent. @param {...(string | false | null | undefined)} names */
function classes(...names) {
  return names.filter(Boolean).join(" ");
}

/** The nearest number within bounds. @param {number} value @param {number} least @param {number} most */
function within(value, least, most) {
  return Math.max(least, Math.min(most, value));
}

/** Whether a media query holds, now and later. @param {string} query @returns {boolean} */
function useMedia(query) {
  const [holds, set] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const media = window.matchMedia(query);
    const heard = () => set(media.matches);
    media.addEventListener("change", heard);
    return () => media.removeEventListener("change", heard);
  }, [query]);
  return holds;
}

const NARROW = "screen and (max-width: 760px)";

/** Whether the page is being printed: what only a screen can leave out for lack of room is there then. */
function usePrinting() {
  const [on, set] = useState(false);
  useEffect(() => {
    const begin = () => set(true);
    const end = () => set(false);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, []);
  return on;
}

/**
 * A value that is loaded: `undefined` until it is there.
 * @template T
 * @param {() => Promise<T>} make
 * @param {unknown[]} inputs
 * @returns {{ value: T | undefined, error: string }}
 */
function useLoaded(make, inputs) {
  const [state, set] = useState(
    /** @type {{ value: T | undefined, error: string, of: string }} */ ({ value: undefined, error: "", of: "" }),
  );
  const of = JSON.stringify(inputs);
  useEffect(() => {
    let wanted = true;
    make().then(
      (value) => wanted && set({ value, error: "", of }),
      (error) => wanted && set({ value: undefined, error: String(error.message || error), of }),
    );
    return () => {
      wanted = false;
    };
  }, [of]);
  return state.of === of ? state : { value: undefined, error: "" };
}

/** Tell of a failure where its result would be. @param {{ text: string }} props */
function Failure({ text }) {
  return html`<p class="failure" role="alert">${text}</p>`;
}

/**
 * A text to be searched in, as Python's `str.casefold` has it: what the server finds and what the page marks are one.
 * @param {string} text
 */
function folded(text) {
  return text.replace(/[^\x00-\x7f]/gu, foldedCharacter).toLowerCase();
}

/** @param {string} one */
function foldedCharacter(one) {
  // By way of capitals the German sharp s becomes two; only the dotless i would become another letter.
  return one === "ı" ? one : one.toLowerCase().toUpperCase().toLowerCase();
}

/** The object as JSON with sorted keys, to compare by. @param {any} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const inner = Object.keys(value)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
    return `{${inner.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
