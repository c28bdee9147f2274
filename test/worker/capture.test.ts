import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { existsSync } from "node:fs";
import path from "node:path";
import { SampleJob, samplePlan } from "./sample-job.ts";

let job: SampleJob;

beforeEach(() => {
  job = new SampleJob();
  job.commit({
    "package.json": '{ "name": "sample", "type": "module" }\n',
    "src/greet.js": "export const greet = (name) => `Hello, ${name}!`;\nconsole.log(greet('Ada'));\n",
    "test/greet.test.js": [
      'import { test } from "node:test";',
      'import assert from "node:assert/strict";',
      'import { greet } from "../src/greet.js";',
      'test("greets", () => assert.equal(greet("Ada"), "Hello, Ada!"));',
      "",
    ].join("\n"),
    ".gitignore": "report.xml\n",
  });
});
afterEach(() => job.remove());

const config = [
  "floor:",
  "  test:",
  "    command: node --test --test-reporter=junit --test-reporter-destination=report.xml",
  "    report: report.xml",
  "    format: junit",
].join("\n");

describe("a floor's job", () => {
  it("captures the tests and the checks the request names, in the plan's order", async () => {
    const run = await job.run(
      job.request({
        role: "floor",
        checks: { chunks: ["greet", "cli"], acceptance: true },
        documents: { config: job.blob(config), plan: job.blob(JSON.stringify(samplePlan())) },
      }),
    );
    expect(run.exit).toBe(0);
    const { result } = run;
    if (result?.outcome !== "done" || result.payload.kind !== "captures") throw new Error(run.log);
    const { captures } = result.payload;
    expect(captures.commit).toBe(job.git("rev-parse", "HEAD"));
    expect(captures.tests?.report.cases.map((one) => [one.name, one.status])).toEqual([["greets", "passed"]]);
    expect(captures.tests?.reruns).toBeUndefined();
    expect(captures.checks.map((one) => [one.owner, one.index, one.capture.exit])).toEqual([
      ["greet", 0, 0],
      ["cli", 0, 1],
      [":acceptance", 0, 0],
    ]);
  });

  it("runs the tests of a baseline again, to know those that fail by chance", async () => {
    const run = await job.run(
      job.request({ role: "baseline", documents: { config: job.blob(`${config}\n  flaky_reruns: 2`) } }),
    );
    const { result } = run;
    if (result?.outcome !== "done" || result.payload.kind !== "captures") throw new Error(run.log);
    expect(result.payload.captures.tests?.reruns).toHaveLength(2);
    expect(result.payload.captures.checks).toEqual([]);
  });

  it("starts no program that a command has put into a submodule's configuration", async () => {
    job.commitSubmodule();
    const proof = path.join(job.folder, "started");
    const setup = JSON.stringify(job.trapSubmodule(proof));
    const run = await job.run(
      job.request({
        role: "baseline",
        documents: { config: job.blob(`floor: { setup: { command: ${setup} }, typecheck: { command: "true" } }\n`) },
      }),
    );
    const { result } = run;
    if (result?.outcome !== "done" || result.payload.kind !== "captures") throw new Error(run.log);
    expect(result.payload.captures.setup?.exit).toBe(0);
    expect(existsSync(proof)).toBe(false);
    // It was a trap: git's own look at the checkout goes into it.
    job.git("status");
    expect(existsSync(proof)).toBe(true);
  });

  it("captures nothing on another commit than the request's", async () => {
    const request = job.request({ role: "floor" });
    job.commit({ "later.txt": "later\n" });
    const run = await job.run(request);
    expect(run.exit).toBe(0);
    expect(run.result).toMatchObject({ outcome: "external", cause: expect.stringContaining("the checkout stands on") });
  });

  it("captures nothing with a plan that lacks the chunk", async () => {
    const run = await job.run(
      job.request({
        role: "floor",
        checks: { chunks: ["web"], acceptance: false },
        documents: { plan: job.blob(JSON.stringify(samplePlan())) },
      }),
    );
    expect(run.result).toMatchObject({ outcome: "external", cause: expect.stringContaining('no chunk "web"') });
  });
});
