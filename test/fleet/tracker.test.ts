/** Chunks as sub-issues of the labelled issue: a picture of the run for people. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { openStage, type Stage } from "./fleet-stage.ts";
import { type ScriptedPlan, unusable } from "./scripted-jobs.ts";

let stage: Stage;
afterEach(async () => stage.close());

const chunk = (id: string, deps: readonly string[] = []) => ({
  id,
  title: `Build ${id}`,
  deps,
  tier: "code" as const,
  brief: `Add src/${id}.txt with the line hello, and its test, which asserts that line.`,
  files_touched: [`src/${id}.txt`, `test/${id}.test.txt`],
  checks: [{ desc: `${id} says hello`, run: `grep -q hello src/${id}.txt` }],
});
const TWO: ScriptedPlan = {
  chunks: [chunk("first"), chunk("second", ["first"])],
  acceptance: [{ kind: "check", desc: "all greet", run: "grep -q hello src/*.txt" }],
};
const CONFIG = `tracker: sub-issues
ci: { gather: false }
merge: { feature: auto }
floor: { test: { command: run-tests, report: report.xml, format: junit } }
agents: [{ name: builder, preset: command, command: [builder] }]
`;

const listSubIssues = async (issue: number) =>
  (await stage.mara.issues.listSubIssues({ ...stage.repo, issue_number: issue })).data;

describe("a repository that shows chunks as sub-issues", () => {
  it("has one for each chunk, blocked by those it needs, and closed when its chunk has landed", async () => {
    stage = await openStage({ config: CONFIG, plan: TWO });
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.ownComment(issue, /^report$/u);
    const issues = await stage.until("both are closed", async () => {
      const found = await listSubIssues(issue);
      return found.length === 2 && found.every((one) => one.state === "closed") && found;
    });
    expect(issues).toMatchObject([
      { title: "first: Build first", state_reason: "completed" },
      { title: "second: Build second", state_reason: "completed" },
    ]);
    expect(issues[0]?.body).toContain("first says hello");
  });

  it("shows what is open and what it waits for, keeps what people add, and says what was never built", async () => {
    stage = await openStage({
      config: CONFIG,
      plan: TWO,
      script: (job) => (job.request.role === "implement" ? unusable(job.request, "nothing") : null),
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    const [first, second] = await stage.until("both are there", async () => {
      const found = await listSubIssues(issue);
      return found.length === 2 && found;
    });
    const listBlockers = async () => {
      const where = { ...stage.repo, issue_number: second?.number ?? 0 };
      return (await stage.mara.issues.listDependenciesBlockedBy(where)).data.map((one) => one.number);
    };
    await stage.until("the second waits for the first", async () =>
      (await listBlockers()).includes(first?.number ?? 0),
    );
    // A sub-issue of somebody else, with our marker copied into it, is left alone.
    const body = first?.body ?? "";
    const { data: foreign } = await stage.mara.issues.create({ ...stage.repo, title: "Mine", body });
    await stage.mara.issues.addSubIssue({ ...stage.repo, issue_number: issue, sub_issue_id: foreign.id });
    await stage.say(issue, "/cancel");
    const ended = await stage.until("ours are closed", async () => {
      const found = await listSubIssues(issue);
      return found.filter((one) => one.state === "closed").length === 2 && found;
    });
    expect(ended).toMatchObject([
      { number: first?.number, state_reason: "not_planned" },
      { number: second?.number, state_reason: "not_planned" },
      { number: foreign.number, state: "open", title: "Mine" },
    ]);
  });

  it("makes each once, also when the App is started anew in between", async () => {
    let restarted = false;
    stage = await openStage({
      config: CONFIG,
      plan: TWO,
      script: (job) => {
        // The second chunk is answered after the restart only.
        if (job.request.role !== "implement" || job.request.chunk !== "second" || restarted) return null;
        return unusable(job.request, "not yet");
      },
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.until("the first is closed", async () =>
      (await listSubIssues(issue)).some((one) => one.state === "closed"),
    );
    await stage.restart();
    restarted = true;
    await stage.say(issue, "/retry second");
    await stage.ownComment(issue, /^report$/u);
    await stage.until("both are closed", async () =>
      (await listSubIssues(issue)).every((one) => one.state === "closed"),
    );
    const { data } = await stage.mara.issues.listForRepo({ ...stage.repo, state: "all", per_page: 100 });
    const own = data.filter((one) => one.pull_request === undefined && one.number !== issue);
    expect(own.map((one) => one.title).sort()).toEqual(["first: Build first", "second: Build second"]);
  });

  it("writes them for `bd` into the run's folder where that is asked for, and no issue", async () => {
    stage = await openStage({ config: CONFIG.replace("sub-issues", "beads"), plan: TWO });
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    const read = async (ref: string): Promise<readonly string[]> => {
      const path = `.taskfleet/${issue}-please-greet/.beads/issues.jsonl`;
      const { data } = await stage.mara.repos.getContent({ ...stage.repo, path, ref });
      if (Array.isArray(data) || data.type !== "file") throw new Error(`${path} is no file`);
      const lines = Buffer.from(data.content, "base64").toString("utf8").trimEnd().split("\n");
      return lines.map((line) => (JSON.parse(line) as { readonly status: string }).status);
    };
    expect(await read(`taskfleet/${issue}-please-greet/integration`)).toEqual(["open", "open", "open"]);
    await stage.approve(issue);
    await stage.ownComment(issue, /^report$/u);
    expect(await read("main")).toEqual(["closed", "closed", "closed"]);
    expect(await listSubIssues(issue)).toEqual([]);
  });

  it("shows nothing unless it is asked to", async () => {
    stage = await openStage({ config: CONFIG.replace("tracker: sub-issues\n", ""), plan: TWO });
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.ownComment(issue, /^report$/u);
    expect(await listSubIssues(issue)).toEqual([]);
  });
});
