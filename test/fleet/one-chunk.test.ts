import { afterEach, describe, expect, it } from "@jest/globals";
import { openStage, type Stage } from "./fleet-stage.ts";

let stage: Stage;
afterEach(async () => stage.close());

describe("one labeled issue", () => {
  it("becomes one verified, reviewed and merged change", async () => {
    stage = await openStage();
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.ownComment(issue, /^report$/u);
    await stage.until(
      "the issue is closed",
      async () => (await stage.mara.issues.get({ ...stage.repo, issue_number: issue })).data.state === "closed",
    );
    const file = await stage.mara.repos.getContent({ ...stage.repo, path: "src/greeting.txt" });
    expect(file.status).toBe(200);
    // Nothing was done that was not asked for, by the clock of a real process and its own delay.
    expect((await stage.replay()).differences).toEqual([]);
    const roles = stage.requests.map((request) => request.role);
    expect(roles.sort()).toEqual(["baseline", "final-review", "floor", "floor", "implement", "plan", "review"]);
  });

  it("tells a reviewer the specification and the commit, and nothing of former attempts", async () => {
    let tries = 0;
    stage = await openStage({
      script: ({ request }) => {
        if (request.role !== "implement") return null;
        tries += 1;
        return tries === 1
          ? {
              kind: "payload",
              payload: {
                kind: "change-set",
                changeSet: {
                  v: 1,
                  base: request.commit,
                  entries: [
                    { kind: "write", path: "src/elsewhere.txt", mode: "100644", encoding: "utf-8", content: "x\n" },
                  ],
                },
              },
            }
          : null;
      },
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.ownComment(issue, /^report$/u);
    const review = stage.requests.find((request) => request.role === "review");
    expect(Object.keys(review ?? {}).sort()).toEqual([
      "agent",
      "base",
      "chunk",
      "commit",
      "documents",
      "job",
      "model",
      "planRev",
      "role",
      "run",
      "tools",
      "v",
    ]);
    expect(Object.keys(review?.documents ?? {}).sort()).toEqual(["config", "plan"]);
    const second = stage.requests.filter((request) => request.role === "implement")[1];
    expect(second?.documents.feedback).toMatch(/^[0-9a-f]{40}$/u);
  });
});
