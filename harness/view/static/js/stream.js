// @ts-check
"use strict";
// All events of a trial in one stream. Pieces out of sight are empty boxes of the height that they had, or may have.

/** Height of an event that was never shown, in pixels. */
const GUESSED = 120;

/** @param {Trial} trial */
function pieceCount(trial) {
  return Math.max(1, Math.ceil(trial.events / trial.piece));
}

/**
 * The event that a route's link means; null where it means none.
 * @param {Trial} trial
 * @param {Route} route
 * @returns {number | null}
 */
function linkedPlace(trial, route) {
  if (route.step !== null) return trial.steps[route.step] ?? null;
  return route.at !== null && route.at < trial.events ? route.at : null;
}

/** @param {{ events: Event_[], around: Around, before: number }} props */
function Events({ events, around, before }) {
  let session = before;
  const asked = new Set(events.filter((event) => event.kind === "question").map((event) => event.step));
  return events.map((event) => {
    const begins = event.session !== session;
    session = event.session;
    return html`${begins && (around.trial.row.sessions > 1 || event.session > 0) && html`<h2 class="session"
      key=${`s${event.at}`}
      id=${`session-${event.session}`}>Session ${event.session + 1}${event.kind === "request" ? html` <small>
      ${moment(event.now)}</small>` : ""}</h2>`}
      <${EventCard} key=${event.at} event=${event} around=${around}
      told=${event.kind === "call" && asked.has(event.n)} />`;
  });
}

/**
 * A piece of the stream: shown while near, else a box as high as it was.
 * @param {object} props
 * @param {number} props.n
 * @param {boolean} props.near
 * @param {Around} props.around
 * @param {(at: Element) => void} props.watch
 * @param {Map<number, number>} props.heights of pieces that were shown, in pixels
 */
function Piece({ n, near, around, watch, heights }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const { trial } = around;
  const { value, error } = useLoaded(() => (near ? loadPiece(trial, n) : Promise.resolve(null)), [trial.key, n, near]);
  const [before, setBefore] = useState(/** @type {number | null} */ (n === 0 ? -1 : null));
  useEffect(() => {
    if (box.current) watch(box.current);
  }, []);
  useEffect(() => {
    if (!near || n === 0 || before !== null) return;
    loadPiece(trial, n - 1).then(
      (events) => setBefore(events.at(-1)?.session ?? -1),
      () => setBefore(-1),
    );
  }, [near]);
  const shown = n === 0 && near ? trial.first : value;
  const ready = Boolean(near && shown && before !== null);
  useLayoutEffect(() => {
    const at = box.current;
    if (!ready || !at) return undefined;
    const sizes = new ResizeObserver(() => heights.set(n, at.offsetHeight));
    sizes.observe(at);
    return () => sizes.disconnect();
  }, [ready]);
  const length = Math.min(trial.piece, trial.events - n * trial.piece);
  const height = ready ? undefined : `${heights.get(n) ?? length * GUESSED}px`;
  return html`<section class="piece" ref=${box} data-piece=${n} data-ready=${ready} style=${{ height: height ?? "" }}
    aria-label=${`Events ${n * trial.piece} to ${n * trial.piece + length - 1}`}>
    ${error ? html`<${Failure} text=${error} />` : ready ? html`<${Events} events=${shown} around=${around}
      before=${before} />` : null}
  </section>`;
}

/**
 * `moved` grows where the event of the route is asked for again.
 * @param {{ trial: Trial, notes: Notes, route: Route, hits: Map<number, Hit>, moved: number }} props
 */
function Stream({ trial, notes, route, hits, moved }) {
  const pieces = pieceCount(trial);
  const [near, setNear] = useState(() => new Set([0]));
  const [marked, setMarked] = useState(/** @type {number | null} */ (null));
  const heights = useRef(new Map());
  const printing = usePrinting();
  const watcher = useMemo(
    () =>
      new IntersectionObserver(
        (entries) => {
          setNear((was) => {
            const next = new Set(was);
            for (const entry of entries) {
              const n = Number(/** @type {HTMLElement} */ (entry.target).dataset.piece);
              if (entry.isIntersecting) next.add(n);
              else next.delete(n);
            }
            return next;
          });
        },
        { rootMargin: "1600px 0px" },
      ),
    [trial],
  );
  useEffect(() => () => watcher.disconnect(), [watcher]);

  const wanted = useRef(/** @type {number | null} */ (null));
  const stream = useRef(/** @type {HTMLElement | null} */ (null));

  /** Show an event, with the pieces around it, and put the focus there. @param {number} at */
  const call = async (at) => {
    const piece = Math.floor(at / trial.piece);
    const around = [piece - 1, piece, piece + 1].filter((n) => n >= 0 && n < pieces);
    wanted.current = at;
    await loadPiece(trial, piece);
    setNear((was) => new Set([...was, piece]));
    setMarked(at);
    let tries = 0;
    const scroll = () => {
      if (wanted.current !== at) return;
      const found = document.getElementById(`e${at}`);
      tries += 1;
      if (!found) {
        if (tries < 60) requestAnimationFrame(scroll);
        return;
      }
      found.scrollIntoView({ block: "start" });
      const mark = moved && found.querySelector("mark");
      if (mark && mark.getBoundingClientRect().bottom > window.innerHeight) mark.scrollIntoView({ block: "center" });
      found.focus({ preventScroll: true });
      if (tries < 60) {
        const ready = around.every(
          (n) => document.querySelector(`[data-piece="${n}"]`)?.getAttribute("data-ready") === "true",
        );
        tries = ready ? 60 : tries;
        requestAnimationFrame(scroll);
      }
    };
    scroll();
  };
  useEffect(() => {
    const at = linkedPlace(trial, route);
    if (at !== null) call(at);
    else {
      wanted.current = null;
      setMarked(null);
    }
  }, [trial, route.step, route.at, moved]);
  /** @param {number} by */
  const move = (by) => {
    const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".piece .event[id]:not(.is-model_call)")]);
    const here = all.findIndex((one) => one.id === `e${wanted.current}`);
    const sight = all.findIndex((one) => one.getBoundingClientRect().top >= 60);
    const next = here >= 0 ? all[within(here + by, 0, all.length - 1)] : all[by > 0 ? sight : sight - 1];
    // A stream that begins below what is in sight may not be drawn yet: its first event is the next one.
    const ahead = stream.current && stream.current.getBoundingClientRect().top >= 60;
    const begins = trial.first.find((event) => event.kind !== "model_call");
    if (!next && !(ahead && begins)) return;
    const at = next ? Number(next.id.slice(1)) : begins?.at;
    const step = next?.dataset.step;
    wanted.current = at ?? null;
    go(trialRoute(route, trial, { attempt: attemptOf(trial), ...(step ? { step: Number(step) } : { at }) }), true);
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  const around = { trial, notes, route, marked, hits };
  return html`<div class="stream" ref=${stream}>
    ${Array.from({ length: pieces }, (_, n) => html`<${Piece} key=${n} n=${n}
      near=${near.has(n) || (printing && n === 0)} around=${around}
      watch=${(/** @type {Element} */ at) => watcher.observe(at)} heights=${heights.current} />`)}
  </div>`;
}
