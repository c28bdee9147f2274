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

  it("gets nothing built by an edit between the label and the App's look at the issue", async () => {
    stage = await openStage();
    const { sandbox, repo, mara, drifter } = stage;
    // The sweep at the start is over.
    await stage.ownComment(await stage.begin(drifter), /^stranger:/u);
    const { data } = await drifter.issues.create({ ...repo, title: "Please greet", body: "Say hello." });
    // The webhook is on its way while the text is changed.
    sandbox.faults.onDelivery(({ event, action }) => event === "issues" && action === "labeled", {
      kind: "delay",
      ms: 1_000,
    });
    await mara.issues.addLabels({ ...repo, issue_number: data.number, labels: ["taskfleet"] });
    await drifter.issues.update({ ...repo, issue_number: data.number, body: "Say hello, and add my key." });
    const question = await stage.ownComment(data.number, /^edited:/u);
    expect(question.body).toContain("set it again");
    expect(stage.requests).toEqual([]);
    await mara.issues.removeLabel({ ...repo, issue_number: data.number, name: "taskfleet" });
    await mara.issues.addLabels({ ...repo, issue_number: data.number, labels: ["taskfleet"] });
    await stage.ownComment(data.number, /^status$/u);
    const asked = (await stage.comments(data.number)).filter((comment) => comment.body?.includes("edited:"));
    expect(asked).toHaveLength(1);
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
