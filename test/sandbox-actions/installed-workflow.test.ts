import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { SandboxRepository } from "./support/sandbox-repository.ts";
import { type RecordingHost } from "./support/recording-host.ts";
import { runTrial } from "./support/run-workflow.ts";

/** A worker that writes down what it was given instead of working. */
const worker = `
const fs = require("node:fs"), path = require("node:path"), { execFileSync } = require("node:child_process");
const { INPUT_MODE: mode, TASKFLEET_JOB: job, RUNNER_TEMP: temp, GITHUB_OUTPUT: output } = process.env;
const secret = Object.keys(process.env).filter((name) => /KEY|TOKEN/.test(name) && process.env[name] !== "");
console.log("> " + JSON.stringify([process.env.GITHUB_JOB, mode, secret]));
if (mode === "claim") fs.appendFileSync(output, "duplicate=" + (job === "twice") + "\\n");
if (mode === "run") {
  const head = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  fs.mkdirSync(path.join(temp, "taskfleet"), { recursive: true });
  fs.writeFileSync(path.join(temp, "taskfleet", "result.json"), JSON.stringify({ head }));
}
`;

const repository = new SandboxRepository();
const base = repository.run("rev-parse", "HEAD");
repository.commit({ "later.txt": "later\n" }, "Later");
const folder = path.join(repository.folder, "worker");
mkdirSync(path.join(folder, "dist"), { recursive: true });
cpSync(".github/actions/worker/action.yml", path.join(folder, "action.yml"));
writeFileSync(path.join(folder, "dist", "index.js"), worker);
afterAll(() => repository.remove());

async function dispatch(
  role: string,
  job: string,
): Promise<{ host: RecordingHost; conclusion: string; runName: string; said: unknown[] }> {
  const inputs = { role, job, request: JSON.stringify({ commit: base }) };
  const trial = await runTrial(
    repository,
    readFileSync("src/worker/workflow/taskfleet.yml", "utf8"),
    { event: { name: "workflow_dispatch", inputs }, secrets: { ANTHROPIC_API_KEY: "model-key" } },
    { actionOverrides: { "taskfleet/taskfleet/.github/actions/worker": folder } },
  );
  const said = (trial.host.text.match(/^> .*/gm) ?? []).map((line) => JSON.parse(line.slice(2)) as unknown);
  return { ...trial, said };
}

describe("the workflow users install", () => {
  it("runs a floor role without any secret and hands back one artifact", async () => {
    const { host, conclusion, runName, said } = await dispatch("floor", "r1.c1.1");
    expect([conclusion, runName]).toEqual(["success", "taskfleet floor r1.c1.1"]);
    expect(host.conclusions).toEqual({ claim: "success", agent: "skipped", captures: "success" });
    expect(said).toEqual([
      ["claim", "claim", ["TASKFLEET_TOKEN"]],
      ["captures", "run", []],
    ]);
    expect([...host.artifacts.keys()]).toEqual(["taskfleet-result"]);
    expect(host.tokens).toEqual([
      { actions: "read", metadata: "read" },
      { contents: "read", metadata: "read" },
    ]);
  });

  it("gives the model key to the step that runs an agent alone", async () => {
    const { host, said } = await dispatch("implement", "r1.c1.2");
    expect(host.conclusions).toEqual({ claim: "success", agent: "success", captures: "skipped" });
    expect(said).toEqual([
      ["claim", "claim", ["TASKFLEET_TOKEN"]],
      ["agent", "documents", ["TASKFLEET_TOKEN"]],
      ["agent", "run", ["ANTHROPIC_API_KEY"]],
    ]);
    expect(host.text).not.toContain("model-key");
  });

  it("ends at once when an older run carries the same job", async () => {
    const { host, conclusion } = await dispatch("floor", "twice");
    expect([conclusion, host.conclusions]).toEqual([
      "success",
      { claim: "success", agent: "skipped", captures: "skipped" },
    ]);
    expect(host.artifacts.size).toBe(0);
  });
});
