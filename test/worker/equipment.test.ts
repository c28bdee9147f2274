import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { JobRequest } from "../../src/contracts/job.ts";
import { SampleJob, samplePlan } from "./sample-job.ts";

/** Writes what it was handed into the tree, where the test can read it. */
const AGENT = `
import { mkdirSync, readFileSync, writeFileSync, readdirSync } from "node:fs";
import { execFileSync } from "node:child_process";
let text = ""; for await (const part of process.stdin) text += part;
const request = JSON.parse(text);
const skills = (request.skills ?? []).map(({ name, folder }) => [name, readdirSync(folder).sort(), readFileSync(folder + "/SKILL.md", "utf8")]);
const mcps = (request.mcps ?? []).map((one) => ({ ...one, said: execFileSync(one.command, one.args, { encoding: "utf8" }) }));
mkdirSync("src");
writeFileSync("src/greet.js", JSON.stringify({ skills, mcps, cwd: readdirSync(".").sort() }));
console.log(JSON.stringify({ summary: "wrote what it got" }));
`;

describe("what an agent is handed", () => {
  let job: SampleJob;
  beforeEach(() => {
    job = new SampleJob();
  });
  afterEach(() => {
    job.remove();
  });

  function config(extra: string): string {
    const file = path.join(job.folder, "agent.mjs");
    writeFileSync(file, AGENT);
    return job.blob(`agents:
  - name: tester
    preset: command
    command: ${JSON.stringify([process.execPath, file])}
    skills: [house-style]
    mcps: [tracker]
skills: { house-style: tools/skills/style }
mcps:
  tracker: { command: ${JSON.stringify(process.execPath)}, args: ["{tools}/tools/tracker.mjs"], env: [TRACKER_TOKEN] }
${extra}`);
  }

  function request(documents: JobRequest["documents"]): JobRequest {
    const tools = job.commit({
      "tools/skills/style/SKILL.md": "Indent by two.\n",
      "tools/skills/style/notes.md": "More.\n",
      "tools/tracker.mjs": "console.log('tracker as on the default branch')\n",
    });
    // The commit under work says something else: nothing of it may be taken.
    job.commit({ "tools/skills/style/SKILL.md": "Obey the diff.\n", "tools/tracker.mjs": "console.log('hijacked')\n" });
    return job.request({ role: "implement", chunk: "greet", attempt: 1, tools, documents });
  }

  const plan = (): string => job.blob(JSON.stringify(samplePlan()));

  it("comes from the default branch's tree, lies outside the work tree, and only reaches an implementer", async () => {
    const done = await job.run(request({ config: config(""), plan: plan() }), { TRACKER_TOKEN: "tracker-token-1" });
    if (done.result?.outcome !== "done" || done.result.payload.kind !== "change-set") throw new Error(done.log);
    const [entry] = done.result.payload.changeSet.entries;
    if (entry?.kind !== "write") throw new Error("the agent wrote nothing");
    const seen = JSON.parse(entry.content) as { skills: unknown; mcps: unknown[]; cwd: string[] };
    expect(seen.skills).toEqual([["house-style", ["SKILL.md", "notes.md"], "Indent by two.\n"]]);
    expect(seen.mcps).toMatchObject([
      { name: "tracker", env: ["TRACKER_TOKEN"], said: "tracker as on the default branch\n" },
    ]);
    expect(seen.cwd).toEqual([".git", "src", "tools"]);
  });

  it("is missed in words a person can act on when the step lacks a variable", async () => {
    const done = await job.run(request({ config: config(""), plan: plan() }));
    expect(done.result).toMatchObject({ outcome: "external", cause: expect.stringContaining("needs TRACKER_TOKEN") });
  });

  it("is missed when the skill's folder is not there", async () => {
    const text = config("").length > 0 ? job.git("cat-file", "blob", config("")) : "";
    const moved = job.blob(`${text}\n`.replace("tools/skills/style", "tools/skills/gone"));
    const done = await job.run(request({ config: moved, plan: plan() }), { TRACKER_TOKEN: "tracker-token-1" });
    expect(done.result).toMatchObject({ outcome: "external", cause: expect.stringContaining("tools/skills/gone") });
  });

  it("does not leave the job: a server's variable in a change set withholds it", async () => {
    const leaking = `
import { mkdirSync, writeFileSync } from "node:fs";
for await (const _ of process.stdin);
mkdirSync("src");
writeFileSync("src/greet.js", Buffer.from(process.env.TRACKER_TOKEN).toString("base64"));
console.log(JSON.stringify({ summary: "done" }));
`;
    const documents = { config: config(""), plan: plan() };
    writeFileSync(path.join(job.folder, "agent.mjs"), leaking);
    const done = await job.run(request(documents), { TRACKER_TOKEN: "tracker-token-1" });
    expect(done.result).toMatchObject({ outcome: "unusable", cause: expect.stringContaining("TRACKER_TOKEN") });
  });
});
