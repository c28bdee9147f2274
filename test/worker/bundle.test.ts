import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import type { JobId } from "../../src/contracts/ids.ts";
import { ROLES, RESULT_ARTIFACT, RESULT_FILE } from "../../src/contracts/job.ts";
import { MODEL_KEYS } from "../../src/contracts/model-keys.ts";
import { formatRunName } from "../../src/contracts/names.ts";
import { buildWorkerBundle } from "../../tools/dev/bundle-worker.ts";
import { SampleJob } from "./sample-job.ts";

let job: SampleJob;
let text: string;

beforeAll(async () => {
  job = new SampleJob();
  job.commit({ "README.md": "# Sample\n" });
  text = Buffer.from(await buildWorkerBundle(process.cwd())).toString("utf8");
});
afterAll(() => job.remove());

describe("the action's bundle", () => {
  it("is the same bytes for the same sources, wherever they lie", async () => {
    expect(Buffer.from(await buildWorkerBundle(process.cwd())).toString("utf8")).toBe(text);
    expect(text).not.toContain(process.cwd());
  });

  it("does a whole job without anything beside it", async () => {
    const folder = path.join(job.folder, "action");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }\n');
    writeFileSync(path.join(folder, "index.js"), text);
    const agent =
      'import fs from "node:fs"; fs.readFileSync(0); console.log(JSON.stringify({ kind: "answer", text: "42" }));';
    const request = job.request({
      role: "plan",
      documents: { config: job.agentConfig(agent), intent: job.blob("# What is it?\n") },
    });
    const run = await job.start(
      "run",
      { TASKFLEET_ROLE: "plan", TASKFLEET_JOB: request.job, TASKFLEET_REQUEST: JSON.stringify(request) },
      path.join(folder, "index.js"),
    );
    expect(run.result).toMatchObject({
      outcome: "done",
      payload: { kind: "text", text: '{"kind":"answer","text":"42"}' },
    });
  });
});

describe("the workflow users install", () => {
  const workflow = parse(readFileSync("src/worker/workflow/taskfleet.yml", "utf8")) as {
    readonly "run-name": string;
    readonly on: {
      readonly workflow_dispatch: { readonly inputs: { readonly role: { readonly options: readonly string[] } } };
    };
    readonly permissions: unknown;
    readonly jobs: Readonly<
      Record<string, { readonly permissions: unknown; readonly if?: string; readonly steps: readonly Step[] }>
    >;
  };
  interface Step {
    readonly uses?: string;
    readonly with?: Readonly<Record<string, unknown>>;
    readonly env?: Readonly<Record<string, string>>;
  }

  it("names its runs as the App looks for them", () => {
    const name = workflow["run-name"]
      .replace("${{ inputs.role }}", "floor")
      .replace("${{ inputs.job }}", "7-a/floor:greet/1");
    expect(name).toBe(formatRunName("floor", "7-a/floor:greet/1" as JobId));
  });

  it("knows every role, each in one job", () => {
    expect([...workflow.on.workflow_dispatch.inputs.role.options].sort()).toEqual([...ROLES].sort());
    for (const role of ROLES) {
      const jobs = Object.values(workflow.jobs).filter((one) => one.if?.includes(`"${role}"`));
      expect(jobs).toHaveLength(1);
    }
  });

  it("asks for reading only, and for nothing by default", () => {
    expect(workflow.permissions).toEqual({});
    expect(workflow.jobs["claim"]?.permissions).toEqual({ actions: "read" });
    for (const name of ["agent", "captures"]) expect(workflow.jobs[name]?.permissions).toEqual({ contents: "read" });
  });

  it("gives model keys to the one step that runs an agent, and a token to no step that runs programs", () => {
    for (const [name, { steps }] of Object.entries(workflow.jobs)) {
      for (const step of steps) {
        const env = step.env ?? {};
        const keys = MODEL_KEYS.filter((key) => key in env);
        const runs = step.with?.["mode"] === "run";
        expect(keys).toEqual(name === "agent" && runs ? [...MODEL_KEYS] : []);
        if (runs) expect(Object.values(env).join(" ")).not.toMatch(/github\.token|secrets\.GITHUB_TOKEN/u);
      }
    }
  });

  it("hands back the result under the name the App reads", () => {
    const uploads = Object.values(workflow.jobs)
      .flatMap((one) => one.steps)
      .filter((step) => step.uses?.startsWith("actions/upload-artifact@"));
    expect(uploads).toHaveLength(2);
    for (const { with: inputs } of uploads) {
      expect(inputs?.["name"]).toBe(RESULT_ARTIFACT);
      expect(String(inputs?.["path"])).toMatch(new RegExp(`/${RESULT_FILE}$`, "u"));
    }
  });

  it("pins every foreign action to a commit", () => {
    for (const step of Object.values(workflow.jobs).flatMap((one) => one.steps)) {
      if (step.uses?.startsWith("actions/") === true) expect(step.uses).toMatch(/@[0-9a-f]{40}$/u);
    }
  });
});
