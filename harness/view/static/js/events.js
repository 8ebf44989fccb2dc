// @ts-check
"use strict";
// One event of a trial, by its kind.

/**
 * What an event needs to know of its trial; `hits` by event, of the words that are looked for.
 * @typedef {{ trial: Trial, notes: Notes, route: Route, marked: number | null, hits: Map<number, Hit> }} Around
 */

/** @type {Record<string, string>} */
const KINDS = {
  request: "Request",
  message: "Message",
  model_call: "Model",
  call: "Call",
  question: "Question",
  answer: "Answer",
  hand_over: "Hand-over",
  arrival: "Arrival",
  landing: "Late effect",
};

/**
 * What a reply was that came to no ordinary end, as `harness/record/troubles.py` has it.
 * @type {Record<string, string>}
 */
const CUT_SHORT = {
  length: "cut at its limit of tokens",
  content_filter: "cut by its provider's filter of content",
  empty: "empty",
};

/** What an assistant message wants called, by name. @param {any} call @returns {string} */
function calledName(call) {
  return String(call?.name ?? call?.function?.name ?? "");
}

/** @param {Event_} event */
function eventTitle(event) {
  if (event.kind === "call") return [event.app, event.tool].filter(Boolean).join(".") || "unreadable call";
  if (event.kind === "message" && event.role === "assistant" && !plain(event.content)) {
    return `Agent calls ${(event.calls || []).map(calledName).join(", ") || "nothing, and says nothing"}`;
  }
  if (event.kind === "message")
    return (
      { system: "System prompt", user: "To the agent", assistant: "Agent", tool: "Result, as the agent read it" }[
        event.role
      ] || event.role
    );
  if (event.kind === "question") return "Question to the user";
  if (event.kind === "answer") return "The user answers";
  if (event.kind === "hand_over") return "Handed over to the user";
  if (event.kind === "request") return event.source ? `Begun by ${event.source}` : "Request";
  if (event.kind === "arrival") return `Arrived from ${event.source}`;
  if (event.kind === "landing") return `Late effect of step ${event.step}`;
  return KINDS[event.kind] || event.kind;
}

/** @param {Event_} event @returns {string} */
function tokens(event) {
  const used = event.usage;
  return used ? `${count(used.prompt_tokens)} → ${count(used.completion_tokens)} tokens` : "";
}

/** How a call was disturbed. @param {NonNullable<Event_["disturbance"]>} by */
function disturbed(by) {
  const kind = by.kind.replaceAll("_", " ");
  return typeof by.before === "number" ? `${kind}; the effect lands before step ${by.before}` : kind;
}

/** @param {{ event: Event_ }} props */
function CallBody({ event }) {
  const bad = event.status !== "ok";
  return html`
    ${event.disturbance && html`<p class="aside">Disturbed by its condition: ${disturbed(event.disturbance)}.</p>`}
    <div class="call-parts">
      <div><h4>Arguments</h4>${Object.keys(event.arguments || {}).length ? html`<${Values}
      of=${event.arguments} />` : html`<p class="nothing">none</p>`}</div>
      <div class=${bad ? "result bad-result" : "result"}><h4>Result</h4><${Result} of=${event.text} /></div>
    </div>
    ${event.changed?.length ? html`<${ChangedRows} of=${event.changed} />` : null}`;
}

/** @param {{ event: Event_ }} props */
function AnswerBody({ event }) {
  return html`<${Prose} of=${event.text} />
    ${
      event.parts?.length > 0 &&
      html`<ul class="parts">${event.parts.map(
        (
          part,
          n,
        ) => html`<li key=${n}><span class=${partClass(partKind(part, event.revealed || []))}>
          ${becameOf(partKind(part, event.revealed || []))}</span>
      ${part.target && html`<code><${Marked} of=${part.target} /></code>`}${" "}
      ${part.text && html`<span><${Marked} of=${/^["“]/.test(part.text) ? part.text : `“${part.text}”`} /></span>`}
      </li>`,
      )}</ul>`
    }
    ${
      event.parts?.some((part) => part.kind === "corrected") &&
      html`<p class="aside">Corrected: what the question had proposed stands in its own words; the record does not
        name it.</p>`
    }
    ${event.revealed?.length > 0 && html`<p class="aside"><${Term}
      of="revealed">Revealed</${Term}>: ${event.revealed.map((one) => html`<code><${Marked} of=${one} /></code> `)}
      </p>`}
    ${!event.parts?.length && !event.revealed?.length && event.targets?.length > 0 && html`<p
      class="aside">About ${event.targets.map((one) => html`<code><${Marked} of=${one} /></code> `)}; revealed
      nothing.</p>`}
    ${(event.doubts || []).length > 0 && html`<div class="aside doubted"><h4>Possible misunderstanding</h4>
      <${Doubts} of=${byStrength(event.doubts || [])} told=${true} /></div>`}
    ${event.goes_on === false && html`<p class="aside">The session ends here.</p>`}`;
}

/** @param {{ event: Event_ }} props */
function MessageBody({ event }) {
  const folded = event.role === "tool" || event.role === "system";
  const names = (event.calls || []).map(calledName).filter(Boolean);
  return html`
    ${plain(event.content) && (folded ? html`<${Fold} of=${event.content}
      title=${`${count(isCut(event.content) ? event.content.chars : plain(event.content).length)} characters`}>
      <${Prose} of=${event.content} lines=${40} /></${Fold}>` : html`<${Prose} of=${event.content} />`)}
    ${names.length > 0 && plain(event.content) && html`<p class="aside">calls ${names.map((name) => html`<code>${name}
      </code> `)}</p>`}
    ${event.ended && html`<p class="aside">This reply was ${CUT_SHORT[event.ended] || event.ended}.</p>`}
    ${event.process && html`<${Json} of=${event.process} title="How the program went" />`}`;
}

/** @param {{ event: Event_ }} props */
function Body({ event }) {
  if (event.kind === "call") return html`<${CallBody} event=${event} />`;
  if (event.kind === "answer") return html`<${AnswerBody} event=${event} />`;
  if (event.kind === "message") return html`<${MessageBody} event=${event} />`;
  if (event.kind === "question") {
    return html`<${Prose} of=${event.text} />
      ${event.context && html`<p class="aside">Context: <${Marked} of=${event.context} /></p>`}
      ${event.candidates?.length > 0 && html`<ul class="plain">${event.candidates.map((one) => html`<li><${Marked}
        of=${one} /></li>`)}
        </ul>`}`;
  }
  if (event.kind === "model_call") return event.problem ? html`<p class="aside bad"><${Marked}
    of=${event.problem} /></p>` : null;
  if (event.kind === "arrival" || event.kind === "landing") {
    return html`${plain(event.text) && html`<${Prose} of=${event.text} />`}
      ${event.changed?.length ? html`<${ChangedRows} of=${event.changed} />` : null}`;
  }
  return html`<${Prose} of=${event.text} />`;
}

/** Facts at the right of an event's head. @param {Event_} event @returns {string[]} */
function facts(event) {
  const said = [];
  if (event.subagent) said.push(`subagent ${event.subagent}`);
  if (event.kind === "model_call") {
    said.push(event.model || "", event.purpose === "agent" ? "" : `for the ${event.purpose}`, tokens(event));
    if (event.usage?.cost_usd) said.push(money(event.usage.cost_usd));
    if (event.attempts > 1) said.push(`${event.attempts} attempts`);
  }
  if (event.kind === "request") said.push(moment(event.now));
  if (event.kind === "question" && event.strategy) said.push(event.strategy);
  if (event.duration) said.push(span(event.duration));
  if (event.start) said.push(`at ${span(event.start)}`);
  return said.filter(Boolean);
}

/** A link to a place that copies its address, if the browser lets it. @param {{ to: Route, label: string }} props */
function CopyLink({ to, label }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    const address = location.href.replace(/#.*$/, "") + writeRoute(to);
    navigator.clipboard?.writeText(address).then(
      () => setCopied(true),
      () => {},
    );
  };
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2500);
    return () => clearTimeout(timer);
  }, [copied]);
  return html`<span onClick=${copy}><${Link} to=${to} class="tool" title="Go to this address, and copy it"
    label=${label}>link</${Link}>
    <span role="status">${copied && html`<span class="copied">copied</span>`}</span></span>`;
}

/**
 * `told`: a call whose question and answer stand above it, with the notes on it.
 * @param {{ event: Event_, around: Around, told?: boolean }} props
 */
function EventCard({ event, around, told }) {
  const [raw, setRaw] = useState(false);
  const step = event.kind === "call" || event.kind === "hand_over" ? event.n : null;
  // A note on a question is one on the step that asked it.
  const about = event.kind === "question" ? event.step : told ? null : step;
  const noting = useNoting(around.notes, about ?? `event ${event.at}`);
  // What is no step has no notes of its own: one on last words is one on the trial.
  const ends = around.trial.outline.some((one) => one.kind === "last_words" && one.at === event.at);
  const attempt = attemptOf(around.trial);
  const to = trialRoute(around.route, around.trial, step === null ? { at: event.at, attempt } : { step, attempt });
  const place = step === null ? `event ${event.at}` : `step ${step}`;
  const bad = event.kind === "call" && event.status !== "ok";
  const kind = Object.hasOwn(KINDS, event.kind) ? event.kind : "other";
  const head = html`<header>
    <h3><span class="kind">${step !== null ? html`<span class="step-n">${step}</span>` : null}<${Marked}
    of=${eventTitle(event)} /></span></h3>
    ${bad && html`<span class="status" title=${event.status}>${STATUSES[event.status] || event.status}</span>`}
    ${event.kind === "landing" && event.status !== "ok" && html`<span class="status">
      ${STATUSES[event.status] || event.status}</span>`}
    <span class="facts">${facts(event).join(" · ")}</span>
    <span class="tools">
      ${(about !== null || ends) && around.notes.runs.writable && html`<button class="tool"
        onClick=${() => noting.set(!noting.open)} aria-expanded=${noting.open}
        aria-label=${`note on ${about === null ? "the trial" : `step ${about}`}`}>note</button>`}
      <button class="tool" onClick=${() => setRaw(!raw)} aria-expanded=${raw}
        aria-label=${`json of ${place}`}>json</button>
      <${CopyLink} to=${to} label=${`Link to ${place}`} />
    </span>
  </header>`;
  const thin = event.kind === "message" && event.role === "assistant" && !plain(event.content);
  const role = event.kind === "message" && /^(system|user|assistant|tool)$/.test(event.role) && `role-${event.role}`;
  const marked = around.marked === event.at;
  return html`<${FoldsOf} part=${`e${event.at}`}><article id=${`e${event.at}`} data-step=${step} tabindex="-1"
    class=${classes("event", `is-${kind}`, role, bad && "is-bad", thin && "is-thin", marked && "is-marked")}>
    ${head}
    ${told && !bad && !event.changed?.length ? html`<${Fold}
      title="As the tool was called: the question and answer above" of=${[event.arguments, event.text]}>
      <${Body} event=${event} />
      </${Fold}>` : html`<${Body} event=${event} />`}
    <${HiddenHits} event=${event} hit=${around.hits.get(event.at)} />
    ${about !== null && html`<${NoteList} step=${about} notes=${around.notes} noting=${noting} />`}
    ${about === null && noting.open && html`<div class="notes"><${NoteForm} step=${null} notes=${around.notes}
      noting=${noting} /></div>`}
    ${raw && html`<div class="raw"><${JsonText} of=${event} /></div>`}
  </article>
  ${plain(event.last_words) && html`<article class="event is-message role-assistant"><header><h3>
    <span class="kind">The agent's last words</span></h3></header><${Prose} of=${event.last_words} /></article>`}
    </${FoldsOf}>`;
}
