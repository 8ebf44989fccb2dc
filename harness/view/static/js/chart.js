// @ts-check
"use strict";
// What the agent's model calls took, turn by turn: tokens and time, over the whole trial.

/** The chart library, loaded where the first chart is shown. @type {Promise<void> | undefined} */
let charts;

/** @returns {Promise<void>} */
function loadCharts() {
  charts ??= new Promise((resolve, reject) => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "vendor/uplot.css" });
    const script = document.createElement("script");
    script.onload = () => resolve();
    script.onerror = () => reject(new Error("vendor/uplot.js cannot be read"));
    script.src = "vendor/uplot.js";
    document.head.append(style, script);
  });
  return charts;
}

/** @param {string} name */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const HEIGHT = 190;
const BRIEF = new Intl.NumberFormat("en-GB", { notation: "compact" });

/**
 * Draw tokens and seconds of model calls; a click leads to the call.
 * @param {Trial["turns"]} turns @param {HTMLElement} at @param {(event: number) => void} open
 * @returns {() => void} what takes it away
 */
function draw(turns, at, open) {
  const font = "11px system-ui";
  const lines = { stroke: colour("--line"), width: 1 };
  const axis = { stroke: colour("--quiet"), grid: lines, ticks: lines, font, labelFont: font, labelSize: 16 };
  const told = (/** @type {any} */ _, /** @type {number | null} */ value) => count(value);
  const chart = new uPlot(
    {
      width: at.clientWidth,
      height: HEIGHT,
      scales: { x: { time: false }, seconds: { range: (_, least, most) => [Math.min(0, least), most || 1] } },
      axes: [
        { ...axis, label: "model call", size: 30, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
        { ...axis, label: "tokens", size: 46, values: (_, all) => all.map((value) => BRIEF.format(value)) },
        { ...axis, label: "seconds", size: 40, side: 1, scale: "seconds", grid: { show: false } },
      ],
      series: [
        {
          label: "call",
          value: (_, value, __, n) => (n === null ? "–" : `${count(value)}, before step ${count(turns.step[n])}`),
        },
        { label: "tokens in", stroke: colour("--accent"), width: 1.5, value: told },
        { label: "tokens out", stroke: colour("--warn"), width: 1.5, value: told },
        { label: "time", stroke: colour("--user"), width: 1, dash: [4, 3], scale: "seconds", value: (_, v) => span(v) },
      ],
    },
    [turns.at.map((_, n) => n + 1), turns.tokens_in, turns.tokens_out, turns.seconds],
    at,
  );
  chart.over.addEventListener("click", () => {
    if (typeof chart.cursor.idx === "number") open(turns.at[chart.cursor.idx]);
  });
  const sizes = new ResizeObserver(() => chart.setSize({ width: at.clientWidth, height: HEIGHT }));
  sizes.observe(at);
  return () => {
    sizes.disconnect();
    chart.destroy();
  };
}

/** @param {{ trial: Trial, route: Route }} props */
function TurnChart({ trial, route }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const latest = useRef(route);
  latest.current = route;
  const [error, setError] = useState("");
  const dark = useMedia("(prefers-color-scheme: dark)");
  const { turns } = trial;
  useEffect(() => {
    let away = () => {};
    let wanted = true;
    const open = (/** @type {number} */ at) =>
      go(trialRoute(latest.current, trial, { at, attempt: attemptOf(trial) }));
    loadCharts().then(
      () => {
        if (wanted && box.current) away = draw(turns, box.current, open);
      },
      (failed) => setError(failed.message),
    );
    return () => {
      wanted = false;
      away();
    };
  }, [trial, dark]);
  if (error) return html`<${Failure} text=${error} />`;
  const sum = (/** @type {number[]} */ values) => values.reduce((all, value) => all + value, 0);
  const longest = turns.seconds.reduce((best, value, n) => (value > turns.seconds[best] ? n : best), 0);
  const used = `${count(sum(turns.tokens_in))} tokens in, ${count(sum(turns.tokens_out))} out`;
  const said = `${counted(turns.at.length, "model call")}: ${used}, ${span(sum(turns.seconds))}`;
  return html`<p class="quiet">${said}; the longest took ${`${span(turns.seconds[longest])}, before `}
    <${Link} to=${trialRoute(route, trial, { at: turns.at[longest], attempt: attemptOf(trial) })}>step
    ${` ${turns.step[longest]}`}</${Link}>. A click in the chart leads to its call.</p>
    <div class="chart" ref=${box} role="img" aria-label=${`Tokens and time of ${said}`}></div>`;
}
