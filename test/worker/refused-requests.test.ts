import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { SampleJob } from "./sample-job.ts";

let job: SampleJob;

beforeEach(() => {
  job = new SampleJob();
  job.commit({ "README.md": "# Sample\n" });
});
afterEach(() => job.remove());

function start(request: string, role = "plan", id = "7-sample/plan/1"): ReturnType<SampleJob["start"]> {
  return job.start("run", { TASKFLEET_ROLE: role, TASKFLEET_JOB: id, TASKFLEET_REQUEST: request });
}

describe("a request that cannot be answered for", () => {
  it.each([
    ["that is not JSON", "{", "is not JSON"],
    ["of another shape", '{"v": 1}', "is no request"],
    ["with keys nobody knows", "EXTRA", "is no request"],
  ])("%s ends the step without a result", async (_what, text, message) => {
    const good = JSON.stringify({ ...job.request({ role: "plan" }), shell: "rm -rf /" });
    const run = await start(text === "EXTRA" ? good : text);
    expect(run.exit).toBe(1);
    expect(run.log).toContain(message);
    expect(run.result).toBeNull();
  });

  it("for another role or job than the run's ends the step", async () => {
    const request = JSON.stringify(job.request({ role: "plan" }));
    expect((await start(request, "implement")).log).toContain("the request is for role plan");
    expect((await start(request, "plan", "8-other/plan/1")).log).toContain("another job");
  });
});

describe("a request whose texts are not to be had", () => {
  it("is nobody's try, and names the text", async () => {
    const run = await job.run(job.request({ role: "plan", documents: { intent: "b".repeat(40) } }));
    expect(run.result).toMatchObject({ outcome: "external", cause: expect.stringContaining("the document `intent`") });
  });

  it("is nobody's try when the configuration is invalid, and says where", async () => {
    const config = job.blob("agents:\n  - name: a\n    preset: telepathy\n");
    const run = await job.run(job.request({ role: "plan", documents: { config, intent: job.blob("x") } }));
    expect(run.result).toMatchObject({ outcome: "external", cause: expect.stringContaining("agents.0.preset") });
  });

  it("cannot smuggle commands into the step's log", async () => {
    const program = `import fs from "node:fs"; fs.readFileSync(0); console.error("::add-mask::x\\n##[group]y"); process.exit(3);`;
    const run = await job.run(
      job.request({ role: "plan", documents: { config: job.agentConfig(program), intent: job.blob("x") } }),
    );
    expect(run.log).not.toMatch(/^(?:::add-mask|##\[)/mu);
  });
});
