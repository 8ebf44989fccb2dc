// @ts-check
"use strict";
// Tokens of the agent's model calls, turn by turn.

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

/**
 * Draw the tokens of model calls.
 * @param {Event_[]} calls @param {HTMLElement} at
 * @returns {() => void} what takes it away
 */
function draw(calls, at) {
  const font = "11px system-ui";
  const lines = { stroke: colour("--line"), width: 1 };
  const axis = { stroke: colour("--quiet"), grid: lines, ticks: lines, font };
  const chart = new uPlot(
    {
      width: at.clientWidth,
      height: 160,
      scales: { x: { time: false } },
      axes: [
        { ...axis, label: "model call", labelSize: 18, labelFont: font },
        { ...axis, size: 58 },
      ],
      series: [
        { label: "call" },
        { label: "tokens in", stroke: colour("--accent"), width: 1.5 },
        { label: "tokens out", stroke: colour("--warn"), width: 1.5 },
      ],
    },
    [
      calls.map((_, n) => n + 1),
      calls.map((call) => call.usage.prompt_tokens),
      calls.map((call) => call.usage.completion_tokens),
    ],
    at,
  );
  const sizes = new ResizeObserver(() => chart.setSize({ width: at.clientWidth, height: 160 }));
  sizes.observe(at);
  return () => {
    sizes.disconnect();
    chart.destroy();
  };
}

/** @param {{ events: Event_[] }} props */
function TokenChart({ events }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [error, setError] = useState("");
  const dark = useMedia("(prefers-color-scheme: dark)");
  const calls = events.filter((event) => event.kind === "model_call" && event.usage);
  useEffect(() => {
    let away = () => {};
    let wanted = true;
    loadCharts().then(
      () => {
        if (wanted && box.current) away = draw(calls, box.current);
      },
      (failed) => setError(failed.message),
    );
    return () => {
      wanted = false;
      away();
    };
  }, [events, dark]);
  if (error) return html`<${Failure} text=${error} />`;
  const input = calls.reduce((sum, call) => sum + call.usage.prompt_tokens, 0);
  return html`<div class="chart" ref=${box} role="img"
    aria-label=${`Tokens of ${calls.length} model calls: ${count(input)} in all went in`}></div>`;
}
