// @ts-check
"use strict";
// Values by name: from the server as JSON, or from a folder as scripts, since pages from disk may not fetch.

const IN_FOLDER = document.querySelector('meta[name="harness-source"]')?.getAttribute("content") === "folder";

/** Scripts of a folder that were asked for and have not called back yet. @type {Map<string, (value: any) => void>} */
const awaited = new Map();

/** What scripts of a folder call. @param {string} name @param {any} value */
function harnessData(name, value) {
  awaited.get(name)?.(value);
}

/** @param {string} name @returns {Promise<any>} */
function fromFolder(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const done = () => {
      awaited.delete(name);
      script.remove();
    };
    awaited.set(name, (value) => {
      done();
      resolve(value);
    });
    script.onload = () => {
      if (awaited.has(name)) reject(new Error(`data/${name}.js holds nothing of that name`));
      done();
    };
    script.onerror = () => {
      done();
      reject(new Error(`data/${name}.js is not there, or cannot be read`));
    };
    script.src = `data/${name}.js`;
    document.head.append(script);
  });
}

/** A response's JSON; what it says of a failure, raised. @param {Response} response @returns {Promise<any>} */
async function answered(response) {
  if (response.ok) return response.status === 204 ? null : response.json();
  const said = await response.json().catch(() => null);
  throw new Error(said?.error || `The server answered ${response.status} ${response.statusText}`);
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<any>} */
async function fromServer(path, options) {
  try {
    return await answered(await fetch(path, options));
  } catch (error) {
    if (error instanceof TypeError) throw new Error("The server does not answer: is `harness view` still running?");
    throw error;
  }
}

/**
 * What was loaded last, oldest first; pieces of long trials are forgotten sooner or later.
 * @type {Map<string, Promise<any>>}
 */
const kept = new Map();
const KEPT = 60;

/** A value by its name. @param {string} name @param {string} [query] @returns {Promise<any>} */
function load(name, query = "") {
  if (!/^[a-z0-9-]+$/.test(name)) return Promise.reject(new Error(`${name} is not a name`));
  return IN_FOLDER ? fromFolder(name) : fromServer(`data/${name}.json${query}`);
}

/** The same, kept for when it is asked for again. @param {string} name @returns {Promise<any>} */
function loadKept(name) {
  const known = kept.get(name);
  const value = known || load(name);
  kept.delete(name);
  kept.set(name, value);
  if (!known) value.catch(() => kept.delete(name));
  if (kept.size > KEPT) kept.delete(kept.keys().next().value || "");
  return value;
}

/** Let go of a trial that is another one by now. @param {Place} place */
function forget(place) {
  for (const name of [...kept.keys()]) if (name.includes(`-${place.run}-${place.key}`)) kept.delete(name);
}

/** A trial, or an earlier try of it. @param {Place} place @param {number | null} [attempt] @returns {Promise<Trial>} */
function loadTrial(place, attempt = null) {
  const name = `${place.run}-${place.key}`;
  return loadKept(attempt === null ? `trial-${name}` : `try-${name}-${attempt}`);
}

/** A piece of a trial's events. @param {Trial} trial @param {number} piece @returns {Promise<Event_[]>} */
async function loadPiece(trial, piece) {
  if (piece === 0) return trial.first;
  const name = `${trial.run}-${trial.key}`;
  return (await loadKept(trial.attempt ? `try-${name}-${trial.attempt.number}-${piece}` : `events-${name}-${piece}`))
    .events;
}

/** Where the record lies whole. @param {Place} place */
function rawPath(place) {
  return IN_FOLDER ? `raw/${place.run}-${place.key}.json` : `raw/${place.run}/${place.key}.json`;
}

/** Texts of a folder's run, once a search wanted them. @type {Map<number, Promise<FolderText[]>>} */
const texts = new Map();

/** @param {Run} run @returns {Promise<FolderText[]>} */
function runTexts(run) {
  let found = texts.get(run.run);
  if (!found) {
    const parts = Array.from({ length: run.texts || 0 }, (_, n) => load(`text-${run.run}-${n}`));
    found = Promise.all(parts).then((all) =>
      all.flatMap((each) =>
        each.texts.map((/** @type {[string, PlaceOfText[]]} */ [key, places]) => ({
          key,
          places,
          all: folded(places.map((place) => place[3]).join("\n")),
        })),
      ),
    );
    texts.set(run.run, found);
  }
  return found;
}

/** What a search may have, here as on the server. */
const LONGEST_QUERY = 500;

/** Raises what is wrong with a search. @param {string} words */
function checkQuery(words) {
  if (words.length > LONGEST_QUERY)
    throw new Error(`A search may have ${LONGEST_QUERY} characters, and this one has ${count(words.length)}.`);
  if (!searched(words).length) throw new Error("There is no word to search for.");
}

/**
 * Trials that hold all the words, as `RUN.KEY`, each with an excerpt, and how many were looked through.
 * @param {Run[]} runs @param {string} words
 * @returns {Promise<FoundTrials>}
 */
async function search(runs, words) {
  checkQuery(words);
  const each = await Promise.all(
    runs.map(async (run) => {
      if (!IN_FOLDER)
        return { run: run.run, ...(await fromServer(`search/${run.run}.json?q=${encodeURIComponent(words)}`)) };
      const [wanted, marks] = [searched(words), marksOf(words)];
      const all = await runTexts(run);
      const held = all.map((text) => excerptOf(text, wanted, marks));
      const own = all.map((text) => text.key).filter((_, n) => held[n]);
      return { run: run.run, keys: own, excerpts: held.filter(Boolean), searched: all.length };
    }),
  );
  /** @type {[string, Excerpt][]} */
  const found = each.flatMap((one) =>
    one.keys.map((/** @type {string} */ key, /** @type {number} */ n) => [`${one.run}.${key}`, one.excerpts[n]]),
  );
  return {
    excerpts: new Map(found),
    searched: each.reduce((sum, one) => sum + one.searched, 0),
  };
}

/**
 * Where the words stand in a trial.
 * @param {Run[]} runs @param {Place} place @param {string} words
 * @returns {Promise<{ hits: Hit[], total: number }>}
 */
async function findHits(runs, place, words) {
  checkQuery(words);
  if (!IN_FOLDER) return fromServer(`hits/${place.run}/${place.key}.json?q=${encodeURIComponent(words)}`);
  const run = runs.find((one) => one.run === place.run);
  const own = run && (await runTexts(run)).find((text) => text.key === place.key);
  return own ? hitsOf(own.places, searched(words), marksOf(words)) : { hits: [], total: 0 };
}

/**
 * Write an annotation; the server answers with it.
 * @param {Runs} runs
 * @param {object} what
 * @returns {Promise<Annotation>}
 */
function annotate(runs, what) {
  const headers = { "Content-Type": "application/json", "X-Harness-Token": runs.token };
  return fromServer("annotations", { method: "POST", headers, body: JSON.stringify(what) });
}

/** @param {Runs} runs @param {Place} place @param {string} id @returns {Promise<null>} */
function removeAnnotation(runs, place, id) {
  const headers = { "X-Harness-Token": runs.token };
  return fromServer(`annotations/${place.run}/${place.key}/${encodeURIComponent(id)}`, { method: "DELETE", headers });
}
