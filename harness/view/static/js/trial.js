// @ts-check
"use strict";
// A trial: verdict and why, facts, changes, and the stream of what happened.

/**
 * Where a page stands among those that it was opened from, with the ways to the one before and after it.
 * @typedef {{ noun: string, at: number, of: number, before: Route | null, after: Route | null }} Walk
 */

/** The trials before and after one in the filtered list. @param {Row[]} rows @param {Route} route @returns {Walk} */
function trialWalk(rows, route) {
  const id = route.first ? `${route.first.run}.${route.first.key}` : "";
  const at = rows.findIndex((row) => rowId(row) === id);
  /** @param {Row | undefined} row */
  const to = (row) => (row ? trialRoute(route, { run: row.run, key: row.key }) : null);
  return { noun: "trial", at, of: rows.length, before: to(rows[at - 1]), after: at < 0 ? null : to(rows[at + 1]) };
}

/** What a score says where nothing was asked: it does not know whether there was a user. */
const NOBODY_KNOWN = "if nobody could be asked, the agent is not to blame";

/** The same by what is known of the trial. @param {string} reason @param {string} user */
function blamed(reason, user) {
  const known = user ? "there was a user to ask" : "nobody could be asked, so the agent is not to blame";
  return reason.replace(NOBODY_KNOWN, known);
}

/** A text whose flags are explained. @param {{ of: string, means: Record<string, string> }} props */
function WithFlags({ of, means }) {
  const names = Object.keys(means || {});
  if (!names.length) return html`<${Marked} of=${of} />`;
  return of.split(new RegExp(`\\b(${names.join("|")})\\b`)).map((part, n) =>
    n % 2
      ? html`<${Explained} means=${means[part]}><${Marked} of=${part} /></${Explained}>`
      : html`<${Marked} of=${part} />`,
  );
}

/** @param {{ score: Score, user: string }} props */
function ScoreBox({ score, user }) {
  const value = score.value === null ? "–" : String(Math.round(score.value * 1000) / 1000);
  return html`<div class="score"><p><strong>${score.check}</strong> <span class="mono">${value}</span>
    ${score.label ? html` <span class="flag">${score.label.replaceAll("_", " ")}</span>` : ""}
    ${score.reason ? html` <span><${WithFlags}
      of=${blamed(plain(score.reason), user)} means=${score.means} /></span>` : ""}</p>
    ${
      score.criteria?.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label=${`Criteria of ${score.check}`}>
        <table class="plain-table"><thead><tr><th scope="col">Criterion</th><th scope="col" class="number">Value</th>
        <th scope="col" class="number">Weight</th><th scope="col">Why</th></tr></thead>
      <tbody>${score.criteria.map((one) => html`<tr key=${one.name}
      class=${one.value !== null && one.value < 1 ? "short" : ""}><th scope="row">${one.name}</th><td class="number">
      ${one.value ?? "–"}</td><td class="number">${one.weight}</td><td><${Marked}
      of=${plain(one.reason)} /></td></tr>`)}
      </tbody></table></div>`
    }
    ${score.detail && Object.keys(score.detail).length > 0 && html`<${Json} of=${score.detail} title="Detail" />`}
      </div>`;
}

/** @param {{ trial: Trial }} props */
function Facts({ trial }) {
  const { row, facts: said } = trial;
  const modelled = row.turns !== 0 || row.prompt_tokens !== 0;
  /** @param {number | null} value @param {() => string} words */
  const took = (value, words) => (modelled ? (value === null ? "not reported" : words()) : "");
  /** @type {[string, any][]} */
  const lines = [
    ["Agent", row.agent],
    ["Condition", row.condition],
    ["Template", row.template],
    ["Request", row.prompt],
    ["Trial", row.trial],
    ["Status", row.status],
    ["User", said.user],
    ["Calls", `${count(row.calls)}${row.failed_calls ? `, ${count(row.failed_calls)} did not succeed` : ""}`],
    ["Asked", counted(row.questions, "question")],
    ["Model calls", took(row.turns, () => count(row.turns))],
    ["Tokens", took(row.prompt_tokens, () => `${count(row.prompt_tokens)} in, ${count(row.completion_tokens)} out`)],
    ["Cost", took(row.cost, () => money(row.cost))],
    ["Time", span(row.seconds)],
    ["Expected changes made", percent(row.ckpt)],
    ["Unexpected changes", row.unexpected === null ? "" : count(row.unexpected)],
    ["Side effects", row.side_effects ? "yes, as published: changed something, and not as wanted" : ""],
    ["Seed", said.seed],
    ["Transport", said.transport],
    ["Package", said.package],
  ];
  const told = lines.filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== "–");
  return html`<dl class="facts-list">
    ${told.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${String(value)}</dd></div>`)}</dl>`;
}

/** @param {{ trial: Trial }} props */
function Judgements({ trial }) {
  if (!trial.judgements.length) return null;
  /** @param {Trial["judgements"]} of */
  const boxes = (of) => of.map(
    (one) => html`<div class="judgement" key=${one.query}>
    <p><strong>${one.query}</strong> ${one.text}</p><ul>${one.verdicts.map((verdict, n) => html`<li key=${n}>
    <span class="flag">${verdict.answer}</span> ${verdict.reason} <span class="quiet">${verdict.judge}</span></li>`)}
    </ul></div>`,
  );
  const waiting = trial.judgements.filter((one) => !one.verdicts.length);
  const wait = `${counted(waiting.length, "question")} ${waiting.length === 1 ? "waits" : "wait"} for a judge`;
  return html`<section class="panel" aria-labelledby="judged"><h2 id="judged">Judgements</h2>
    ${boxes(trial.judgements.filter((one) => one.verdicts.length))}
    ${waiting.length > 0 && html`<${Fold} title=${wait}
      of=${waiting.map((one) => one.text)}>${boxes(waiting)}</${Fold}>`}</section>`;
}

/** What the task says, where it is known. @param {{ trial: Trial }} props */
function TaskBox({ trial }) {
  const { task } = trial;
  if (!task) return null;
  const prompts = Object.entries(task.prompts || {});
  const held = [task.prompts, task.facts, task.sessions];
  return html`<${Fold} title=${`Task ${task.id}${task.changed ? ", changed since" : ""}`} of=${held}>
    ${prompts.map(([name, text]) => html`<div key=${name}><h4>${name}${name === trial.row.prompt ? " (played)" : ""}
      </h4>${name === "original" && lacking(trial) ? html`<${Lacked} original=${plain(text)}
        played=${plain(prompts.find(([one]) => one === trial.row.prompt)?.[1])} />` : html`<${Prose} of=${text} />`}
      </div>`)}
    ${task.sessions?.length > 1 && html`<h4>${counted(task.sessions.length, "session")}</h4><ol>
      ${task.sessions.map((one, n) => html`<li key=${n}><span class="quiet">${moment(one.now)}
      </span> <${Prose} of=${one.text} lines=${4} /></li>`)}</ol>`}
    ${Object.keys(task.facts || {}).length > 0 && html`<h4>Facts</h4><${Values} of=${task.facts} lines=${4} />`}
  </${Fold}>`;
}

/** Whether the played request withholds something that the original says. @param {Trial} trial */
function lacking(trial) {
  const said = trial.task?.prompts || {};
  return trial.row.prompt !== "original" && Boolean(said.original && said[trial.row.prompt]);
}

/**
 * A text in parts, of which every second one is made of words that another text lacks.
 * @param {string} whole @param {string} other
 */
function lackedParts(whole, other) {
  const a = whole.split(/(?<=\s)/);
  const b = other.split(/\s+/).filter(Boolean);
  if (a.length * b.length > 1e6) return [whole];
  // The longest words in common; `rest[n][m]` is their number from word n of the one and m of the other on.
  const rest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let n = a.length - 1; n >= 0; n -= 1)
    for (let m = b.length - 1; m >= 0; m -= 1)
      rest[n][m] = a[n].trim() === b[m] ? rest[n + 1][m + 1] + 1 : Math.max(rest[n + 1][m], rest[n][m + 1]);
  const parts = [""];
  let m = 0;
  for (let n = 0; n < a.length; n += 1) {
    while (m < b.length && rest[n][m] === rest[n][m + 1]) m += 1;
    const common = m < b.length && a[n].trim() === b[m] && rest[n][m] === rest[n + 1][m + 1] + 1;
    if (common) m += 1;
    if (common !== (parts.length % 2 === 1)) parts.push("");
    parts[parts.length - 1] += a[n];
  }
  return parts;
}

/** The original request, what the played one lacks marked. @param {{ original: string, played: string }} props */
function Lacked({ original, played }) {
  const parts = useMemo(() => lackedParts(original, played), [original, played]);
  return html`<p class="text">${parts.map((part, n) => (n % 2 ? html`<strong class="lacked" key=${n}
    title="not in the played request"><${Marked} of=${part} /></strong>` : html`<${Marked} of=${part} />`))}</p>`;
}

/** What was withheld from the agent, beside the request. @param {{ trial: Trial }} props */
function Withheld({ trial }) {
  const gone = trial.task?.withheld || [];
  if (!gone.length) return null;
  return html`<p class="withheld"><${Term} of="withheld">Withheld</${Term}>: ${gone.map((one, n) => html`
    ${n ? "; " : ""}<code><${Marked} of=${one.name} /></code> = <strong class="lacked">
      <${Marked} of=${plain(one.text)} /></strong>`)}
  </p>`;
}

/**
 * Other trials of the task, those from which most is learnt first: with the other verdict, by another agent, under the
 * same condition, from the same request, in this order of weight. Where the list that led here is of tasks on which
 * conditions decide differently, `shifted`, the same agent under the other condition stands in for another agent.
 * @param {Trial} trial @param {string[]} shifted
 */
function telling(trial, shifted) {
  const { row } = trial;
  const scored = (/** @type {string} */ verdict) => verdict === "correct" || verdict === "failed";
  const other = (/** @type {Sibling} */ one) => one.agent !== row.agent || one.run !== trial.run;
  /** @type {(one: Sibling) => boolean} */
  const moved = (one) =>
    !other(one) &&
    [decidedFor(one.condition, row.condition), decidedFor(row.condition, one.condition)].some((said) =>
      shifted.includes(said),
    );
  const weight = (/** @type {Sibling} */ one) =>
    4 * Number(scored(one.verdict) && one.verdict !== row.verdict) +
    2 * Number(shifted.length ? moved(one) : other(one)) +
    Number(one.condition === row.condition) +
    Number(one.prompt === row.prompt) / 2;
  return [...trial.siblings].sort((a, b) => weight(b) - weight(a));
}

/** Choose a trial of the same task to stand beside this one. @param {{ trial: Trial, route: Route }} props */
function CompareWith({ trial, route }) {
  const siblings = useMemo(() => telling(trial, route.filters.get("shifted") || []), [trial]);
  const [chosen, setChosen] = useState(rowId(siblings[0]));
  /** @param {any} event */
  const send = (event) => {
    event.preventDefault();
    const second = siblings.find((one) => rowId(one) === chosen);
    if (second) go(trialRoute(route, trial, { page: "pair", second }));
  };
  /** @param {any} event */
  const pressed = (event) => {
    if (event.key === "Enter") send(event);
  };
  /** @param {Sibling} one */
  const of = ({ run }) => (labelOfRun(run) ? ` of ${labelOfRun(run)}` : "");
  const groups = [
    { label: "Same condition", of: siblings.filter((one) => one.condition === trial.row.condition) },
    { label: "Other conditions", of: siblings.filter((one) => one.condition !== trial.row.condition) },
  ].filter((group) => group.of.length);
  return html`<form class="compare-with" onSubmit=${send}>
    <label for="sibling">Compare with</label>
    <select id="sibling" class="field small" value=${chosen} onKeyDown=${pressed} title="Enter compares"
      onChange=${(/** @type {any} */ event) => setChosen(event.target.value)}>
      ${groups.map((group) => html`<optgroup key=${group.label} label=${group.label}>
        ${group.of.map((one) => html`<option key=${rowId(one)} value=${rowId(one)}>
        ${one.verdict}: ${one.agent}, ${one.condition}, trial ${one.trial}${of(one)}</option>`)}</optgroup>`)}
    </select>
    <button class="button small">Compare</button>
  </form>`;
}

/** Kin of a trial: where it was forked, and others of the task. @param {{ trial: Trial, route: Route }} props */
function Kin({ trial, route }) {
  const { parent, forks, siblings } = trial;
  const from = parent && parent.run !== null && parent.key ? { run: parent.run, key: parent.key } : null;
  /** @param {Place} first */
  const both = (first) => trialRoute(route, first, { page: "pair", second: { run: trial.run, key: trial.key } });
  return html`<div class="kin">
    ${parent && !from && html`<p>Went on from step ${parent.step} of a trial in ${parent.folder}.</p>`}
    ${parent && from && html`<p>Went on from <${Link} to=${trialRoute(route, from, { step: parent.step })}>step
      ${` ${parent.step} of its parent`}</${Link}>, <${Link} to=${both(from)}>compare them</${Link}>.</p>`}
    ${forks.length > 0 && html`<p>Forked: ${forks.map((fork, n) => html`${n ? ", " : ""}
      <${Link} to=${trialRoute(route, fork)}>${fork.agent} from step ${fork.step}</${Link}>`)}</p>`}
    ${siblings.length > 0 && html`<${CompareWith} trial=${trial} route=${route} />`}
  </div>`;
}

/** Words for places of the outline that are no kinds of events. @type {Record<string, string>} */
const OUTLINED = { write: "Writes", failed: "Refused", session: "Session", last_words: "Last words",
  unknown: "No such tool", garbled: "Unreadable", process: "Process" };

/** @param {{ one: Trial["outline"][number], trial: Trial, route: Route }} props */
function OutlineItem({ one, trial, route }) {
  const word = KINDS[one.kind] || OUTLINED[one.kind] || one.kind.replaceAll("_", " ");
  return html`<li class=${`out-${Object.hasOwn(KINDS, one.kind) ? one.kind : "other"}`}>
    <${Link} to=${trialRoute(route, trial, { at: one.at, attempt: attemptOf(trial) })} title=${one.label}>
      <span class="out-kind">${word}</span>
      ${` ${one.label}`}</${Link}></li>`;
}

/** @param {{ trial: Trial, route: Route, folded: boolean }} props */
function Outline({ trial, route, folded }) {
  if (!trial.outline.length) return null;
  const items = html`<ol>
    ${trial.outline.map((one, n) => html`<${OutlineItem} key=${n} one=${one} trial=${trial} route=${route} />`)}</ol>`;
  const title = `Outline: ${counted(trial.outline.length, "place")}`;
  if (folded) return html`<nav class="outline" aria-label="Outline"><${Fold} title=${title}>${items}</${Fold}></nav>`;
  return html`<nav class="outline" aria-label="Outline"><h2>Outline</h2>${items}</nav>`;
}

/** @param {{ walk: Walk, back: Route, found: any }} props */
function TrialBar({ walk, back, found }) {
  const { noun, at, of, before, after } = walk;
  const page = back.page === "questions" ? "Questions" : "List";
  /** @type {(word: string, to: Route | null) => any} */
  const step = (word, to) => to ? html`<${Link} to=${to} class="button small"
    label=${`${word} ${noun} of the list`}>${word}</${Link}>` : html`<span class="button small off">${word}</span>`;
  return html`<div class="trial-bar"><nav aria-label=${`${headed(noun)}s of the list`}>
    <${Link} to=${back} class="button small">← ${page}</${Link}>
    ${step("Previous", before)} ${step("Next", after)}
    <span class="quiet">${at < 0 ? "" : `${noun === "trial" ? "" : `${headed(noun)} `}${count(at + 1)} of ${count(of)}`}
    </span>
  </nav>${found}</div>`;
}

/** @param {{ trial: Trial }} props */
function Why({ trial }) {
  const { row } = trial;
  const reason = row.reason || trial.scores.find((score) => score.reason)?.reason || "";
  const other = otherValues(trial);
  const missing = missingInWords(trial);
  const whole = other ? "" : reasonNaming(plain(reason), missing);
  return html`${!isSaidBetter(trial, plain(reason)) && html`<p class="why"><${Marked}
    of=${whole || plain(reason) || MEANS[row.verdict] || ""} /></p>`}
    ${other && html`<p class="why why-other">${other}</p>`}
    ${missing && !whole && html`<p class="why">Missing: ${missing}.</p>`}`;
}

/** Characters of the agent's last words that are shown at first. */
const LAST_WORDS = 300;

/** What the agent said last: often why it did what it did. @param {{ trial: Trial }} props */
function LastWords({ trial }) {
  const text = plain((trial.replies || []).at(-1)).trim();
  const [all, setAll] = useState(false);
  if (!text) return null;
  const long = text.length > LAST_WORDS + 40;
  const start = text.slice(0, LAST_WORDS);
  return html`<p class="last-words"><span class="quiet">The agent's last words:</span> “<${Marked}
    of=${all || !long ? text : `${start}…`} />”${long && !all && html`<${PrintedPart} start=${start}
    chars=${text.length} />`}${long && html`<button class="more"
    aria-expanded=${all} onClick=${() => setAll(!all)}>${all ? "less" : "more"}</button>`}</p>`;
}

/** What the trial was about, four lines of it at first: ids of tasks say little. @param {{ trial: Trial }} props */
function AskedFor({ trial }) {
  const request = trial.first.find((event) => event.kind === "request");
  const text = tidy(plain(request?.text));
  const [all, setAll] = useState(false);
  const [long, setLong] = useState(false);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const at = box.current;
    if (!at || all) return undefined;
    const sizes = new ResizeObserver(() => setLong(at.scrollHeight > at.clientHeight + 2));
    sizes.observe(at);
    return () => sizes.disconnect();
  }, [all, text]);
  if (!text) return null;
  return html`<div class="asked-for"><p ref=${box} class=${all ? "" : "few-lines"}>“<${Marked} of=${text} />”</p>
    ${(long || all) && html`<button class="more" aria-expanded=${all} onClick=${() => setAll(!all)}>
      ${all ? "less" : "more"}</button>`}</div>`;
}

/** What a trial was played as before, and given up. @param {{ trial: Trial, route: Route }} props */
function EarlierTries({ trial, route }) {
  if (!trial.tries.length || trial.attempt) return null;
  return html`<section class="panel wide" aria-labelledby="tries"><h2 id="tries">Earlier tries
    <small>${counted(trial.tries.length, "try", "tries")} given up before the one shown here</small></h2>
    <p class="quiet">${MEANS.tries}</p>
    <ol class="tries">${trial.tries.map((one) => html`<li key=${one.number}>
      <${Link} to=${trialRoute(route, trial, { attempt: one.number })}>Try ${one.number}</${Link}>
      ${" "}<span class="flag">${one.status}</span> <${Marked} of=${plain(one.reason)} />
      <span class="quiet"> ${counted(one.calls, "call")} · ${counted(one.changes, "changed row")} ·
        ${` ${count(one.prompt_tokens)} → ${count(one.completion_tokens)} tokens`} · ${span(one.seconds)}</span>
      </li>`)}
    </ol></section>`;
}

/** That this is no trial but a try that was given up. @param {{ trial: Trial, route: Route }} props */
function EarlierTry({ trial, route }) {
  if (!trial.attempt) return null;
  const { number, of } = trial.attempt;
  const others = Array.from({ length: of }, (_, n) => n + 1).filter((n) => n !== number);
  return html`<div class="notice warn earlier"><strong>Earlier try ${number} of ${of}.</strong>
    ${" It was given up: nothing of it counts but its tokens and time. "}
    <${Link} to=${trialRoute(route, trial)}>The trial itself</${Link}>
    ${others.map((n) => html`, <${Link} key=${n} to=${trialRoute(route, trial, { attempt: n })}>try ${n}</${Link}>`)}
    </div>`;
}

/**
 * Where the words of the route's search stand in a trial, and the way from one place to the next.
 * @param {Run[]} runs @param {Place} place @param {Route} route @param {Trial | undefined} trial as it is shown
 */
function useHits(runs, place, route, trial) {
  const words = route.words.trim();
  const id = `${place.run}.${place.key} ${words}`;
  const { value, error } = useLoaded(
    () => (words ? findHits(runs, place, words) : Promise.resolve(null)),
    [place.run, place.key, words, runs.length],
  );
  const [state, setState] = useState({ of: id, at: -1, moved: 0 });
  const { at: last, moved } = state.of === id ? state : { at: -1, moved: 0 };
  const all = value?.hits || [];
  // Which place is shown goes by the address: one may have come there by another way than from hit to hit.
  const here = route.step === null ? route.at : (trial?.steps?.[route.step] ?? null);
  const tried = route.attempt || 0;
  const at =
    here === null
      ? all[last]?.at < 0
        ? last
        : -1
      : all.findIndex((hit) => hit.attempt === tried && hit.at === here);
  const marks = useMemo(() => (words ? marksOf(words) : null), [words]);
  const own = useMemo(
    () => new Map(all.filter((hit) => hit.attempt === (route.attempt || 0)).map((hit) => [hit.at, hit])),
    [value, route.attempt],
  );
  /** @param {number} by */
  const move = (by) => {
    if (!all.length) return false;
    const after = all.findIndex(
      (hit) => hit.attempt > tried || (hit.attempt === tried && (hit.at < 0 || hit.at > (here ?? -1))),
    );
    const until = after < 0 ? all.length : after;
    const from = at >= 0 ? at + by : here === null ? (by > 0 ? 0 : -1) : by > 0 ? until : until - 1;
    const next = (from + all.length) % all.length;
    const hit = all[next];
    setState({ of: id, at: next, moved: moved + 1 });
    go(trialRoute(route, place, { attempt: hit.attempt || null, at: hit.at < 0 ? null : hit.at }), true);
    if (hit.at < 0) {
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const mark = document.querySelector(".trial-head mark, .panels mark");
          if (mark) mark.scrollIntoView({ block: "center" });
          else window.scrollTo(0, 0);
        }),
      );
    }
    return true;
  };
  const clear = trialRoute({ ...route, words: "" }, place, { attempt: route.attempt });
  const bar = error
    ? html`<${Failure} text=${error} />`
    : words && value && html`<${HitBar} hits=${all} total=${value.total} words=${words} at=${at} trial=${trial}
        move=${move} clear=${clear} />`;
  return { marks, own, moved, move, bar };
}

/** @typedef {(place: Place, notes: number) => void} Noted told how many annotations a trial has now */

/** @param {{ place: Place, route: Route, walk: Walk, runs: Runs, noted: Noted }} props */
function TrialPage({ place, route, walk, runs, noted }) {
  const { value: trial, error } = useLoaded(
    () => loadTrial(place, route.attempt),
    [place.run, place.key, route.attempt],
  );
  const hits = useHits(runs.runs, place, route, trial);
  const { from } = route;
  const back = from ? { ...route, page: from, first: null, from: /** @type {""} */ ("") } : listRoute(route);
  useKeys({
    n: () => walk.after && go(walk.after),
    p: () => walk.before && go(walk.before),
    u: () => go(back),
    ".": () => hits.move(1),
    ",": () => hits.move(-1),
    c: () => {
      const chooser = document.getElementById("sibling");
      chooser?.scrollIntoView({ block: "center" });
      chooser?.focus();
      return Boolean(chooser);
    },
  });
  useEffect(() => {
    if (route.step === null && route.at === null) window.scrollTo(0, 0);
  }, [place.key, place.run, route.attempt]);
  useEffect(() => {
    if (trial) document.title = `${trial.row.verdict}: ${trial.row.task}, ${trial.row.agent}`;
  }, [trial]);
  const bar = html`<${TrialBar} walk=${walk} back=${back} found=${hits.bar} />`;
  if (error) return html`<div class="trial-page">${bar}<${Failure} text=${error} /></div>`;
  if (!trial) return html`<div class="trial-page">${bar}<p class="quiet pad">Reading the trial…</p></div>`;
  return html`<${Marks.Provider} value=${hits.marks}>
    <${TrialView} key=${`${place.run}.${place.key}.${route.attempt}`} trial=${trial} route=${route} runs=${runs}
      bar=${bar} hits=${hits} noted=${noted} /></${Marks.Provider}>`;
}

/** What its model calls took, where there were several. @param {{ trial: Trial, route: Route }} props */
function Tokens({ trial, route }) {
  if (trial.turns.at.length < 2) return null;
  return html`<${Fold} title="Tokens and time, call by call"><${TurnChart} trial=${trial} route=${route} /></${Fold}>`;
}

const UNEXPECTED = MEANS.unexpected.replace("Changes", "Unexpected changes are changes");

/**
 * @param {object} props
 * @param {Trial} props.trial
 * @param {Route} props.route
 * @param {Runs} props.runs
 * @param {any} props.bar
 * @param {ReturnType<typeof useHits>} props.hits
 * @param {Noted} props.noted
 */
function TrialView({ trial, route, runs, bar, hits, noted }) {
  const [all, setAll] = useState(trial.annotations);
  const set = (/** @type {Annotation[]} */ next) => {
    trial.annotations = next;
    noted(trial, next.length);
    setAll(next);
  };
  const notes = { runs: trial.attempt ? { ...runs, writable: false } : runs, trial, all, set };
  const run = runs.runs.find((one) => one.run === trial.run);
  const { row } = trial;
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    // What had the focus is gone with the page that led here. A page that was just loaded begins at its top.
    const lost = hasMoved && document.activeElement === document.body;
    if (lost && route.step === null && route.at === null) heading.current?.focus({ preventScroll: true });
  }, []);
  const known = isExpectedKnown(trial);
  const narrow = useMedia("screen and (max-width: 1080px)");
  const facts = html`<${Facts} trial=${trial} />
    <p class="record">
      <a class="button small" href=${rawPath(trial)} download=${trial.file} title=${trial.file}>Download the record</a>
      <span class="quiet">${` ${size(trial.bytes)}`}</span></p>`;
  return html`<div class="trial-page">
    ${bar}
    <div class="trial-grid">
      <div class="trial-main">
        <header class="trial-head">
          <${EarlierTry} trial=${trial} route=${route} />
          <h1 ref=${heading} tabindex="-1"><${Verdict} of=${row.verdict} /> <span>${row.task}</span></h1>
          <p class="who">${row.agent} under ${row.condition}, trial ${row.trial}${run ? ` of ${run.label} ` : " "}
            <${Flags} of=${row.flags} /></p>
          <${AskedFor} trial=${trial} />
          <${Withheld} trial=${trial} />
          <${Why} trial=${trial} />
          <${LastWords} trial=${trial} />
          <${Kin} trial=${trial} route=${route} />
        </header>
        ${narrow && html`<${Outline} trial=${trial} route=${route} folded=${true} />`}
        <div class="panels">
          <${EarlierTries} trial=${trial} route=${route} />
          <section class="panel wide" aria-labelledby="changes">
            <h2 id="changes">${areChangesExpected(trial) ? "Expected and actual changes" : "Changes"}
              <small>${changesSummary(trial)}</small></h2>
            ${known && trial.counts && trial.counts.unexpected > 0 && html`<p class="quiet">${UNEXPECTED}</p>`}
            ${!known && html`<p class="quiet">What was expected is not known here: the task is not there as it was
              played.${run?.changed ? ` ${sentence(run.changed)}` : ""}</p>`}
            ${known && run?.changed && html`<p class="aside">Of the task as it is now. ${sentence(run.changed)}</p>`}
            <${ExpectedActual} trial=${trial} />
          </section>
          ${(!trial.attempt || trial.task || trial.turns.at.length > 1) && html`<section class="panel"
            aria-labelledby="scores"><h2 id="scores">${trial.attempt ? "Task" : "Scores"}</h2>
            ${trial.scores.map((score) => html`<${FoldsOf} key=${score.check} part=${score.check}><${ScoreBox}
              score=${score} user=${trial.facts.user || ""} /></${FoldsOf}>`)}
            <${TaskBox} trial=${trial} /><${Tokens} trial=${trial} route=${route} /></section>`}
          <div class="half"><${Judgements} trial=${trial} /><${TrialNotes} notes=${notes} route=${route} /></div>
          ${narrow && html`<section class="panel">
            <${Fold} title="Facts, and the record whole">${facts}</${Fold}></section>`}
        </div>
        <section aria-labelledby="stream">
          <h2 id="stream" class="stream-title">What happened
            ${trial.attempt ? ` in earlier try ${trial.attempt.number}` : ""}
            <small>${counted(trial.events, "event")}</small></h2>
          ${plain(trial.system) && html`<article class="event is-system"><header><h3>
            <span class="kind">What the suite tells every agent</span></h3></header>
            <${Prose} of=${trial.system} lines=${3} quiet=${true} /></article>`}
          <${Stream} trial=${trial} notes=${notes} route=${route} hits=${hits.own} moved=${hits.moved} />
        </section>
      </div>
      ${!narrow && html`<aside class="beside" aria-label="Facts and outline">
        <section aria-labelledby="facts"><h2 id="facts">Facts</h2>${facts}</section>
        <${Outline} trial=${trial} route=${route} folded=${false} /></aside>`}
    </div>
  </div>`;
}
