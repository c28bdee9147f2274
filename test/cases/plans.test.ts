/** What a plan may not hold. Rows of docs/cases.md. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { openStage, type Stage } from "../fleet/fleet-stage.ts";
import { ONE_CHUNK, type ScriptedPlan } from "../fleet/scripted-jobs.ts";

let stage: Stage | undefined;

afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const [first] = ONE_CHUNK.chunks;
if (first === undefined) throw new Error("the plan has a chunk");

describe("a plan with a chunk that touches a workflow", () => {
  it("is refused before anything is dispatched for it, and the planner is told which file", async () => {
    const told: string[] = [];
    const files = [...first.files_touched, ".github/workflows/ci.yml"];
    const plan: ScriptedPlan = { ...ONE_CHUNK, chunks: [{ ...first, files_touched: files }] };
    stage = await openStage({
      plan,
      script: ({ request, show }) => {
        if (request.role === "plan" && request.documents.feedback !== undefined)
          told.push(show(request.documents.feedback));
        return null;
      },
    });
    const issue = await stage.begin();
    const asked = await stage.ownComment(issue, /^need:/u);
    expect(asked.body).toContain("forbidden-file");
    expect(told.length).toBeGreaterThan(0);
    for (const feedback of told) expect(feedback).toContain(".github/workflows/ci.yml");
    expect(new Set(stage.requests.map(({ role }) => role))).toEqual(new Set(["baseline", "plan"]));
  }, 90_000);
});
