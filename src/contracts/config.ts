/**
 * `.github/taskfleet.yml`, read from the default branch and pinned per run. Every field has a
 * default: an absent file is a valid configuration.
 */
import { z } from "zod";
import { MODEL_KEYS } from "./model-keys.ts";
import { checkSafePath } from "./safe-path.ts";

const minutes = z
  .number()
  .int()
  .min(1)
  .max(24 * 60);
const command = z.string().min(1).max(4000);
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/u, "letters, digits, `_`, `.`, `-`");
const path = z.string().min(1).max(4096);

export const REPORT_FORMATS = ["junit", "tap", "go-test-json", "jest-json", "vitest-json", "libtest"] as const;
export const LINT_FORMATS = ["eslint-json", "sarif", "checkstyle", "clippy-json", "golangci-json", "lines"] as const;
export const COVERAGE_FORMATS = ["lcov", "cobertura", "istanbul-summary", "coverage-py-json"] as const;

const agent = z.strictObject({
  name: name.describe("Unique name of the agent; a chunk is assigned to exactly one."),
  description: z.string().max(1000).default("").describe("What the agent is good at; shown to the planner."),
  paths: z.array(path).default([]).describe("Folders the agent is meant for; empty = the whole repository."),
  preset: z.enum(["command", "claude", "codex", "opencode", "gemini", "copilot"]).default("claude"),
  command: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("For preset `command`: program and arguments, never a shell line."),
  skills: z.array(name).default([]).describe("Names from `skills`; handed to the agent when it implements."),
  mcps: z.array(name).default([]).describe("Names from `mcps`; handed to the agent when it implements."),
  keys: z
    .array(z.enum(MODEL_KEYS))
    .default([])
    .describe(
      "Model keys the agent's program is given; the other presets know their own, `command` gets none by default.",
    ),
  timeout_minutes: minutes.default(45),
});
export type AgentConfig = z.infer<typeof agent>;

/** Parts of tool names, which programs join with `__` or `_`. */
const serverName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/u, "letters, digits, `-`");
const mcp = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(4096)
    .describe("The server's program, never a shell line; `{tools}` is the default branch's tree."),
  args: z.array(z.string().max(4096)).max(100).default([]),
  env: z
    .array(z.string().regex(/^[A-Z_][A-Z0-9_]{0,99}$/u, "the name of a variable"))
    .max(50)
    .default([])
    .describe("Variables of the worker's step the server is given. The agent can read them too."),
});
/** How an MCP server is started; it speaks over standard input and output. */
export type McpConfig = z.infer<typeof mcp>;

/** Variables of a step that open GitHub or steer the runner: no agent gets them. */
const reservedVariable = /^(?:ACTIONS_|GITHUB_|GH_|RUNNER_|INPUT_|TASKFLEET_)/u;

const gateCommand = z.strictObject({ command, timeout_minutes: minutes.default(10) });

const floor = z.strictObject({
  setup: gateCommand.optional().describe("Installs dependencies before anything is captured."),
  toolchain: gateCommand.optional().describe("Prints the toolchain's fingerprint, e.g. `node --version`."),
  typecheck: gateCommand.optional(),
  test: z
    .strictObject({ command, timeout_minutes: minutes.default(10), report: path, format: z.enum(REPORT_FORMATS) })
    .optional()
    .describe(
      "The test command and the report it writes: a repository path, a glob of several files, or `-` for standard output.",
    ),
  lint: z
    .strictObject({ command, timeout_minutes: minutes.default(10), report: path, format: z.enum(LINT_FORMATS) })
    .optional(),
  enumerate: gateCommand.optional().describe("Prints one test target per line: `package kind target`."),
  coverage: z
    .strictObject({ command, timeout_minutes: minutes.default(10), report: path, format: z.enum(COVERAGE_FORMATS) })
    .optional(),
  tests: z.strictObject({ files: z.array(path).default([]) }).prefault({}),
  check_timeout_minutes: minutes.default(10),
  flaky_reruns: z.number().int().min(0).max(10).default(3),
});
/** The `floor:` part alone; captures carry the one that was in force. */
export const floorConfigSchema = floor;
export type FloorConfig = z.infer<typeof floor>;

export const configSchema = z.strictObject({
  version: z.literal(1).default(1),
  source: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("The branch features land on; the default branch when absent."),
  agents: z.array(agent).default([]).describe("The registry; empty = one agent named `default`."),
  skills: z
    .record(name, path)
    .default({})
    .describe("Folders of the default branch with a `SKILL.md` each, by the name agents list them under."),
  mcps: z.record(serverName, mcp).default({}).describe("MCP servers, by the name agents list them under."),
  roles: z
    .strictObject({
      planner: name.optional(),
      plan_reviewer: name.optional(),
      reviewer: name.optional(),
    })
    .prefault({})
    .describe("Which agent plans and reviews; the first agent when absent."),
  tiers: z
    .strictObject({
      code: z.string().max(200).default(""),
      mid: z.string().max(200).default(""),
      high: z.string().max(200).default(""),
    })
    .prefault({})
    .describe("The model of each tier; empty = the agent's own default."),
  plan: z
    .strictObject({
      approval: z.enum(["human", "risk", "auto"]).default("human"),
      source: z
        .enum(["agent", "issue", "file"])
        .default("agent")
        .describe("Who draws up the first plan: the planner, the issue's own text, or a file of the repository."),
      file: path
        .default(".github/taskfleet/plan-{issue}.yml")
        .describe("For source `file`: its path on the source branch; `{issue}` is the issue's number."),
      max_chunks: z.number().int().min(1).max(1000).default(60),
      lint_errors: z.array(z.string().max(100)).default([]).describe("Lint rules that are errors here."),
    })
    .prefault({}),
  floor: floor.prefault({}),
  review: z
    .strictObject({
      confirm: z
        .number()
        .int()
        .min(1)
        .max(2)
        .default(1)
        .describe("2 = a failed review must be confirmed by an independent reviewer; the majority decides."),
    })
    .prefault({}),
  ci: z
    .strictObject({
      gather: z.boolean().default(true),
      per_chunk: z
        .boolean()
        .default(false)
        .describe(
          "Also lets the repository's own CI run on every chunk's commits. Shown there; it decides at acceptance.",
        ),
      deadline_minutes: minutes.default(60),
      ignore: z.array(z.string().max(255)).default([]).describe("Names of checks that are not waited for."),
      skipped: z.enum(["pass", "fail"]).default("pass"),
    })
    .prefault({}),
  merge: z
    .strictObject({
      feature: z.enum(["human", "auto"]).default("human"),
      method: z.enum(["merge", "squash"]).default("merge"),
    })
    .prefault({}),
  limits: z
    .strictObject({
      parallel: z.number().int().min(1).max(100).default(4),
      tries: z.number().int().min(1).max(10).default(3),
      unusable: z.number().int().min(1).max(10).default(2),
      plan_rounds: z.number().int().min(1).max(10).default(3),
      fix_rounds: z
        .number()
        .int()
        .min(0)
        .max(10)
        .default(2)
        .describe("Revisions that mend a refused feature by themselves."),
      confirm_minutes: minutes
        .default(10)
        .describe("How long a closed issue or a removed label waits before the run is cancelled."),
      job_minutes: minutes.default(60),
    })
    .prefault({}),
  budget: z
    .strictObject({
      agent_runs: z.number().int().min(0).default(0),
      tokens: z.number().int().min(0).default(0),
      usd: z.number().min(0).default(0),
      wall_minutes: z.number().int().min(0).default(0),
      reserve_tokens: z
        .number()
        .int()
        .min(0)
        .default(0)
        .describe("Worst case of one agent run, reserved before it starts."),
      reserve_usd: z.number().min(0).default(0).describe("Worst case of one agent run, reserved before it starts."),
    })
    .prefault({})
    .describe("0 = off."),
  checkpoints: z
    .array(
      z.strictObject({
        reason: z.string().min(1).max(500),
        paths: z.array(path).default([]).describe("Globs: a chunk that may touch one of them."),
        tiers: z.array(z.enum(["code", "mid", "high"])).default([]),
        dependencies: z.boolean().default(false).describe("A chunk that may touch a dependency file."),
      }),
    )
    .default([])
    .describe("Planned stops: after such a chunk has landed, nothing new starts until a person says `/resume`."),
  tracker: z
    .enum(["off", "sub-issues", "beads"])
    .default("off")
    .describe(
      "Where the chunks are shown beside the plan: `sub-issues` = an issue per chunk below the labelled one; `beads` = a file for `bd` in the run's evidence.",
    ),
  protected: z.array(path).default([]).describe("Further protected paths (globs), beside the built-in ones."),
});
export type Config = z.infer<typeof configSchema>;

/** What the file may hold: the configuration, and what it is based on. */
export const configFileSchema = configSchema.extend({
  _extends: z
    .string()
    .min(1)
    .max(4500)
    .optional()
    .describe(
      "A file of another repository of the same owner, `repository` or `repository:path`; settings given here replace its.",
    ),
});

/** The configuration of a repository without a file. */
export function defaultConfig(): Config {
  return configSchema.parse({});
}

/** The registry with its default: one agent named `default` when none is listed. */
export function listAgents(config: Config): readonly AgentConfig[] {
  return config.agents.length > 0 ? config.agents : [agent.parse({ name: "default" })];
}

/** Rules a schema cannot say; each with the path of the value and the reason. */
export function checkConfig(config: Config): ReadonlyArray<{ readonly pointer: string; readonly message: string }> {
  const problems: Array<{ pointer: string; message: string }> = [];
  const seen = new Set<string>();
  config.agents.forEach((entry, index) => {
    const folded = entry.name.toLowerCase();
    if (seen.has(folded))
      problems.push({ pointer: `/agents/${index}/name`, message: `the name "${entry.name}" is given twice` });
    seen.add(folded);
    if (entry.preset === "command" && entry.command === undefined)
      problems.push({ pointer: `/agents/${index}/command`, message: "preset `command` needs the program to run" });
  });
  config.agents.forEach((entry, index) => {
    for (const kind of ["skills", "mcps"] as const)
      entry[kind].forEach((wanted, position) => {
        if (!Object.hasOwn(config[kind], wanted))
          problems.push({ pointer: `/agents/${index}/${kind}/${position}`, message: `\`${kind}\` has no "${wanted}"` });
      });
  });
  for (const [skill, folder] of Object.entries(config.skills)) {
    const wrong = checkSafePath(folder);
    if (wrong !== null) problems.push({ pointer: `/skills/${skill}`, message: `the folder "${folder}" ${wrong}` });
  }
  for (const [server, { env }] of Object.entries(config.mcps)) {
    env.forEach((variable, index) => {
      if (reservedVariable.test(variable) || (MODEL_KEYS as readonly string[]).includes(variable))
        problems.push({ pointer: `/mcps/${server}/env/${index}`, message: `no server is given ${variable}` });
    });
  }
  if (config.plan.source === "file") {
    const wrong = checkSafePath(config.plan.file.replaceAll("{issue}", "1"));
    if (wrong !== null) problems.push({ pointer: "/plan/file", message: `the path "${config.plan.file}" ${wrong}` });
  }
  for (const [role, agentName] of Object.entries(config.roles)) {
    if (agentName !== undefined && !listAgents(config).some((entry) => entry.name === agentName))
      problems.push({ pointer: `/roles/${role}`, message: `no agent is named "${agentName}"` });
  }
  return problems;
}
