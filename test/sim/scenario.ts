/** What a seed stands for: the task, the configuration, how well everybody works and what goes wrong. */
import { checklist } from "../../src/plan/checklist/checklist.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import { MISTAKES, type Mistakes } from "./agents/implementer.ts";
import { Chance } from "./chance.ts";

/** Rates of what GitHub and the process do, from 0 to 1; per call or per event. */
export interface Faults {
  /** Webhooks. */
  readonly dropped: number;
  readonly doubled: number;
  readonly delayed: number;
  /** Requests that fail without an effect (5xx), are told to slow down, or time out before or after the effect. */
  readonly serverError: number;
  readonly secondaryLimit: number;
  readonly timeoutBefore: number;
  readonly timeoutAfter: number;
  /** Reads answered by an old replica. */
  readonly stale: number;
  /** Pull requests and reviews refused that are taken a while later. */
  readonly refusal: number;
  readonly slow: number;
  /** The process dies at a call, before or after its effect. */
  readonly crash: number;
  /** The process stands still for minutes, before a change of the history or after any call. */
  readonly stall: number;
}

export interface Temper {
  /** Probability that an implementer's first try is bad; it falls with every attempt. */
  readonly implementer: number;
  readonly reviewer: number;
  readonly planner: number;
  readonly planReviewer: number;
  /** Jobs that hang, never start, are late, lose their result or meet an outage. */
  readonly runner: number;
  /** The repository's own checks. */
  readonly ci: number;
  /** Baselines that cannot be bound. */
  readonly baseline: number;
}

/** A floor command the repository may lack. */
export type FloorCommand = "typecheck" | "tests" | "lint";

/** A first plan that a person wrote. */
export interface Given {
  readonly where: "issue" | "file";
  /** invalid: it can be read and breaks a rule; broken: it cannot be read until somebody mends it. */
  readonly quality: "valid" | "invalid" | "broken";
}

/** agreeable: whatever they are asked, they let it go on, so that what they do does not depend on when. */
export type Crowd = "quiet" | "agreeable" | "helpful" | "lively";

export interface Scenario {
  readonly seed: number;
  readonly chance: Chance;
  readonly chunks: readonly Chunk[];
  readonly configText: string;
  readonly limits: {
    readonly parallel: number;
    readonly tries: number;
    readonly unusable: number;
    readonly agentRuns: number;
    readonly tokens: number;
    readonly usd: number;
    readonly wallMinutes: number;
  };
  readonly faults: Faults;
  readonly temper: Temper;
  /** What bad implementers do. */
  readonly mistakes: Mistakes;
  readonly crowd: Crowd;
  readonly instances: 1 | 2;
  readonly protectedSource: boolean;
  readonly ownCi: boolean;
  /** A second App approves and requests changes. */
  readonly reviewer: boolean;
  /** The issue's author has no write access; somebody else sets the label. */
  readonly strangersIssue: boolean;
  /** null: the planner is asked. */
  readonly given: Given | null;
  /** What the floor cannot check here. */
  readonly unconfigured: readonly FloorCommand[];
  /** Hours after the beginning at which the runners' images move to another toolchain. */
  readonly toolchainMoves: readonly number[];
  /** When the owner takes the App off (hours after the beginning), and for how long (minutes); null = never. */
  readonly reinstalled: { readonly at: number; readonly minutes: number } | null;
  /** Hours after the beginning at which the database is lost, or null. */
  readonly databaseLost: number | null;
  /** Only one chunk in one file: no plan gate. */
  readonly title: string;
}

export const CALM: Faults = {
  dropped: 0,
  doubled: 0,
  delayed: 0,
  serverError: 0,
  secondaryLimit: 0,
  timeoutBefore: 0,
  timeoutAfter: 0,
  stale: 0,
  refusal: 0,
  slow: 0,
  crash: 0,
  stall: 0,
};

/** Without faults, people's moods and bad work: the smallest world. */
export function buildCalmScenario(seed: number, size: number): Scenario {
  const temper = { implementer: 0, reviewer: 0, planner: 0, planReviewer: 0, runner: 0, ci: 0, baseline: 0 };
  const base = buildScenario(seed, { size });
  const { chance } = base;
  const limits = { ...base.limits, agentRuns: 0, tokens: 0, usd: 0, wallMinutes: 0 };
  return {
    ...base,
    faults: CALM,
    temper,
    limits,
    configText: buildConfig(chance, { limits, given: null, unconfigured: [] }),
    crowd: "agreeable",
    instances: 1,
    protectedSource: false,
    reviewer: false,
    strangersIssue: false,
    given: null,
    unconfigured: [],
    toolchainMoves: [],
    reinstalled: null,
    databaseLost: null,
  };
}

export function buildScenario(seed: number, options: { readonly size?: number } = {}): Scenario {
  const chance = new Chance(seed);
  const size = options.size ?? drawSize(chance);
  const limits = {
    parallel: chance.int("parallel", 1, size > 10 ? 8 : 4),
    tries: chance.pick("tries", [3, 3, 3, 1, 2]),
    unusable: 2,
    agentRuns: chance.happens("budget", 0.12) ? chance.int("agent-runs", 2, 6 + size * 3) : 0,
    tokens: chance.happens("token-budget", 0.12) ? chance.int("tokens", 2, 8 + size * 4) * RESERVED_TOKENS : 0,
    usd: chance.happens("usd-budget", 0.08) ? (chance.int("usd", 2, 8 + size * 4) * RESERVED_CENTS) / 100 : 0,
    wallMinutes: chance.happens("wall-budget", 0.06) ? chance.int("wall-minutes", 20, 60 + size * 20) : 0,
  };
  const given = drawGiven(chance);
  const unconfigured = (["typecheck", "tests", "lint"] as const).filter((name) =>
    chance.happens(`unconfigured:${name}`, 0.06),
  );
  const trouble = chance.pick("trouble", [0, 0.3, 0.3, 1]);
  const weather = chance.pick("weather", [0, 0.3, 0.3, 1]);
  const instances = chance.happens("instances", 0.2) ? 2 : 1;
  const databaseLost = chance.happens("database-lost", 0.06) ? 0.5 + 6 * chance.unit("database-lost-at") ** 2 : null;
  const faults = buildFaults(chance.scope("faults"), weather, size);
  // A single one that stands still is replaced, which makes two of them for a while.
  const mayStall = instances > 1 || chance.happens("replaced", 0.1);
  return {
    seed,
    chance,
    chunks: buildChunks(chance.scope("plan"), size),
    configText: buildConfig(chance, { limits, given, unconfigured }),
    limits,
    faults: mayStall ? faults : { ...faults, stall: 0 },
    temper: {
      implementer: trouble * 0.5,
      reviewer: trouble * 0.35,
      planner: trouble * 0.4,
      planReviewer: trouble * 0.3,
      runner: trouble * (size > 20 ? 0.04 : 0.12),
      ci: trouble * 0.3,
      baseline: chance.happens("no-baseline", 0.03) ? 1 : trouble * 0.15,
    },
    mistakes: MISTAKES,
    crowd: chance.pick("crowd", ["helpful", "helpful", "lively", "quiet"]),
    instances,
    protectedSource: chance.happens("protected", 0.1),
    ownCi: chance.happens("own-ci", 0.6),
    reviewer: chance.happens("reviewer", 0.25),
    strangersIssue: chance.happens("strangers-issue", 0.1),
    given,
    unconfigured,
    toolchainMoves: drawToolchainMoves(chance),
    reinstalled: databaseLost === null ? drawReinstalled(chance) : null,
    databaseLost,
    title: chance.pick("title", ["Budgets per category", "Add search", "Ändere `alles` \u{1f680}", "x"]),
  };
}

/** Of one agent run, at the most: what is reserved for it. */
export const RESERVED_TOKENS = 2_000;
export const RESERVED_CENTS = 2;

function drawGiven(chance: Chance): Given | null {
  if (!chance.happens("given", 0.16)) return null;
  return {
    where: chance.pick("given-where", ["issue", "file"]),
    quality: chance.weigh("given-quality", { valid: 6, invalid: 1, broken: 2 }),
  };
}

function drawToolchainMoves(chance: Chance): readonly number[] {
  if (!chance.happens("toolchain", 0.05)) return [];
  const first = 0.4 + 3 * chance.unit("toolchain-at");
  return chance.happens("toolchain-again", 0.4) ? [first, first + 0.5] : [first];
}

/** Mostly at once, as who renews what is wrong with it; or it is missed only after a while. */
function drawReinstalled(chance: Chance): Scenario["reinstalled"] {
  if (!chance.happens("reinstalled", 0.04)) return null;
  return {
    at: 0.05 + 5 * chance.unit("reinstalled-at") ** 2,
    minutes: chance.pick("uninstalled-for", [1, 2, 30, 150]),
  };
}

/** Half of all plans have up to five chunks, one in twenty has thirty to sixty; in between the smaller ones are the more common. */
function drawSize(chance: Chance): number {
  const which = chance.unit("size");
  if (which < 0.2) return 1;
  if (which < 0.5) return chance.int("size-small", 2, 5);
  if (which < 0.95) return 6 + Math.floor(24 * chance.unit("size-middle") ** 2);
  return chance.int("size-large", 30, 60);
}

function buildFaults(chance: Chance, weather: number, size: number): Faults {
  // A long run meets more of everything; its rates are lower so that it comes to an end.
  const rate = (name: string, most: number): number => weather * most * chance.unit(name) * (size > 20 ? 0.4 : 1);
  return {
    dropped: weather === 0 ? 0 : chance.pick("dropped", [0, 0.1, 0.5, 1]),
    doubled: rate("doubled", 0.3),
    delayed: rate("delayed", 0.4),
    serverError: rate("server-error", 0.04),
    secondaryLimit: rate("secondary-limit", 0.02),
    timeoutBefore: rate("timeout-before", 0.02),
    timeoutAfter: rate("timeout-after", 0.02),
    stale: rate("stale", 0.15),
    refusal: rate("refusal", 0.04),
    slow: rate("slow", 0.3),
    crash: chance.happens("crashes", 0.5) ? rate("crash", 0.01) : 0,
    stall: rate("stall", 0.005),
  };
}

function buildChunks(chance: Chance, size: number): readonly Chunk[] {
  const chunks: Chunk[] = [];
  const shape = chance.pick("shape", ["wide", "deep", "mixed"]);
  const overlapping = chance.happens("overlapping", 0.4);
  for (let index = 0; index < size; index += 1) {
    const id = `c${index}`;
    const deps: string[] = [];
    for (let before = Math.max(0, index - 6); before < index; before += 1) {
      const probability = shape === "wide" ? 0.08 : shape === "deep" ? (before === index - 1 ? 0.9 : 0.05) : 0.25;
      if (chance.happens(`dep:${before}:${index}`, probability)) deps.push(`c${before}`);
    }
    const files = [`src/${id}.js`, `test/${id}.test.js`];
    if (overlapping && chance.happens(`shared:${index}`, 0.3)) files.push(`src/shared-${index % 3}.js`);
    chunks.push(buildChunk(id, deps, files, chance));
  }
  return chunks;
}

export function buildChunk(id: string, deps: readonly string[], files: readonly string[], chance: Chance): Chunk {
  return {
    id,
    title: `Build ${id}`,
    deps: [...deps],
    tier: chance.pick(`tier:${id}`, ["code", "code", "mid", "high"]),
    brief: `Write ${id} so that it does what its tests say, and use ${deps.join(", ") || "nothing else"}.`,
    files_touched: [...files],
    checks: [{ desc: `${id} works`, run: `check ${id}` }],
    assertions: chance.happens(`assertion:${id}`, 0.5) ? [`${id} refuses an empty input`] : [],
    requires_tests: true,
  };
}

function buildConfig(
  chance: Chance,
  { limits, given, unconfigured }: Pick<Scenario, "limits" | "given" | "unconfigured">,
): string {
  const commands: Record<FloorCommand, string> = {
    typecheck: "  typecheck: { command: types }",
    tests: "  test: { command: tests, report: '-', format: tap }",
    lint: "  lint: { command: lint, report: '-', format: lines }",
  };
  const source = given === null ? "agent" : given.where;
  const tokens = limits.tokens === 0 ? "" : `, tokens: ${limits.tokens}, reserve_tokens: ${RESERVED_TOKENS}`;
  // Programs of one preset depend on one provider, commands each on their own.
  const program = chance.pick("program", ["preset: claude", "preset: command, command: [node, agent.mjs]"]);
  const usd = limits.usd === 0 ? "" : `, usd: ${limits.usd}, reserve_usd: ${RESERVED_CENTS / 100}`;
  const wall = limits.wallMinutes === 0 ? "" : `, wall_minutes: ${limits.wallMinutes}`;
  return [
    "version: 1",
    "agents:",
    `  - { name: default, ${program} }`,
    `  - { name: second, ${program} }`,
    "tiers: { code: small, mid: middle, high: large }",
    `plan: { approval: ${chance.pick("approval", ["human", "human", "risk", "auto"])}, source: ${source} }`,
    `ci: { gather: ${chance.happens("gather", 0.8)}, deadline_minutes: 40 }`,
    `merge: { feature: ${chance.pick("merge", ["human", "auto"])}, method: ${chance.pick("method", ["merge", "merge", "squash"])} }`,
    `limits: { parallel: ${limits.parallel}, tries: ${limits.tries}, unusable: ${limits.unusable}, job_minutes: 30 }`,
    `budget: { agent_runs: ${limits.agentRuns}${tokens}${usd}${wall} }`,
    "floor:",
    "  setup: { command: install }",
    ...(["typecheck", "tests", "lint"] as const).flatMap((name) =>
      unconfigured.includes(name) ? [] : [commands[name]],
    ),
    "  enumerate: { command: targets }",
    "",
  ].join("\n");
}

/** The plan as a person writes it: no planner, no checklist, and the rules broken where they are careless. */
export function formatGivenPlan(scenario: Scenario, quality: Given["quality"]): string {
  if (quality === "broken") return "chunks: [ { id: c0, brief: half a";
  const chunks = quality === "invalid" ? scenario.chunks.map((chunk) => ({ ...chunk, checks: [] })) : scenario.chunks;
  return `${JSON.stringify({ chunks, acceptance: [{ kind: "check", desc: "All tests pass", run: "tests" }] }, null, 1)}\n`;
}

/** Answers to the whole pre-flight checklist. */
export function answerChecklist(): ReadonlyArray<{ readonly item: string; readonly why_not: string }> {
  return checklist.map((item) => ({ item: item.id, why_not: "the task does not concern it" }));
}
