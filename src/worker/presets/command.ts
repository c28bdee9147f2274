/** Preset `command`: any program that speaks the protocol of src/contracts/agent-request.ts. */
import { agentEnvelopeSchema, type AgentRequest } from "../../contracts/agent-request.ts";
import type { Usage } from "../../contracts/job.ts";
import type { Preset, PresetContext } from "./preset.ts";

/** sysexits.h EX_TEMPFAIL. */
const temporaryFailure = 75;

export const commandPreset: Preset = {
  name: "command",
  keys: [],
  settings: [],
  providers: {},
  skillsFolder: "skills",
  start(context) {
    const argv = (context.agent.command ?? []).map((part) =>
      context.tools === null ? part : part.replaceAll("{tools}", context.tools),
    );
    return {
      argv,
      input: JSON.stringify({ ...context.request, ...describeEquipment(context) }),
      env: Object.assign({}, ...context.mcps.map((server) => server.env), Object.fromEntries(context.keys)) as Record<
        string,
        string
      >,
      files: [],
      sideFile: null,
      maxOutputBytes: 8 * 1024 * 1024,
    };
  },
  read(result) {
    if (result.exit === temporaryFailure)
      return {
        kind: "external",
        cause: lastLine(result.stderr) ?? "the agent reports a temporary failure",
        usage: null,
        remedy: { kind: "wait" },
      };
    if (result.exit !== 0) {
      const said = lastLine(result.stderr);
      const cause = `the agent's program ended with exit code ${result.exit}`;
      return { kind: "unusable", cause: said === null ? cause : `${cause}: ${said}`, usage: null };
    }
    return unwrap(result.stdout);
  },
};

function describeEquipment({ skills, mcps, home }: PresetContext): Pick<AgentRequest, "skills" | "mcps"> {
  return {
    ...(skills.length === 0 ? {} : { skills: skills.map((name) => ({ name, folder: `${home}/skills/${name}` })) }),
    ...(mcps.length === 0
      ? {}
      : {
          mcps: mcps.map(({ name, command, args, env }) => ({
            name,
            command,
            args: [...args],
            env: Object.keys(env),
          })),
        }),
  };
}

function unwrap(text: string): { kind: "text"; text: string; usage: Usage | null } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "text", text, usage: null };
  }
  const envelope = agentEnvelopeSchema.safeParse(value);
  if (!envelope.success) return { kind: "text", text, usage: null };
  const { payload, usage } = envelope.data;
  return {
    kind: "text",
    text: typeof payload === "string" ? payload : JSON.stringify(payload ?? null),
    usage:
      usage === undefined
        ? null
        : { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens, usd: usage.usd, model: usage.model },
  };
}

function lastLine(text: string): string | null {
  const lines = text.trim().split(/\r?\n/u);
  return lines.at(-1)?.trim().slice(0, 500) || null;
}
