// @ts-check
"use strict";
// Tokens of the agent's model calls, turn by turn.

/** @param {string} name */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** @param {{ events: Event_[] }} props */
function TokenChart({ events }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const dark = useMedia("(prefers-color-scheme: dark)");
  const calls = events.filter((event) => event.kind === "model_call" && event.usage);
  useEffect(() => {
    const at = box.current;
    if (!at || calls.length < 2) return undefined;
    const axis = {
      stroke: colour("--quiet"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { stroke: colour("--line") },
      font: "11px system-ui",
    };
    const chart = new uPlot(
      {
        width: at.clientWidth,
        height: 160,
        cursor: { y: false },
        legend: { live: true },
        scales: { x: { time: false } },
        axes: [
          { ...axis, label: "model call", labelSize: 18, labelFont: "11px system-ui" },
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
  }, [events, dark]);
  if (calls.length < 2) return null;
  const input = calls.reduce((sum, call) => sum + call.usage.prompt_tokens, 0);
  return html`<div class="chart" ref=${box} role="img"
    aria-label=${`Tokens of ${calls.length} model calls: ${count(input)} in all went in`}></div>`;
}
