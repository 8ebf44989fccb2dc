// @ts-check
"use strict";
// Two trials side by side.

/** More events than this are read of no trial that is compared. */
const COMPARED = 20000;

/** @param {Trial} trial @returns {Promise<Event_[]>} */
async function loadEvents(trial) {
  const pieces = Math.min(pieceCount(trial), Math.ceil(COMPARED / trial.piece));
  /** @type {Event_[]} */
  const events = [];
  for (let n = 0; n < pieces; n += 1) events.push(...(await loadPiece(trial, n)));
  return events;
}

/** @typedef {{ trial: Trial, events: Event_[] }} Whole */

/** @param {Place} place @returns {Promise<Whole>} */
async function loadWhole(place) {
  const trial = await loadTrial(place);
  return { trial, events: await loadEvents(trial) };
}

/** @param {{ step: Step | null, other: Step | null, trial: Trial, route: Route, same: boolean, side: string }} props */
function StepBox({ step, other, trial, route, same, side }) {
  if (!step)
    return html`<div class="step-box none"><span class="side">${side}</span><span class="nothing">no such step</span>
      </div>`;
  const { event } = step;
  const n = event.kind === "call" || event.kind === "hand_over" ? event.n : null;
  const to = trialRoute(listRoute(route), trial, n === null ? { at: event.at } : { step: n });
  const bad = event.kind === "call" && event.status !== "ok";
  const whole = html`${step.said.map((one) => html`<div class="said">
    <${Prose} of=${one.content} lines=${4} quiet=${true} /></div>`)}
    ${step.asked.map((one) => html`<div class=${`asked asked-${one.kind}`}><h4>
      ${one.kind === "question" ? "Question" : "Answer"}</h4>
      ${one.kind === "answer" ? html`<${AnswerBody} event=${one} />` : html`<${Prose} of=${one.text} lines=${5} />`}
      </div>`)}
    ${
      event.kind === "call"
        ? html`${!(step.asked.length && !bad) && html`<${ArgumentLines} event=${event}
            other=${other?.event.kind === "call" ? other.event : null} />`}
          ${!(step.asked.length && !bad) && html`<div class=${bad ? "result bad-result" : "result"}>
            <${Result} of=${event.text} /></div>`}
          ${event.changed?.length ? html`<${ChangedRows} of=${event.changed} />` : null}`
        : html`<${Prose} of=${event.kind === "message" ? event.content : event.text} lines=${6} />`
    }`;
  return html`<div class="step-box"><header><span class="side">${side}</span>${n !== null ? html`<span class="step-n">
    ${n}</span>` : ""}<span class="kind">${step.title}</span>${bad ? html` <span class="status">
    ${STATUSES[event.status] || event.status}</span>` : ""}<span class="tools">
    <${Link} to=${to} class="tool" label=${`Open at this step: ${trial.row.agent}`}>open</${Link}></span></header>
    ${same ? html`<${Fold} title=${brief(step)}>${whole}</${Fold}>` : whole}</div>`;
}

/** A step in a line. @param {Step} step */
function brief(step) {
  const said =
    step.kind === "call"
      ? Object.entries(step.event.arguments || {})
          .map(([name, value]) => `${name}: ${plain(value)}`)
          .join(", ")
      : plain(step.event.text ?? step.event.content);
  return said.length > 110 ? `${said.slice(0, 110)}…` : said || "no arguments";
}

/** Arguments, those that differ from the other's marked. @param {{ event: Event_, other: Event_ | null }} props */
function ArgumentLines({ event, other }) {
  const names = Object.keys(event.arguments || {});
  return html`<dl class="values">${names.map((name) => {
    const differs = other && canonical(other.arguments?.[name]) !== canonical(event.arguments[name]);
    return html`<div key=${name} class=${differs ? "differs" : ""}><dt>
      ${name}${differs ? html`<span class="unseen"> (differs)</span>` : ""}</dt><dd>
      <${Value} of=${event.arguments[name]} lines=${4} /></dd></div>`;
  })}</dl>`;
}

/**
 * What tells two trials apart in a word: agents, else conditions, else runs, else which trial each is.
 * @param {Trial} left @param {Trial} right @returns {[string, string]}
 */
function sideNames(left, right) {
  for (const name of ["agent", "condition"])
    if (left.row[name] !== right.row[name]) return [left.row[name], right.row[name]];
  if (left.run !== right.run) return [labelOfRun(left.run), labelOfRun(right.run)];
  if (left.row.trial !== right.row.trial) return [`trial ${left.row.trial}`, `trial ${right.row.trial}`];
  return ["left", "right"];
}

/** Whose side is whose, in sight wherever one reads. @param {{ sides: [Trial, Trial], names: string[] }} props */
function SideHeads({ sides, names }) {
  return html`<div class="side-heads">${sides.map((trial, n) => html`<p key=${n}>
    <${Verdict} of=${trial.row.verdict} /> <strong>${names[n]}</strong>
    <span class="quiet"> ${[names[n] === trial.row.agent ? trial.row.condition : trial.row.agent, labelOfRun(trial.run)]
      .filter((said) => said && said !== names[n])
      .join(", ")}</span></p>`)}</div>`;
}

/** The request that a trial began with. @param {Trial} trial */
function requestOf(trial) {
  return plain(trial.first.find((event) => event.kind === "request")?.text);
}

/** What both were asked, where it is the same; else each side has its own. @param {Trial} trial */
function askedOf(trial) {
  return canonical([requestOf(trial), trial.task?.withheld || []]);
}

/** What two trials were not alike in before either did anything; "" where in nothing. @param {Trial[]} sides */
function startedApart([left, right]) {
  if (left.row.task !== right.row.task) return "These are trials of different tasks.";
  if (requestOf(left) === requestOf(right)) return "";
  const prompts = [left.row.prompt, right.row.prompt];
  return `The two requests differ${prompts[0] === prompts[1] ? "" : `: ${prompts.join(" and ")}`}.`;
}

/** @param {{ trial: Trial, route: Route, alone: boolean }} props `alone`: its request is not the other's */
function PairHead({ trial, route, alone }) {
  const { row } = trial;
  return html`<div class="pair-head"><h2>
    <${Verdict} of=${row.verdict} /> <${Link} to=${trialRoute(listRoute(route), trial)}>${row.agent}</${Link}></h2>
    <p class="who">${row.condition}, trial ${row.trial}${labelOfRun(trial.run) && ` of ${labelOfRun(trial.run)}`}
      ${" "}<${Flags} of=${row.flags} /></p>
    ${alone && html`<${AskedFor} trial=${trial} /><${Withheld} trial=${trial} />`}
    <${Why} trial=${trial} />
    <${LastWords} trial=${trial} />
    <dl class="facts-list tight"><div><dt>Calls</dt><dd>${count(row.calls)}</dd></div><div><dt>Asked</dt><dd>
    ${count(row.questions)}</dd></div><div><dt>Cost</dt><dd>${money(row.cost)}</dd></div><div><dt>Changes</dt><dd>
    ${changesSummary(trial)}</dd></div></dl>
    <${Fold} title="Expected and actual changes"><${ExpectedActual} trial=${trial} /></${Fold}></div>`;
}

/** @param {{ route: Route, first: Place, second: Place }} props */
function PairPage({ route, first, second }) {
  const { value, error } = useLoaded(() => Promise.all([loadWhole(first), loadWhole(second)]), [first, second]);
  const compared = route.from === "compare";
  /** @type {Route} */
  const back = compared ? { ...readRoute(""), page: "compare" } : trialRoute(route, first);
  useKeys({ u: () => go(back) });
  const bar = html`<nav class="trial-bar" aria-label="Comparison">
    <${Link} to=${back} class="button small">← ${compared ? "Compare" : "Trial"}</${Link}>
    <${Link} to=${{ ...route, first: second, second: first, page: "pair" }} class="button small">Swap</${Link}></nav>`;
  if (error) return html`<div class="pair-page">${bar}<${Failure} text=${error} /></div>`;
  if (!value) return html`<div class="pair-page">${bar}<p class="quiet pad">Reading both trials…</p></div>`;
  return html`<${PairView} key=${`${rowId(first)} ${rowId(second)}`} route=${route} bar=${bar}
    left=${value[0]} right=${value[1]} />`;
}

/**
 * @param {{ route: Route, bar: any, left: Whole, right: Whole }} props
 */
function PairView({ route, bar, left, right }) {
  const lines = useMemo(() => aligned(stepsOf(left.events), stepsOf(right.events)), [left, right]);
  const part = parting(lines);
  const apart = useMemo(() => mattering(lines), [lines]);
  const alone = askedOf(left.trial) !== askedOf(right.trial);
  const [most, setMost] = useState(Math.max(300, part + 100));
  const [changing, setChanging] = useState(false);
  const [goal, setGoal] = useState({ line: -1, moved: 0 });
  const names = sideNames(left.trial, right.trial);
  /** @param {number} line */
  const goTo = (line) => {
    setMost((was) => Math.max(was, line + 100));
    if (!isKept(lines[line])) setChanging(false);
    setGoal((was) => ({ line, moved: was.moved + 1 }));
  };
  const goOn = () => goTo(apart.find((n) => n > goal.line) ?? apart[0]);
  useEffect(() => {
    document.title = `${left.trial.row.task}: two trials`;
  }, [left, right]);
  useEffect(() => {
    // Both trials are summed up at the top: one reads that first, and goes to a line by the buttons.
    if (!goal.moved) return window.scrollTo(0, 0);
    const there = document.getElementById(`line-${goal.line}`);
    there?.scrollIntoView({ block: "start" });
    there?.focus({ preventScroll: true });
  }, [left, right, goal]);
  const shown = lines.map((line, n) => ({ line, n })).filter((one) => !changing || isKept(one.line));
  const alike = shown.filter((one) => one.line.same).length;
  const before = lines
    .slice(0, part)
    .filter((line) => line.same && line.left?.kind !== "request" && line.left?.kind !== "arrival").length;
  const first = before ? `${counted(before, "step")} alike, then they part.` : "They part at the first step.";
  const below = `${counted(shown.length, "step")} below${changing ? ` (${count(lines.length)} in all)` : ""}`;
  const told =
    part < 0
      ? "Both take the same steps."
      : `${first} ${count(alike)} of ${below} ${alike === 1 ? "is" : "are"} the same on both.`;
  const apartFrom = startedApart([left.trial, right.trial]);
  return html`<div class="pair-page"><div class="pair-bar">${bar}
      <${SideHeads} sides=${[left.trial, right.trial]} names=${names} />
      <p class="pair-tools">
        <button class="button small" disabled=${!apart.length} onClick=${goOn}>
          ${goal.moved ? "Next" : "First"} difference that matters</button>
        <label class="check"><input type="checkbox" checked=${changing} onChange=${() => setChanging(!changing)} />
          Only changes and questions</label></p></div>
    <h1>${left.trial.row.task}</h1>
    ${apartFrom && html`<p class="parting-note"><strong>${apartFrom}</strong></p>`}
    ${!alone && html`<div class="pair-asked"><${AskedFor} trial=${left.trial} />
      <${Withheld} trial=${left.trial} /></div>`}
    <div class="pair-heads">${[left, right].map(({ trial }, n) => html`<${FoldsOf} key=${n} part=${`side ${n}`}>
      <${PairHead} trial=${trial} route=${route} alone=${alone} /></${FoldsOf}>`)}</div>
    <p class="parting-note">${told}
      ${part >= 0 && html`<button class="more" onClick=${() => goTo(part)}>To where they part</button>`}
      ${apart.length > 0 && apart[0] !== part && html`${" The first difference that matters comes later. "}<button
        class="more" onClick=${() => goTo(apart[0])}>To the first difference that matters</button>`}
      ${part >= 0 && !apart.length && " None of it matters: both changed, asked and were answered the same."}</p>
    <ol class="aligned">${shown.slice(0, most).map(
      ({
        line,
        n,
      }) => html`<li key=${n} id=${`line-${n}`} tabindex="-1"
        class=${classes("aligned-line", line.same ? "same" : "differs", n === part && "parts")}
          aria-label=${n === part ? "Here they part" : n === apart[0] ? "First difference that matters" : undefined}>
        ${n === part && html`<p class="parts-word"><span>Here they part${
          n === apart[0] ? `, in what was ${matterOf(line)}` : ""
        }</span></p>`}
        ${n === apart[0] && n !== part && html`<p class="parts-word">
          <span>First difference that matters, in what was ${matterOf(line)}</span></p>`}
        ${line.same && !line.result && html`<p class="parts-word other">Same call, other result</p>`}
        <${FoldsOf} part=${`line ${n} left`}><${StepBox} step=${line.left} other=${line.right}
          trial=${left.trial} route=${route}
        same=${line.same && line.result} side=${line.same && line.result ? "" : names[0]} /></${FoldsOf}>
        <${FoldsOf} part=${`line ${n} right`}><${StepBox} step=${line.right} other=${line.left}
          trial=${right.trial} route=${route}
        same=${line.same && line.result} side=${line.same && line.result ? "" : names[1]} /></${FoldsOf}></li>`,
    )}</ol>
    ${changing && !shown.length && html`<p class="quiet">Neither changed or asked anything.</p>`}
    ${shown.length > most && html`<button class="button" onClick=${() => setMost(most + 500)}>
      ${count(shown.length - most)} more lines</button>`}
  </div>`;
}
