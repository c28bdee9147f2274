/**
 * `npm run e2e:agents [program …]`: the demo's run through real agent programs against a fake model, offline, and
 * what becomes of a provider's failures. Prints tables for docs/agents.md; exit code 1 when a program fell short.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chooseAgent, type LocalAgent } from "../../src/cli/local-agent/choose-agent.ts";
import { DemoFailure, runDemo } from "../../src/cli/demo/run-demo.ts";
import type { JobResult } from "../../src/contracts/job.ts";
import { createBrain } from "./brain.ts";
import { collectResults } from "./collect-results.ts";
import { playEquipment } from "./equipment.ts";
import { playFailures } from "./failures.ts";
import { installPrograms, linkPrograms, PROGRAMS, readVersion, startFakeModel } from "./programs.ts";

/** For one whole run: some programs take half a minute to start. */
const deadlineMs = 30 * 60_000;

interface Played {
  readonly outcome: string;
  readonly results: ReadonlyMap<string, JobResult>;
  readonly log: readonly string[];
}

async function play(agent: LocalAgent | null): Promise<Played> {
  let results: ReadonlyMap<string, JobResult> = new Map();
  try {
    const summary = await runDemo({
      scenario: "default",
      agent,
      print: (line) => void (process.env["E2E_VERBOSE"] !== undefined && console.log(line)),
      colour: "off",
      limits: "off",
      deadlineMs,
      hooks: { onEnd: async (stage) => void (results = await collectResults(stage)) },
    });
    return { outcome: summary.outcome, results, log: [] };
  } catch (error) {
    if (!(error instanceof DemoFailure)) throw error;
    return { outcome: `failed: ${error.message}`, results, log: error.log };
  }
}

/** One line per role: how many jobs came to what, and whether the usage was told. */
function describeRoles(results: ReadonlyMap<string, JobResult>): string {
  const roles = new Map<string, { done: number; other: string[]; usage: number }>();
  for (const result of results.values()) {
    if (result.role === "baseline" || result.role === "floor") continue;
    const role = roles.get(result.role) ?? { done: 0, other: [], usage: 0 };
    if (result.outcome === "done") role.done += 1;
    else role.other.push(`${result.outcome}: ${result.cause.slice(0, 200)}`);
    if (typeof result.usage?.inputTokens === "number") role.usage += 1;
    roles.set(result.role, role);
  }
  return [...roles]
    .map(([name, { done, other, usage }]) => {
      const all = done + other.length;
      return `${name} ${done}/${all}${usage === all ? "" : ` (usage of ${usage})`}${other.length === 0 ? "" : ` [${other.join("; ")}]`}`;
    })
    .join(", ");
}

installPrograms();
// A run waits for processes and timers that do not keep this one alive by themselves.
const alive = setInterval(() => {}, 60_000);
const wanted = process.argv.slice(2);
const bin = path.join(mkdtempSync(path.join(tmpdir(), "taskfleet-e2e-")), "bin");
linkPrograms(bin);
process.env["PATH"] = `${bin}:${process.env["PATH"] ?? ""}`;
let fell = false;
try {
  const recorded = await play(null);
  console.log(`recorded: ${recorded.outcome}, ${recorded.results.size} jobs`);
  for (const program of PROGRAMS) {
    if (wanted.length > 0 && !wanted.includes(program.name)) continue;
    const version = readVersion(bin, program.name);
    const model = await startFakeModel();
    try {
      const env = { ...process.env, ...program.env(model.url) };
      const brain = createBrain(recorded.results, program.name);
      model.on({ predicate: () => true }, brain.answer);
      const started = Date.now();
      const played = await play(chooseAgent(program.name, env, program.model));
      const seconds = Math.round((Date.now() - started) / 1000);
      const tools = [...brain.used].map(([name, count]) => `${name} ×${count}`).join(", ");
      console.log(`\n## ${program.name} ${version}\n`);
      console.log(`- whole run: ${played.outcome} after ${seconds} s; ${describeRoles(played.results)}`);
      console.log(`- tool calls: ${tools}`);
      for (const problem of new Set(brain.problems)) console.log(`- problem: ${problem}`);
      if (played.outcome !== "merged") {
        fell = true;
        for (const line of played.log.slice(-15)) console.log(`  ${line}`);
      }
      const equipment = await playEquipment(program, model, env);
      console.log(`- ${equipment.line}`);
      fell ||= equipment.wrong;
      for await (const { line, wrong } of playFailures(program, model, env)) {
        console.log(`- ${line}`);
        fell ||= wrong;
      }
    } finally {
      await model.stop();
    }
  }
} finally {
  clearInterval(alive);
  rmSync(path.dirname(bin), { recursive: true, force: true });
}
process.exit(fell ? 1 : 0);
