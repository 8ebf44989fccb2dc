// @ts-check
"use strict";
// Trials that went on from a step of another one, as trees.

/**
 * A trial and what went on from it.
 * @typedef {object} ForkNode
 * @property {string} id
 * @property {Place} place
 * @property {Row | null} row
 * @property {number | null} step
 * @property {ForkNode[]} children
 * @property {string} gone where it is, if not among these runs
 */

/** Forks of one trial, and trees, that are shown before one asks for more. */
const FORKS = 100;

/**
 * @param {Row[]} forks
 * @param {Map<string, Row>} all
 * @returns {ForkNode[]}
 */
function forkTrees(forks, all) {
  /** @type {Map<string, ForkNode>} */
  const nodes = new Map();
  /** @type {(id: string, place: Place, gone: string) => ForkNode} */
  const node = (id, place, gone) => {
    const known = nodes.get(id) || { id, place, row: all.get(id) || null, step: null, children: [], gone };
    nodes.set(id, known);
    return known;
  };
  /** @type {ForkNode[]} */
  const roots = [];
  for (const row of forks) {
    const id = rowId(row);
    const { parent } = row;
    const own = node(id, { run: row.run, key: row.key }, "");
    if (!parent) continue;
    own.step = parent.step;
    const known = parent.run !== null && parent.key;
    const above = known
      ? node(`${parent.run}.${parent.key}`, { run: Number(parent.run), key: String(parent.key) }, "")
      : node(`gone ${parent.folder} ${parent.key}`, { run: 0, key: "" }, parent.folder || "another run");
    above.children.push(own);
  }
  const below = new Set([...nodes.values()].flatMap((one) => one.children));
  for (const one of nodes.values()) {
    one.children.sort((a, b) => (a.step ?? 0) - (b.step ?? 0));
    if (!below.has(one)) roots.push(one);
  }
  return roots;
}

/** @param {{ node: ForkNode, route: Route, parent: ForkNode | null }} props */
function ForkItem({ node, route, parent }) {
  const { row } = node;
  return html`<li><div class="fork">
    ${node.step !== null && html`<span class="fork-step">from step ${node.step}</span>`}
    ${
      row
        ? html`<${Verdict} of=${row.verdict} /> <${Link}
          to=${trialRoute(route, node.place, node.step === null ? {} : { step: node.step })}>${row.task}
          </${Link}> <span class="quiet">
          ${row.agent}, ${row.condition}, trial ${row.trial}, ${counted(row.calls, "call")}</span>
          <${RequestLine} row=${row} />`
        : html`<span class="quiet">${node.gone ? `a trial in ${node.gone}` : "a trial that is not among these runs"}
          </span>`
    }
    ${row && parent?.row && html` <${Link} class="button small"
      to=${trialRoute(route, parent.place, { page: "pair", second: node.place })}>Compare</${Link}>`}
  </div>
  ${node.children.length > 0 && html`<${ForkList} nodes=${node.children} route=${route} parent=${node} />`}</li>`;
}

/** @param {{ nodes: ForkNode[], route: Route, parent: ForkNode | null }} props */
function ForkList({ nodes, route, parent }) {
  const [all, setAll] = useState(false);
  return html`<ul class=${parent ? "" : "tree"}>
    ${nodes.slice(0, all ? nodes.length : FORKS).map((node) => html`<${ForkItem} key=${node.id} node=${node}
      route=${route} parent=${parent} />`)}
    ${nodes.length > FORKS && !all && html`<li><button class="more" onClick=${() => setAll(true)}>All
      ${` ${count(nodes.length)}`}</button></li>`}</ul>`;
}

/** @param {{ store: Store, route: Route }} props */
function ForksPage({ store, route }) {
  const forks = useMemo(() => store.rows.filter((row) => row.parent), [store.version]);
  useEffect(() => {
    document.title = "Forks";
  }, []);
  const trees = useMemo(() => forkTrees(forks, new Map(store.rows.map((row) => [rowId(row), row]))), [forks]);
  return html`<div class="report-page"><header class="report-head"><h1>Forks</h1>
    <p class="quiet">${MEANS.forks}</p></header>
    ${
      !forks.length
        ? html`<p class="empty">No trial of these runs was forked. <code>harness fork</code> makes one.</p>`
        : html`<div class="panel"><${ForkList} nodes=${trees} route=${readRoute("")} parent=${null} /></div>`
    }
  </div>`;
}
