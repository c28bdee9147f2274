import { afterEach, describe, expect, it } from "@jest/globals";
import { openStage, type Stage } from "./fleet-stage.ts";
import { ONE_CHUNK } from "./scripted-jobs.ts";

let stage: Stage;
afterEach(async () => stage.close());

const FLOOR = `ci: { gather: false }
merge: { feature: auto }
floor: { test: { command: run-tests, report: report.xml, format: junit } }
agents: [{ name: builder, preset: command, command: [builder] }]
`;
const PLAN = `chunks:
  - id: greeting
    brief: Add src/greeting.txt with the line hello and a test that asserts it.
    files_touched: [src/greeting.txt, test/greeting.test.txt]
    checks: [{ desc: the greeting says hello, run: grep -q hello src/greeting.txt }]
`;
const inIssue = (plan: string): string => `Say hello.\n\n\`\`\`taskfleet\n${plan}\`\`\`\n`;

describe("a repository whose plans people write", () => {
  it("merges what the issue plans, and no planner was ever asked", async () => {
    // Without an acceptance of its own, a plan is accepted by its chunks' checks.
    const acceptance = ONE_CHUNK.chunks[0]!.checks.map((check) => ({ kind: "check" as const, ...check }));
    const plan = { chunks: ONE_CHUNK.chunks, acceptance };
    stage = await openStage({ config: `plan: { source: issue }\n${FLOOR}`, plan });
    const issue = await stage.begin(stage.mara, "Please greet", inIssue(PLAN));
    await stage.approve(issue);
    await stage.ownComment(issue, /^report$/u);
    const roles = stage.requests.map((request) => request.role);
    expect(roles).toContain("implement");
    expect(roles).not.toContain("plan");
  });

  it("asks a person to approve what somebody without write access planned, whatever the policy", async () => {
    stage = await openStage({ config: `plan: { source: issue, approval: auto }\n${FLOOR}` });
    const { data } = await stage.drifter.issues.create({ ...stage.repo, title: "Greet", body: inIssue(PLAN) });
    await stage.mara.issues.addLabels({ ...stage.repo, issue_number: data.number, labels: ["taskfleet"] });
    await stage.ownComment(data.number, /^approval:/u);
    expect(stage.requests.map((request) => request.role)).toEqual(["baseline"]);
  });

  it("is told what is wrong with the plan, on the issue", async () => {
    stage = await openStage({ config: `plan: { source: issue }\n${FLOOR}` });
    const issue = await stage.begin(stage.mara, "Greet", inIssue(PLAN.replace("src/greeting.txt,", "../secrets,")));
    const { body } = await stage.ownComment(issue, /^need:plan:/u);
    expect(body).toContain("../secrets");
    expect(body).toContain("/replan");
  });

  it.each([
    ["there is no plan in it", "Say hello.", "no plan"],
    ["its plan is no YAML", inIssue("chunks: [\n"), "cannot be read"],
  ])("starts nothing when %s, and says how to write one", async (_why, text, said) => {
    stage = await openStage({ config: `plan: { source: issue }\n${FLOOR}` });
    const issue = await stage.begin(stage.mara, "Greet", text);
    expect((await stage.ownComment(issue, /^preflight:/u)).body).toContain(said);
    expect(stage.requests).toEqual([]);
  });

  it("reads the plan from a file of the source branch", async () => {
    stage = await openStage({ config: `plan: { source: file, file: "plans/{issue}.yml" }\n${FLOOR}` });
    const missing = await stage.begin();
    expect((await stage.ownComment(missing, /^preflight:/u)).body).toContain(`plans/${missing}.yml`);
    await stage.commitFile(`plans/${missing + 1}.yml`, PLAN);
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    expect(stage.requests.map((request) => request.role)).toEqual(["baseline"]);
  });
});
