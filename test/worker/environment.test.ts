import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { MODEL_KEYS } from "../../src/contracts/model-keys.ts";
import { SampleJob } from "./sample-job.ts";

/** Values a step of the worker may hold, by variable. */
const SECRETS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(MODEL_KEYS.map((name) => [name, `value-of-${name.toLowerCase()}`])),
  TASKFLEET_TOKEN: "value-of-the-read-only-token",
  ACTIONS_RUNTIME_TOKEN: "value-of-the-runtime-token",
  ACTIONS_RESULTS_URL: "https://results.example.org/value-of-a-url",
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: "value-of-the-identity-token",
  GITHUB_TOKEN: "value-of-the-workflow-token",
  INPUT_SECRET: "value-of-an-input",
  // The workflow's owner may hand any variable to the step, for a server of an implementer.
  TRACKER_TOKEN: "value-of-a-server",
};

/** Looks up through all its ancestors, as any program of the same user can, and writes what it read. */
const spy = (report: string): string => `
import fs from "node:fs";
fs.readFileSync(0);
const read = (file) => { try { return fs.readFileSync(file, "latin1"); } catch (error) { return "unreadable: " + error.code; } };
const seen = { own: JSON.stringify(process.env), status: read("/proc/self/status"), ancestors: [] };
for (let pid = process.ppid; pid > 1 && seen.ancestors.length < 4; ) {
  seen.ancestors.push({ command: read("/proc/" + pid + "/cmdline"), environ: read("/proc/" + pid + "/environ") });
  pid = Number(/^PPid:\\s*(\\d+)/m.exec(read("/proc/" + pid + "/status"))?.[1] ?? 0);
}
fs.writeFileSync(${JSON.stringify(report)}, JSON.stringify(seen));
console.log(JSON.stringify({ kind: "answer", text: "looked" }));
`;

interface Seen {
  readonly own: string;
  readonly status: string;
  readonly ancestors: ReadonlyArray<{ readonly command: string; readonly environ: string }>;
}

const onLinux = existsSync("/proc/self/environ") ? it : it.skip;

describe("what a job's programs can read of the worker's environment", () => {
  let job: SampleJob;
  beforeEach(() => {
    job = new SampleJob();
    job.commit({ "README.md": "# Sample\n" });
  });
  afterEach(() => job.remove());

  async function look(): Promise<Seen> {
    const report = path.join(job.folder, "seen.json");
    const request = job.request({
      role: "plan",
      documents: { config: job.agentConfig(spy(report)), intent: job.blob("# What is it?\n") },
    });
    job.dropPrivileges();
    const run = await job.run(request, { ...SECRETS, RUNNER_TRACKING_ID: "github_tracked" });
    expect(run.log).toContain("Done");
    return JSON.parse(readFileSync(report, "utf8")) as Seen;
  }

  onLinux("is nothing, by whatever road", async () => {
    const seen = await look();
    const worker = seen.ancestors.filter(({ command }) => command.includes("main.ts"));
    expect(worker).toHaveLength(1);
    for (const text of [seen.own, ...worker.map(({ environ }) => environ)])
      for (const value of Object.values(SECRETS)) expect(text).not.toContain(value);
    // By this the runner finds processes that a job left running.
    expect(worker[0]?.environ).toMatch(/^\0*RUNNER_TRACKING_ID=github_tracked\0*$/u);
  });

  onLinux("does not grow by sudo, which a hosted runner gives to everybody", async () => {
    expect((await look()).status).toMatch(/^NoNewPrivs:\s*1$/mu);
  });
});
