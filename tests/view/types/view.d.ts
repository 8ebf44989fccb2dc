// What the scripts of harness/view/static/js find around them: values that are served, and the vendored libraries.

type Hook = {
  useState<T>(first: T | (() => T)): [T, (next: T | ((was: T) => T)) => void];
  useEffect(run: () => void | (() => void), inputs?: unknown[]): void;
  useLayoutEffect(run: () => void | (() => void), inputs?: unknown[]): void;
  useMemo<T>(make: () => T, inputs: unknown[]): T;
  useRef<T>(first: T): { current: T };
  useContext(context: unknown): any;
};
/** A text has no type, and is its props. */
type VNode = { type: unknown; props: any };
declare const preact: {
  options: { vnode?: (node: VNode) => void };
  h: Function; Fragment: unknown; render(node: unknown, into: Element): void; createContext(value: unknown): any;
};
declare const preactHooks: Hook;
declare const htm: { bind(h: Function): (parts: TemplateStringsArray, ...values: unknown[]) => any };
type UPlotOptions = {
  width: number; height: number;
  scales: Record<string, { time?: boolean; range?: (u: unknown, least: number, most: number) => [number, number] }>;
  axes: { values?: (u: unknown, all: number[]) => string[]; [more: string]: any }[];
  series: { value?: (u: unknown, value: number | null, at: number, n: number | null) => string; [more: string]: any }[];
};
declare class uPlot {
  constructor(options: UPlotOptions, data: (number | null)[][], into: Element);
  over: HTMLElement;
  cursor: { idx?: number | null };
  static paths: { bars(options: object): unknown };
  setSize(size: { width: number; height: number }): void;
  destroy(): void;
}

type Cut = { cut: true; chars: number; start: string };
type Long = string | Cut;

type Problem = { file: string; text: string };
type Run = {
  run: number; name: string; label: string; folder: string; path: string; heading: string; suite: string; suite_version: string; identity: string;
  package: string; seed: number; calibration: boolean;
  agents: { name: string; kind: string; instrument: boolean; model: string }[];
  conditions: { name: string; prompt: string; ask: string; user: string }[];
  groups: string[]; checks: string[]; planned: number | null; under_way: boolean; changed: string;
  /** Whether a report lies in its folder. */
  written?: boolean;
  problems: Problem[]; texts?: number; total?: number;
};
type Runs = { package: string; writable: boolean; token: string; author: string; runs: Run[] };
type Index = {
  run: number; identity: string; from: number; total: number; trials: number; planned: number | null;
  under_way: boolean; problems: Problem[]; columns: Record<string, any[]>;
  /** What each prompt of a task asks for, by task and prompt. */
  requests?: Record<string, Record<string, string>>;
};

/** A row of the list: the index columns of one trial, with its run and its number in the run. */
type Row = {
  run: number; n: number; key: string; agent: string; condition: string; task: string; template: string; trial: number;
  prompt: string; status: string; verdict: string; score: number | null; ckpt: number | null;
  side_effects: number | null; unexpected: number | null; missing: number | null; questions: number; calls: number;
  failed_calls: number; turns: number | null; sessions: number; prompt_tokens: number | null; completion_tokens: number | null;
  cost: number | null; seconds: number; reason: string; mistake?: string; last_words?: string; label: string; flags: string[]; tools: string[]; tables: string[];
  notes: number; tags: string[];
  human: string; run_label: string; parent?: Parent | null; hay?: string; decided?: string[]; shifted?: string[];
  agreed?: string[]; kept?: string[];
  [group: string]: any;
};

type Parent = { run: number | null; folder: string; key: string | null; step: number };
/** Where a search found its words: the field, and parts of which every second one is a word. */
type Excerpt = [string, string[]];
/** An event that holds a word, or what is no event (-1); `attempt` is an earlier try, from 1, or 0. */
type Hit = { attempt: number; at: number; fields: Excerpt[] };
type FoundTrials = { excerpts: Map<string, Excerpt>; searched: number };
/** A text of a trial in a folder: try, event, field, text. */
type PlaceOfText = [number, number, string, string];
type FolderText = { key: string; places: PlaceOfText[]; all: string };

type Change = {
  app: string; table: string; id: string; op: "insert" | "update" | "delete"; fields: string[];
  before: Record<string, any> | null; after: Record<string, any> | null; name?: string; met?: boolean | null;
  expected?: boolean; says?: Record<string, string[]>;
};
/** What a text says of the facts that it has to say, and whether that is enough. */
type Telling = { said: string[]; missing: string[]; enough: boolean };
/** A missing change and the unexpected one most like it, by their places; `fields` keep the two apart. */
type Near = { expected: number; actual: number; fields: string[]; told: Record<string, Telling> };
type Changed = { app: string; table: string; id: string; op: string; fields: Record<string, [any, any]> };
type Write = { app: string; table: string; id: string; values: Record<string, any> | null };
type Criterion = { name: string; value: number | null; weight: number; reason: string };
type Score = {
  check: string; value: number | null; correct: boolean | null; reason: string; label: string; criteria: Criterion[];
  detail: Record<string, any>;
  /** Flags that the reason names, explained. */
  means: Record<string, string>;
};
type Annotation = {
  id: string; author: string; at: string; step: number | null; kind: "verdict" | "tag" | "note"; value: string;
  text: string;
};
type Sibling = { run: number; key: string; agent: string; condition: string; prompt?: string; trial: number; verdict: string };
type Trial = {
  run: number; key: string; file: string; bytes: number; row: Row; facts: Record<string, any>; system: Long;
  task: {
    id: string; template: string; prompts: Record<string, Long>; facts: Record<string, any>;
    sessions: { now: string; text: Long }[]; changed: boolean;
    withheld?: { name: string; text: Long }[];
  } | null;
  scores: Score[]; expected: Change[]; actual: Change[]; pairs: [number, number][]; near: Near[]; paired: boolean;
  counts: { expected: number; matched: number; unexpected: number } | null;
  judgements: {
    query: string; text: string; kind: string; verdicts: { judge: string; answer: string; reason: string }[];
  }[];
  annotations: Annotation[];
  parent: Parent | null;
  forks: { run: number; key: string; step: number; agent: string }[]; siblings: Sibling[];
  outline: { at: number; kind: string; session: number; label: string }[];
  turns: { at: number[]; step: number[]; tokens_in: number[]; tokens_out: number[]; seconds: number[] };
  tries: {
    number: number; status: string; reason: Long; calls: number; events: number; prompt_tokens: number;
    completion_tokens: number; cost: number | null; seconds: number; changes: number;
  }[];
  attempt?: { number: number; of: number }; replies?: Long[];
  steps: number[]; events: number; piece: number; first: Event_[];
};
/** Why a question may have been misunderstood, and which details it is about. */
type Doubt = { kind: string; about: string[] };
/** What an agent asked; `became` are kinds of what the answer did. */
type Question = {
  key: string; at: number; question: Long; answer: Long; became: string[]; doubts: Doubt[]; revealed: string[];
};
type Part = { kind: string; target: string; text: string };
/** An event of a record; which fields it has goes by its kind (docs/records.md). */
type Event_ = {
  at: number; kind: string; session: number; start: number; duration: number; n: number; turn: number; step: number;
  text: Long; now: string; source: string; role: string; content: Long; calls: any[]; process: any; purpose: string;
  usage: { prompt_tokens: number; completion_tokens: number; cost_usd: number | null }; attempts: number;
  problem: string; model: string; app: string; tool: string; arguments: Record<string, any>; status: string; data: any;
  writes: Write[]; changed?: Changed[]; disturbance?: { kind: string; index: number; before?: number };
  subagent?: number;
  context: string; strategy: string; candidates: string[]; targets: string[]; revealed: string[]; parts: Part[];
  goes_on: boolean; doubts?: Doubt[]; [more: string]: any;
};
type Table = {
  title: string; columns: string[]; rows: Record<string, any>[]; numeric: boolean[]; notes: string[]; folded: boolean;
  plots: { name: string; svg: string }[]; links: (Record<string, any> | null)[];
  cells?: Record<string, Record<string, any>>[]; part?: string;
  /** What names in its cells mean, where they do not say it. */
  means?: Record<string, string>;
};
/** The tables of a run; `trials` is how many there were when they were made, `read` how often one was read till then. */
type Made = { heading: string; sentence: string; trials: number; read: number; tables: Table[] };

/** Where the page is: what its hash says. */
type Route = {
  page: "list" | "trial" | "pair" | "report" | "compare" | "forks" | "questions";
  first: Place | null; second: Place | null; step: number | null; at: number | null; attempt: number | null; run: number;
  filters: Map<string, string[]>; quick: string; words: string; sort: string; columns: string[];
  /** The page that a trial was opened from, where not the list. */
  from: "" | "questions" | "compare";
  /** What the address asks for that is not there. */
  unknown: string[];
};
type Place = { run: number; key: string };
/** All that was loaded to begin with, and what has grown since. */
type Store = { runs: Runs; rows: Row[]; version: number; problems: Problem[]; under_way: boolean };
type Facet = {
  name: string; title: string; hint?: string; of: (row: Row) => string[]; say: (value: string) => string;
  order: (a: string, b: string) => number; folded: boolean; always?: string[];
  /** Whether its choices say of how many trials of any verdict they are, where a verdict is ticked. */
  shares?: boolean;
  /** What a choice means, where its name does not say it. */
  tell?: (value: string) => string;
};
type Choice = { value: string; count: number; on: boolean; of?: number };
type Column = {
  name: string; title: string; width: number; number: boolean; hint: string; show: (row: Row) => any;
  by: ((row: Row) => string | number | null) | null;
};
type Totals = { trials: number; conditions: number; kinds: number; correct: number; scored: number; unexpected: number; known: number; cost: number; unpriced: number };
