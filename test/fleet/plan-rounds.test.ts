/** The plan gate with its real jobs: findings are answered, and the next reviewers see the plan alone. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { openStage, type Stage } from "./fleet-stage.ts";
import { buildDraft, ONE_CHUNK, type ScriptedPlan, text } from "./scripted-jobs.ts";

let stage: Stage;
afterEach(async () => stage.close());

const [first] = ONE_CHUNK.chunks;
const TWO: ScriptedPlan = {
  ...ONE_CHUNK,
  chunks: [first!, { ...first!, id: "farewell", files_touched: ["src/farewell.txt", "test/farewell.test.txt"] }],
};

describe("a plan one of its reviewers blocks", () => {
  it("comes back without an answer: refused; with one: three new reviewers, who do not see it", async () => {
    const told: string[] = [];
    const seen: string[] = [];
    stage = await openStage({
      plan: TWO,
      script: ({ request, show }) => {
        if (request.role === "plan-review") {
          seen.push(show(request.documents.plan ?? ""));
          if (request.lens !== "scope" || !request.job.endsWith("/1")) return null;
          const finding = {
            severity: "blocking",
            chunk: "farewell",
            title: "Nobody asked for it",
            evidence: "the issue",
          };
          return text({ v: 1, job: request.job, lens: "scope", result: "fail", findings: [finding], summary: "no" });
        }
        if (request.role !== "plan" || request.documents.feedback === undefined) return null;
        told.push(show(request.documents.feedback));
        if (told.length === 1) return null;
        return text({
          ...(buildDraft(TWO) as object),
          answers: [{ finding: "F1", rebuttal: "ZZZ said in the title" }],
        });
      },
    });
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:1$/u);
    expect(told).toHaveLength(2);
    for (const feedback of told) expect(feedback).toContain("F1 (blocking): farewell: Nobody asked for it");
    expect(told[1]).toContain("finding-unanswered");
    expect(seen).toHaveLength(6);
    expect(seen.join("\n")).not.toContain("ZZZ");
    for (const request of stage.requests.filter((one) => one.role === "plan-review"))
      expect(Object.keys(request.documents).sort()).toEqual(["config", "intent", "plan"]);
  });
});
