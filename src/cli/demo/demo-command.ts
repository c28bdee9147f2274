/** `taskfleet demo`: arguments in, lines and an exit code out. */
import type { Command } from "commander";
import { SCENARIOS, type Scenario } from "../../sandbox/sample/sample-issue.ts";
import type { DemoSummary, StageView } from "./demo-options.ts";
import { UserError } from "../../contracts/errors.ts";
import { chooseAgent, LOCAL_AGENTS, type LocalAgent } from "../local-agent/choose-agent.ts";
import { NOT_ISOLATED } from "../local-agent/not-isolated.ts";
import type { SetExitCode } from "../command-registry.ts";
import { formatTerminalLine, formatTerminalText } from "../terminal-text.ts";
import { formatSummary } from "./format-summary.ts";
import { DemoFailure, runDemo } from "./run-demo.ts";

export interface DemoFlags {
  readonly scenario: string;
  readonly keep?: boolean;
  readonly json?: boolean;
  readonly agent?: string;
  readonly model?: string;
}

const deadlineMs = 10 * 60_000;
/** A model takes its time, many times over. */
const agentDeadlineMs = 3 * 60 * 60_000;
const expected: Readonly<Record<Scenario, DemoSummary["outcome"]>> = {
  default: "merged",
  replan: "merged",
  escalate: "escalated",
};

export function addCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command("demo")
    .description("plays a whole run against a local GitHub: no account, no network, no model")
    .option("--scenario <name>", SCENARIOS.join(", "), "default")
    .option(
      "--agent <name>",
      `an installed program with your key in place of the sample's own: ${LOCAL_AGENTS.join(", ")}`,
    )
    .option("--model <name>", "with --agent: its model, for all roles")
    .option("--keep", "leave the local GitHub up at the end, to look around")
    .option("--json", "print the outcome as one JSON object on the last line")
    .action(async (flags: DemoFlags) => setExitCode(await runDemoCommand(flags)));
}

/** @returns the exit code: 0 when the scenario came to the end it should. */
export async function runDemoCommand(flags: DemoFlags): Promise<number> {
  const scenario = SCENARIOS.find((name) => name === flags.scenario);
  if (scenario === undefined) {
    console.error(`There is no scenario "${flags.scenario}"; there are ${SCENARIOS.join(", ")}.`);
    return 2;
  }
  const agent = readAgent(flags);
  if (agent === undefined) return 2;
  const interrupt = new AbortController();
  // Also an impatient second Ctrl-C lets the first one tidy up.
  const onSignal = (): void => interrupt.abort(new Error("interrupted"));
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  const colour = process.stdout.isTTY && process.env["NO_COLOR"] === undefined ? "on" : "off";
  const print = (line: string): void => console.log(formatTerminalText(line));
  try {
    const summary = await runDemo({
      scenario,
      agent,
      print,
      colour,
      limits: "github",
      signal: interrupt.signal,
      deadlineMs: agent === null ? deadlineMs : agentDeadlineMs,
      hooks: {
        onEnd: async (stage, summary) => {
          if (summary !== null) for (const line of formatSummary(summary, colour)) print(line);
          if (flags.keep === true) await keepOpen(stage, interrupt.signal);
        },
      },
    });
    if (flags.json === true) print(JSON.stringify(summary));
    if (summary.outcome === expected[scenario]) return 0;
    console.error(`The outcome should be ${expected[scenario]}, it is ${summary.outcome}.`);
    return 1;
  } catch (error) {
    return reportFailure(error, { json: flags.json === true });
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}

/** undefined: it cannot be had, and that was said. */
function readAgent(flags: DemoFlags): LocalAgent | null | undefined {
  if (flags.agent === undefined) return null;
  try {
    const agent = chooseAgent(flags.agent, process.env, flags.model);
    console.log(`${agent.preset} is started for real, with your key and at your cost.`);
    console.log(NOT_ISOLATED);
    return agent;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    return undefined;
  }
}

/** Leaves the local GitHub up until the person has seen enough. */
async function keepOpen(stage: StageView, signal: AbortSignal): Promise<void> {
  console.log(`\nThe local GitHub stays up at ${stage.url}/${stage.owner}/${stage.repository}/issues/${stage.issue}`);
  console.log(`Clone: git clone ${stage.cloneUrl}`);
  console.log("Press Ctrl-C to end it; nothing is kept then.");
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function reportFailure(error: unknown, { json }: { readonly json: boolean }): number {
  if (!(error instanceof DemoFailure)) throw error;
  console.error(`\nThe demo failed: ${formatTerminalLine(error.message)}.`);
  if (error.message === "interrupted") return 130;
  console.error(
    "Look at the App's last words below; `npm run demo -- --keep` leaves the local GitHub up to look around.",
  );
  for (const line of error.log.slice(-25)) console.error(`  ${formatTerminalLine(line)}`);
  if (json) console.log(JSON.stringify({ ...error.summary, outcome: "failed" }));
  return 1;
}
