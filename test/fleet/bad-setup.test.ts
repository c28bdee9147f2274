import { afterEach, describe, expect, it } from "@jest/globals";
import { openStage, type Stage } from "./fleet-stage.ts";

let stage: Stage;
afterEach(async () => stage.close());

/** Nothing of a run came into being. */
async function expectNoRun(): Promise<void> {
  const { data } = await stage.mara.repos.listBranches(stage.repo);
  expect(data.map((branch) => branch.name)).toEqual(["main"]);
  expect(stage.requests).toEqual([]);
}

describe("a repository that is not ready", () => {
  it("is told which file is missing and how to add it", async () => {
    stage = await openStage({ workflow: null });
    const issue = await stage.begin();
    const comment = await stage.ownComment(issue, /^preflight:/u);
    expect(comment.body).toContain(".github/workflows/taskfleet.yml");
    expect(comment.body).toContain("taskfleet init");
    await expectNoRun();
  });

  it.each([
    ["is no YAML", "on: [workflow_dispatch\n", /not valid YAML/u],
    ["has no dispatch trigger", "on: push\njobs: {}\n", /workflow_dispatch/u],
    ["lacks an input", "on: { workflow_dispatch: { inputs: { role: {}, job: {} } } }\njobs: {}\n", /`request`/u],
  ])("is told when the workflow file %s", async (_name, workflow, said) => {
    stage = await openStage({ workflow });
    const issue = await stage.begin();
    expect((await stage.ownComment(issue, /^preflight:/u)).body).toMatch(said);
    await expectNoRun();
  });

  it("is told every problem of the configuration with its place, once per content", async () => {
    stage = await openStage({ config: "limits: { tries: many }\nmerge: { feature: perhaps }\nspeed: fast\n" });
    const issue = await stage.begin();
    const { body } = await stage.ownComment(issue, /^config:/u);
    for (const said of ["limits.tries", "merge.feature", "speed"]) expect(body).toContain(said);
    await stage.mara.issues.removeLabel({ ...stage.repo, issue_number: issue, name: "taskfleet" });
    await stage.mara.issues.addLabels({ ...stage.repo, issue_number: issue, labels: ["taskfleet"] });
    await stage.sandbox.idle();
    expect((await stage.comments(issue)).filter((comment) => comment.user?.type === "Bot")).toHaveLength(1);
    await expectNoRun();
  });

  it("is told which skill and which server's program the default branch does not hold", async () => {
    const config = `agents: [{ name: a, skills: [style], mcps: [tracker] }]
skills: { style: tools/style }
mcps: { tracker: { command: node, args: ["{tools}/tools/tracker.mjs"] } }
`;
    stage = await openStage({ config });
    const issue = await stage.begin();
    const { body } = await stage.ownComment(issue, /^preflight:/u);
    for (const said of ["tools/style/SKILL.md", "tools/tracker.mjs"]) expect(body).toContain(said);
    await expectNoRun();
  });

  it("works with defaults when there is no configuration, and says what the floor cannot check", async () => {
    stage = await openStage({ config: null });
    const issue = await stage.begin();
    const { body } = await stage.ownComment(issue, /^approval:/u);
    expect(body).toMatch(/cannot check/u);
  });
});
