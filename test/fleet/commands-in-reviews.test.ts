import { afterEach, expect, it } from "@jest/globals";
import { openStage, type Stage } from "./fleet-stage.ts";

let stage: Stage;
afterEach(async () => stage.close());

it("a plan is approved in a review that names it, and a stranger's review changes nothing", async () => {
  stage = await openStage();
  const issue = await stage.begin();
  await stage.ownComment(issue, /^approval:/u);
  const { number } = await stage.until("the feature pull request", async () => {
    const pulls = (await stage.mara.pulls.list({ ...stage.repo })).data;
    return pulls.find((pull) => pull.base.ref === "main");
  });
  const review = (by: Stage["mara"], body: string) =>
    by.pulls.createReview({ ...stage.repo, pull_number: number, event: "COMMENT", body });
  await review(stage.drifter, "/cancel");
  await stage.ownComment(number, /^stranger:drifter/u);
  await review(stage.mara, "Looks fine to me.\n\n/approve");
  const answer = await stage.ownComment(number, /^answer:/u);
  const named = /`(\/approve [0-9a-f]{12})`/u.exec(answer.body ?? "")?.[1] ?? "";
  await review(stage.mara, `Then:\r\n${named}\r\n`);
  await stage.ownComment(issue, /^report$/u);
  const answers = (await stage.comments(number)).filter((comment) => comment.body?.includes(" answer:"));
  expect(answers.map(({ body }) => /- (✅|❌)/u.exec(body ?? "")?.[1])).toEqual(["❌", "✅"]);
}, 60_000);
