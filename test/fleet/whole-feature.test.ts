/** Two chunks: what the first learned reaches the second, and what the final review finds is mended. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { jobFeedbackSchema, type JobRequest } from "../../src/contracts/job.ts";
import { openStage, type Stage } from "./fleet-stage.ts";
import { answerHonestly, buildDraft, type Job, type ScriptedPlan, text } from "./scripted-jobs.ts";

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
const acceptance: ScriptedPlan["acceptance"] = [{ kind: "check", desc: "all greet", run: "grep -q hello src/*.txt" }];
const TWO: ScriptedPlan = { chunks: [chunk("first"), chunk("second", ["first"])], acceptance };
const MENDED: ScriptedPlan = { chunks: [...TWO.chunks, chunk("mend", ["second"])], acceptance };

describe("what an implementer learned", () => {
  it("is told to the next one as data, and rides in the accepted commit", async () => {
    let told: unknown = null;
    stage = await openStage({
      plan: TWO,
      script: ({ request, show }) => {
        if (request.role !== "implement") return null;
        if (request.chunk === "second")
          told = jobFeedbackSchema.parse(JSON.parse(show(request.documents.feedback ?? "")));
        if (request.chunk !== "first") return null;
        const payload = answerHonestly({ request, show }, TWO) as object;
        const services = [{ name: "Greeter", path: "src/first.txt", purpose: "says *hello* | to all" }];
        return { kind: "payload", payload: { ...payload, context: { services, patterns: ["one word per line"] } } };
      },
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.ownComment(issue, /^report$/u);
    for (const said of ["first has landed", "Greeter (src/first.txt)", "one word per line"])
      expect(JSON.stringify(told)).toContain(said);
    // Reviewers get nothing of it.
    for (const request of stage.requests.filter((one) => one.role === "review"))
      expect(Object.keys(request.documents).sort()).toEqual(["config", "plan"]);
    const folder = `.taskfleet/${issue}-please-greet`;
    const read = async (path: string): Promise<string> => {
      const { data } = await stage.mara.repos.getContent({ ...stage.repo, path: `${folder}/${path}` });
      if (Array.isArray(data) || data.type !== "file") throw new Error(`${path} is no file`);
      return Buffer.from(data.content, "base64").toString("utf8");
    };
    const context = await read("project-context.md");
    for (const said of ["`first`: Build first", "`second`: Build second", "one word per line", "shell v1.0.0"])
      expect(context).toContain(said);
    expect(await read("service-inventory.md")).toContain("| Greeter | `src/first.txt` |");
  });
});

describe("a chunk called `acceptance`", () => {
  it("has its own checks beside those of the acceptance", async () => {
    stage = await openStage({ plan: { chunks: [chunk("acceptance")], acceptance } });
    const issue = await stage.begin();
    await stage.approve(issue);
    const report = await stage.ownComment(issue, /^report$/u);
    expect(report.body).toMatch(/All 1 chunks? completed successfully/u);
  });
});

describe("a final review", () => {
  it("judges what the feature adds to the source branch, not what others have landed there meanwhile", async () => {
    stage = await openStage();
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    // The scripted reviewer looks through the plan's files only: another changed file would make its verdict void.
    const news = await stage.commitFile("docs/news.md", "news\n");
    await stage.approve(issue);
    const report = await stage.ownComment(issue, /^report$/u);
    expect(report.body).toContain("merged");
    const [final] = stage.requests.filter((one) => one.role === "final-review");
    expect(final?.base).toBe(news);
    expect((await stage.mara.repos.getContent({ ...stage.repo, path: "docs/news.md" })).status).toBe(200);
  });

  it("that finds a fault leads to a plan revision with a chunk that mends it, and to acceptance", async () => {
    const finals: JobRequest[] = [];
    let asked = "";
    stage = await openStage({
      plan: MENDED,
      script: (job) => {
        const { request, show } = job;
        if (request.role === "plan") {
          const feedback = request.documents.feedback;
          if (feedback === undefined) return text(buildDraft(TWO));
          asked = show(feedback);
          return text(buildDraft(MENDED));
        }
        if (request.role !== "final-review") return null;
        finals.push(request);
        return finals.length === 1 ? text(failFinal(job)) : null;
      },
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.ownComment(issue, /^approval:2$/u);
    await stage.say(issue, "/approve");
    await stage.ownComment(issue, /^report$/u);
    const feedback = jobFeedbackSchema.parse(JSON.parse(asked));
    expect(feedback.landed).toEqual(["first", "second"]);
    for (const said of ["both files say the same", "it is about second"]) expect(feedback.request).toContain(said);
    expect(finals).toHaveLength(2);
    expect(finals[0]?.commit).not.toBe(finals[1]?.commit);
    // What the first final reviewer said is kept from the second.
    expect(Object.keys(finals[1]?.documents ?? {}).sort()).toEqual(["config", "intent", "plan"]);
    const implemented = stage.requests.filter((one) => one.role === "implement").map((one) => one.chunk);
    expect(implemented).toEqual(["first", "second", "mend"]);
    expect((await stage.mara.repos.getContent({ ...stage.repo, path: "src/mend.txt" })).status).toBe(200);
  });
});

function failFinal({ request, show }: Job): unknown {
  const quote = show(`${request.commit}:src/first.txt`).split("\n")[0] ?? "";
  const where = { path: "src/first.txt", start: 1, end: 1, quote };
  return {
    v: 1,
    job: request.job,
    commit: request.commit,
    result: "fail",
    criteria: [{ criterion: 0, result: "pass", implementation: [where], tests: [{ check: 0 }] }],
    findings: [
      { severity: "blocking", title: "both files say the same", expected: "one greets", found: "both", where },
    ],
    files_reviewed: TWO.chunks.flatMap((one) => one.files_touched),
    summary: "built twice",
    chunks: ["second"],
  };
}
