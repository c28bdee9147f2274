import { afterEach, describe, expect, it } from "@jest/globals";
import { openStage, type Stage } from "./fleet-stage.ts";

let stage: Stage;
afterEach(async () => stage.close());

describe("a green floor of a workflow run that failed", () => {
  // Code under test that uploads a result of its own makes the worker's upload fail, and the run with it.
  it("is believed by nobody, and blamed on nobody", async () => {
    stage = await openStage({ conclude: ({ role }) => (role === "floor" ? "failure" : "success") });
    const issue = await stage.begin();
    await stage.approve(issue);
    const end = await stage.until("the floor's end", async () =>
      stage.facts().find((fact) => fact.kind === "JobEnded" && fact.job.includes("/floor:")),
    );
    expect(end).toMatchObject({ outcome: "lost" });
    expect(stage.facts().map(({ kind }) => kind)).not.toContain("FloorComputed");
    expect(stage.requests.map(({ role }) => role)).not.toContain("review");
  });
});
