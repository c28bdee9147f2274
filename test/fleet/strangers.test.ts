import { afterEach, describe, expect, it } from "@jest/globals";
import { openStage, type Stage } from "./fleet-stage.ts";

let stage: Stage;
afterEach(async () => stage.close());

describe("somebody without write access", () => {
  it("gets one polite refusal for a label, however often it is set", async () => {
    stage = await openStage();
    const issue = await stage.begin(stage.drifter);
    await stage.ownComment(issue, /^stranger:drifter$/u);
    await stage.drifter.issues.removeLabel({ ...stage.repo, issue_number: issue, name: "taskfleet" });
    await stage.drifter.issues.addLabels({ ...stage.repo, issue_number: issue, labels: ["taskfleet"] });
    // A maintainer's label after it is handled after it: once its run has begun, the stranger's was looked at.
    await stage.mara.issues.removeLabel({ ...stage.repo, issue_number: issue, name: "taskfleet" });
    await stage.mara.issues.addLabels({ ...stage.repo, issue_number: issue, labels: ["taskfleet"] });
    await stage.ownComment(issue, /^status$/u);
    const refusals = (await stage.comments(issue)).filter((comment) => comment.body?.includes("stranger:"));
    expect(refusals).toHaveLength(1);
  });

  it("changes nothing with commands, and is answered once per issue", async () => {
    stage = await openStage();
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    await stage.say(issue, "/approve", stage.drifter);
    await stage.say(issue, "/replan do something else", stage.drifter);
    await stage.ownComment(issue, /^stranger:drifter:/u);
    await stage.say(issue, "/status");
    await stage.ownComment(issue, /^answer:/u);
    const own = (await stage.comments(issue)).filter((comment) => comment.user?.type === "Bot");
    expect(own.filter((comment) => comment.body?.includes("stranger:drifter"))).toHaveLength(1);
    expect(stage.requests.some((request) => request.role === "implement")).toBe(false);
    expect(stage.requests.filter((request) => request.role === "plan")).toHaveLength(1);
  });
});

describe("a maintainer", () => {
  it("cancels: pull requests are closed, branches go, the report says so", async () => {
    stage = await openStage();
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    await stage.say(issue, "Enough.\n\n/cancel");
    const report = await stage.ownComment(issue, /^report$/u);
    expect(report.body).toMatch(/[Cc]ancelled/u);
    await stage.until(
      "our branches are gone",
      async () => (await stage.mara.repos.listBranches(stage.repo)).data.length === 1,
    );
    const pulls = await stage.mara.pulls.list({ ...stage.repo, state: "open" });
    expect(pulls.data).toEqual([]);
  });

  it("quotes a command, or shows it as code, without giving it", async () => {
    stage = await openStage();
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    await stage.say(issue, "> /approve\n\nShould I write `/approve`, or\n\n```\n/approve\n```\n");
    await stage.say(issue, "/help");
    await stage.ownComment(issue, /^answer:/u);
    expect(stage.requests.some((request) => request.role === "implement")).toBe(false);
  });
});
