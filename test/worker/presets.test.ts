import { describe, expect, it } from "@jest/globals";
import { AGENT_ROLES, type AgentRequest } from "../../src/contracts/agent-request.ts";
import { defaultConfig, listAgents } from "../../src/contracts/config.ts";
import { MODEL_KEYS } from "../../src/contracts/model-keys.ts";
import { formatAnswerSchema } from "../../src/worker/agents/answer-schema.ts";
import type { PresetContext } from "../../src/worker/presets/preset.ts";
import { classifyFailure } from "../../src/worker/presets/classify-failure.ts";
import { PRESETS } from "../../src/worker/presets/presets.ts";
import type { ProgramResult } from "../../src/worker/process/run-program.ts";

const request: AgentRequest = {
  v: 1,
  role: "implement",
  job: "7-a/implement:x/1",
  commit: "c".repeat(40),
  prompt: "Do `this`; $(not that)",
  promptVersion: "implement@1",
};

function context(fields: Partial<PresetContext> = {}): PresetContext {
  const [agent] = listAgents(defaultConfig());
  if (agent === undefined) throw new Error("there is always an agent");
  return {
    role: "implement",
    model: "",
    agent,
    request,
    schema: { type: "object", properties: {} },
    home: "/home/of/agent",
    tools: null,
    keys: new Map([["ANTHROPIC_API_KEY", "key-1"]]),
    settings: {},
    skills: [],
    mcps: [],
    ...fields,
  };
}

function ended(stdout: string, fields: Partial<ProgramResult> = {}): ProgramResult {
  return { ended: "exited", exit: 0, error: "", stdout, stderr: "", ...fields };
}

const lines = (...events: unknown[]): string => events.map((event) => JSON.stringify(event)).join("\n");
const names = Object.keys(PRESETS) as ReadonlyArray<keyof typeof PRESETS>;
const programs = names.filter((name) => name !== "command");

describe("every preset", () => {
  it.each(AGENT_ROLES)(
    "gets the shape of the answer of role %s without a dialect's name, which some refuse",
    (role) => {
      expect(formatAnswerSchema(role)).not.toHaveProperty("$schema");
      expect(JSON.stringify(formatAnswerSchema(role))).toContain("properties");
    },
  );

  it.each(names)("%s has its own name and asks only for keys the workflow hands out", (name) => {
    expect(PRESETS[name].name).toBe(name);
    for (const key of PRESETS[name].keys) expect(MODEL_KEYS).toContain(key);
  });

  it.each(programs)("%s never puts a key into its arguments or files", (name) => {
    const keys = new Map(MODEL_KEYS.map((key) => [key, `secret-of-${key}`] as const));
    const start = PRESETS[name].start(context({ keys }));
    expect(JSON.stringify([start.argv, start.files, start.input])).not.toContain("secret-of-");
  });

  it.each(programs)("%s gets the prompt as data: not in a shell line, whatever its length", (name) => {
    const prompt = "x".repeat(500_000);
    const start = PRESETS[name].start(context({ request: { ...request, prompt } }));
    expect(Math.max(...start.argv.map((part) => part.length))).toBeLessThan(100_000);
    expect([start.input, ...start.files.map((file) => file.text)]).toContain(prompt);
  });

  it.each(programs)("%s may write as an implementer, and only read as anybody else", (name) => {
    const shape = (role: PresetContext["role"]): string => {
      const start = PRESETS[name].start(context({ role }));
      return JSON.stringify([start.argv, start.files.filter((file) => file.path !== "prompt.md")]);
    };
    expect(shape("plan")).toBe(shape("review"));
    expect(shape("implement")).not.toBe(shape("review"));
  });

  it.each(programs)("%s is told of its MCP servers, in files outside the tree and by no shell line", (name) => {
    const server = {
      name: "tracker",
      command: "serve-tracker",
      args: ["--read", 'a "quoted" word'],
      env: { TRACKER: "t-1" },
    };
    const start = PRESETS[name].start(context({ mcps: [server] }));
    const text = start.files.map((file) => file.text).join("\n");
    expect(text).toContain("tracker");
    expect(text).toContain("serve-tracker");
    expect(text).toContain(JSON.stringify('a "quoted" word'));
    expect(text).toContain("t-1");
    expect(start.argv.join(" ")).not.toContain("t-1");
    const none = PRESETS[name].start(context());
    expect(JSON.stringify([none.argv, none.files])).not.toMatch(/serve-tracker|"--mcp-config"/u);
  });

  it.each(names)("%s finds skills below its own HOME", (name) => {
    expect(PRESETS[name].skillsFolder).toMatch(/^(?:[a-z.]+\/)*skills$/u);
  });

  it.each(programs)("%s takes the model of the tier, or its own default", (name) => {
    expect(PRESETS[name].start(context({ model: "tier/model-9" })).argv).toContain("tier/model-9");
    expect(PRESETS[name].start(context()).argv).not.toContain("--model");
  });

  it.each(
    programs.flatMap((name) => [
      [name, "429 rate limit exceeded", "usage limit"],
      [name, "Invalid API key provided", "key was refused"],
      [name, "Error: getaddrinfo ENOTFOUND api.example.org", "does not reach"],
      [name, "529 overloaded_error", "overloaded or down"],
      [name, "Your credit balance is too low", "no credit left"],
      [name, "Failed to get response from the AI model; retried 5 times. Last error: x", "does not reach"],
      [name, "BYOK providers require an explicit model.", "mend `tiers`"],
    ]),
  )("%s failing with `%s` is nobody's try", (name, said, step) => {
    const preset = PRESETS[name as keyof typeof PRESETS];
    const answer = preset.read(ended("", { exit: 1, stderr: said }), null);
    expect(answer).toMatchObject({ kind: "external", cause: expect.stringContaining(step) });
  });

  it.each([
    ["Invalid API key provided", "person"],
    ["Your credit balance is too low", "person"],
    ["BYOK providers require an explicit model.", "person"],
    ["429 rate limit exceeded", "wait"],
    ["529 overloaded_error", "wait"],
    ["Error: getaddrinfo ENOTFOUND api.example.org", undefined],
  ])("what ends `%s` is %s", (said, ends) => {
    expect(classifyFailure(said)?.remedy?.kind).toBe(ends);
  });

  it.each<[string, number]>([
    ["Rate limit reached. Please try again in 20s.", 20_000],
    ["Too Many Requests: please try again in 1h2m3.5s", 3_723_500],
    ["usage limit: resets in 45 minutes", 2_700_000],
    ["429, retry-after: 30 s", 30_000],
  ])("`%s` says when to come again", (said, pause) => {
    const now = Date.now();
    const { remedy } = classifyFailure(said) ?? {};
    const until = remedy?.kind === "wait" ? (remedy.until ?? 0) : 0;
    expect(until - now).toBeGreaterThanOrEqual(pause);
    expect(until - now).toBeLessThan(pause + 10_000);
  });

  it("a time is read where a program names one, and none where it does not", () => {
    expect(classifyFailure("Claude AI usage limit reached|1796072400")?.remedy).toEqual({
      kind: "wait",
      until: 1_796_072_400_000,
    });
    for (const said of ["usage limit reached, resets at 3pm (UTC)", "429 rate limit exceeded"])
      expect(classifyFailure(said)?.remedy).toEqual({ kind: "wait" });
  });

  it.each(programs)("%s failing for any other reason is the agent's failure", (name) => {
    const answer = PRESETS[name].read(ended("", { exit: 1, stderr: "TypeError: x is not a function" }), null);
    expect(answer).toMatchObject({ kind: "unusable", cause: expect.stringContaining("x is not a function") });
  });
});

describe("claude", () => {
  const result = {
    type: "result",
    subtype: "success",
    is_error: false,
    result: '{"summary":"said"}',
    total_cost_usd: 0.42,
    usage: { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 5 },
    modelUsage: { "some-model": {} },
  };

  it("starts without the repository's settings, hooks and servers", () => {
    const { argv, env } = PRESETS.claude.start(context({ role: "review" }));
    expect(argv.slice(0, 4)).toEqual(["claude", "--print", "--output-format", "json"]);
    expect(argv.join(" ")).toContain("--setting-sources user --strict-mcp-config --tools Read,Grep,Glob");
    expect(argv.join(" ")).not.toMatch(/Bash|Write|Edit|dangerously/u);
    expect(env).toMatchObject({ ANTHROPIC_API_KEY: "key-1" });
  });

  it("is held to the shape of its answer where the provider can", () => {
    expect(PRESETS.claude.start(context()).argv).toContain("--json-schema");
    expect(PRESETS.claude.start(context({ schema: { anyOf: [] } })).argv).not.toContain("--json-schema");
  });

  it("gives its structured answer, and what it used with the cache", () => {
    expect(
      PRESETS.claude.read(ended(JSON.stringify({ ...result, structured_output: { summary: "s" } })), null),
    ).toEqual({
      kind: "text",
      text: '{"summary":"s"}',
      usage: { inputTokens: 60, outputTokens: 5, usd: 0.42, model: "some-model" },
    });
    expect(PRESETS.claude.read(ended(JSON.stringify(result)), null)).toMatchObject({ text: '{"summary":"said"}' });
  });

  it("fails with its usage when it ran out of turns", () => {
    const text = JSON.stringify({ ...result, subtype: "error_max_turns", result: undefined });
    expect(PRESETS.claude.read(ended(text), null)).toMatchObject({
      kind: "unusable",
      cause: "claude failed: error_max_turns",
      usage: { usd: 0.42 },
    });
  });
});

describe("codex", () => {
  it("runs in its sandbox, without the repository's instructions", () => {
    const reading = PRESETS.codex.start(context({ role: "plan" })).argv.join(" ");
    expect(reading).toContain("--sandbox read-only");
    expect(reading).toContain("project_doc_max_bytes=0");
    expect(PRESETS.codex.start(context()).argv.join(" ")).toContain("--sandbox workspace-write");
    const elsewhere = PRESETS.codex.start(context({ settings: { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" } }));
    expect(elsewhere.argv.join(" ")).toContain('base_url = "http://127.0.0.1:1/v1", env_key = "CODEX_API_KEY"');
  });

  it("gives the last message, and the sum of its turns", () => {
    const stream = lines(
      { type: "thread.started" },
      { type: "turn.completed", usage: { input_tokens: 100, output_tokens: 10 } },
      { type: "item.completed", item: { type: "agent_message", text: "from the stream" } },
      { type: "turn.completed", usage: { input_tokens: 50, output_tokens: 5 } },
    );
    expect(PRESETS.codex.read(ended(stream), "from the file")).toEqual({
      kind: "text",
      text: "from the file",
      usage: { inputTokens: 150, outputTokens: 15, usd: null, model: null },
    });
    expect(PRESETS.codex.read(ended(stream), null)).toMatchObject({ text: "from the stream" });
  });

  it("tells a usage limit that only stands in its stream", () => {
    const stream = lines({ type: "turn.failed", error: { message: "You've hit your usage limit, try again at 3pm" } });
    expect(PRESETS.codex.read(ended(stream, { exit: 1 }), null)).toMatchObject({ kind: "external" });
  });
});

describe("opencode", () => {
  it("runs with a configuration outside the tree that denies what is not listed", () => {
    const start = PRESETS.opencode.start(context({ role: "review" }));
    const config = JSON.parse(start.files[0]?.text ?? "") as { permission: Record<string, string> };
    expect(config.permission).toEqual({ "*": "deny", read: "allow", grep: "allow", glob: "allow", list: "allow" });
    expect(start.env).toMatchObject({ OPENCODE_DISABLE_PROJECT_CONFIG: "1" });
  });

  it("gives its last words, and the sum of its steps", () => {
    const step = {
      type: "step_finish",
      part: { cost: 0.5, tokens: { input: 10, output: 2, cache: { read: 5, write: 1 } } },
    };
    const stream = lines(
      { type: "text", part: { text: "let me see" } },
      step,
      { type: "text", part: { text: "{}" } },
      step,
    );
    expect(PRESETS.opencode.read(ended(stream), null)).toEqual({
      kind: "text",
      text: "{}",
      usage: { inputTokens: 32, outputTokens: 4, usd: 1, model: null },
    });
  });

  it("fails when its stream tells an error although it exits well", () => {
    const stream = lines({ type: "error", error: { name: "APIError", data: { message: "overloaded" } } });
    expect(PRESETS.opencode.read(ended(stream), null)).toMatchObject({ kind: "external" });
  });
});

describe("gemini", () => {
  it("has the tools of its servers on its list, which denies what is not on it", () => {
    const mcps = [{ name: "tracker", command: "node", args: ["tracker.mjs"], env: { TRACKER_TOKEN: "x" } }];
    const [file] = PRESETS.gemini.start(context({ mcps })).files;
    const settings = JSON.parse(file?.text ?? "") as { readonly tools: { readonly core: readonly string[] } };
    expect(settings).toHaveProperty("mcpServers.tracker.command", "node");
    expect(settings.tools.core).toEqual(expect.arrayContaining(["run_shell_command", "mcp_tracker_*"]));
  });

  it("runs with only the tools of its role", () => {
    const start = PRESETS.gemini.start(context({ role: "review" }));
    const settings = JSON.parse(start.files[0]?.text ?? "") as { tools: { core: string[] } };
    expect(settings.tools.core).not.toContain("run_shell_command");
    expect(settings.tools.core).not.toContain("write_file");
  });

  it("gives its response and the tokens of all models", () => {
    const value = {
      response: "{}",
      stats: {
        models: {
          a: { tokens: { prompt: 7, candidates: 2, thoughts: 1 } },
          b: { tokens: { prompt: 1, candidates: 1 } },
        },
      },
    };
    expect(PRESETS.gemini.read(ended(`Loaded cached credentials.\n${JSON.stringify(value)}`), null)).toEqual({
      kind: "text",
      text: "{}",
      usage: { inputTokens: 8, outputTokens: 4, usd: null, model: "a" },
    });
  });
});

describe("copilot", () => {
  it("may neither write nor start a shell unless it implements", () => {
    const denied = ["--available-tools=view,grep,glob", "--deny-tool=shell", "--deny-tool=write"];
    expect(PRESETS.copilot.start(context({ role: "review" })).argv).toEqual(expect.arrayContaining(denied));
    expect(PRESETS.copilot.start(context()).argv.join(" ")).not.toMatch(/deny|available/u);
  });

  it("gives what it said, and its usage from the file it writes", () => {
    const usage = { modelMetrics: { m: { usage: { inputTokens: 11, outputTokens: 7 } } } };
    expect(PRESETS.copilot.read(ended("{}"), JSON.stringify(usage))).toEqual({
      kind: "text",
      text: "{}",
      usage: { inputTokens: 11, outputTokens: 7, usd: null, model: "m" },
    });
    expect(PRESETS.copilot.read(ended("{}"), null)).toMatchObject({ usage: null });
  });
});

describe("command", () => {
  const agent = {
    ...context().agent,
    preset: "command" as const,
    command: ["node", "{tools}/agents/a.mjs", "{other}"],
  };

  it("starts the configured program with the request as input and its tools from the folder", () => {
    const start = PRESETS.command.start(context({ agent, tools: "/scratch/tools", keys: new Map() }));
    expect(start.argv).toEqual(["node", "/scratch/tools/agents/a.mjs", "{other}"]);
    expect(JSON.parse(start.input)).toEqual(request);
    expect(start.env).toEqual({});
  });

  it("may wrap its answer to say what it used", () => {
    const envelope = { payload: { summary: "s" }, usage: { input_tokens: 3, usd: 0.1 } };
    expect(PRESETS.command.read(ended(JSON.stringify(envelope)), null)).toEqual({
      kind: "text",
      text: '{"summary":"s"}',
      usage: { inputTokens: 3, outputTokens: null, usd: 0.1, model: null },
    });
    expect(PRESETS.command.read(ended('{"summary":"s"}'), null)).toMatchObject({
      text: '{"summary":"s"}',
      usage: null,
    });
  });
});
