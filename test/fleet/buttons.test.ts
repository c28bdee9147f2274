import { afterEach, describe, expect, it } from "@jest/globals";
import { openStage, type Stage } from "./fleet-stage.ts";

let stage: Stage;
afterEach(async () => stage.close());

/** The plan's check with its buttons, once the plan waits. */
async function findPlanCheck(): Promise<number> {
  return stage.until("the plan's check", async () => {
    const pulls = (await stage.mara.pulls.list({ ...stage.repo })).data;
    const checks = pulls[0] === undefined ? [] : await stage.checks(pulls[0].head.sha);
    return checks.find((check) => check.name === "taskfleet/plan")?.id;
  });
}

describe("the buttons of the plan's check", () => {
  it("approve the very revision they were shown for, by who may command", async () => {
    stage = await openStage();
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    const checkRunId = await findPlanCheck();
    await stage.sandbox.pressCheckButton({ repository: "acme/shop", checkRunId, press: "approve", by: "mara" });
    await stage.ownComment(issue, /^report$/u);
    const answers = (await stage.comments(issue)).filter((comment) => comment.body?.includes(" answer:"));
    expect(answers).toHaveLength(1);
    expect(answers[0]?.body).toContain("@mara");
  }, 60_000);

  it("do nothing for strangers but answer", async () => {
    stage = await openStage();
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    const checkRunId = await findPlanCheck();
    await stage.sandbox.pressCheckButton({ repository: "acme/shop", checkRunId, press: "cancel", by: "drifter" });
    await stage.ownComment(issue, /^stranger:drifter/u);
    const { data } = await stage.mara.issues.get({ ...stage.repo, issue_number: issue });
    expect(data.state).toBe("open");
    expect((await stage.comments(issue)).some((comment) => comment.body?.includes(" report "))).toBe(false);
  }, 60_000);
});
