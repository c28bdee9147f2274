/** Who and what starts or commands a run. Rows of docs/cases.md. */
import { afterEach, describe, expect, it } from "@jest/globals";
import type { Fleet } from "../../src/fleet/context.ts";
import { beginRun } from "../../src/fleet/intake/begin-run.ts";
import { routeDelivery } from "../../src/fleet/inbox/route-delivery.ts";
import { openStage, type Stage } from "../fleet/fleet-stage.ts";

let stage: Stage | undefined;

afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const at = { repository: { id: 5, name: "shop", owner: { login: "octo" } }, installation: { id: 7 } };
const person = { login: "mona", type: "User" };
const bot = { login: "helper[bot]", type: "Bot" };

function label(name: string, sender: typeof person): ReturnType<typeof routeDelivery> {
  return routeDelivery("issues", { ...at, action: "labeled", issue: { number: 3 }, label: { name }, sender }, "guid");
}

describe("commands", () => {
  it("the label starts a run however it is written", () => {
    for (const name of ["taskfleet", "Taskfleet", "TASKFLEET"])
      expect(label(name, person)[0]).toMatchObject({ to: "intake", issue: 3, by: "mona", bot: false });
    expect(label("taskfleet-later", person)).toEqual([]);
  });

  it("a label set by a bot starts nothing", async () => {
    const [route] = label("taskfleet", bot);
    expect(route).toMatchObject({ to: "intake", bot: true });
    const touched: string[] = [];
    const refuse = (name: string): (() => never) => {
      return () => {
        touched.push(name);
        throw new Error(`${name} was asked`);
      };
    };
    const repository = new Proxy({}, { get: (_, name) => refuse(String(name)) });
    const fleet = {
      github: { repository: () => repository },
      store: new Proxy({}, { get: (_, name) => refuse(String(name)) }),
    } as unknown as Fleet;
    await beginRun(fleet, 3, {
      by: bot.login,
      bot: true,
      text: null,
      repository: { id: 5, owner: "octo", name: "shop", installationId: 7 },
    });
    expect(touched).toEqual([]);
  });

  it("nothing a bot writes is a command, its own help text included", async () => {
    const comment = { ...at, action: "created", issue: { number: 3 }, comment: { body: "/approve" } };
    expect(routeDelivery("issue_comment", { ...comment, sender: bot }, "guid")).toEqual([]);
    expect(routeDelivery("issue_comment", { ...comment, sender: person }, "guid")).toHaveLength(1);
    stage = await openStage();
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    await stage.say(issue, "/help");
    const help = await stage.ownComment(issue, /^answer:/u);
    expect(help.body).toContain("/approve");
    // What is said after it is read after it, with the help text among the comments.
    await stage.say(issue, "/status");
    const { comments } = stage;
    await stage.until("two answers", async () => {
      const answers = (await comments(issue)).filter((entry) => / answer:/u.test(entry.body ?? ""));
      return answers.length >= 2;
    });
    expect(stage.requests.some(({ role }) => role === "implement")).toBe(false);
  }, 90_000);

  it("a command that was edited into a comment is none, however late the comments are read", async () => {
    const edit = { ...at, action: "edited", issue: { number: 3 }, comment: { body: "/approve" }, sender: person };
    expect(routeDelivery("issue_comment", edit, "guid")).toEqual([]);
    stage = await openStage();
    const { mara, repo } = stage;
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    const { data: said } = await mara.issues.createComment({ ...repo, issue_number: issue, body: "Looks good." });
    // GitHub tells whole seconds, and takes up to one more to store what was written.
    await stage.until("two seconds have passed", async () => Date.now() > Date.parse(said.created_at) + 2_000);
    await mara.issues.updateComment({ ...repo, comment_id: said.id, body: "/approve" });
    // What is said after it has all comments read.
    await stage.say(issue, "/status");
    await stage.ownComment(issue, /^answer:/u);
    expect((await stage.comments(issue)).filter((entry) => / answer:/u.test(entry.body ?? ""))).toHaveLength(1);
    expect(stage.requests.some(({ role }) => role === "implement")).toBe(false);
  }, 90_000);

  it("a label that is gone again when it is looked at starts nothing", async () => {
    const asked: string[] = [];
    const issue = { number: 3, title: "x", body: "", state: "open", pullRequest: false, labels: ["bug"] };
    const repository = new Proxy(
      {},
      {
        get: (_, name) => {
          asked.push(String(name));
          return async () => issue;
        },
      },
    );
    const store = new Proxy(
      {},
      {
        get: (_, name) => {
          throw new Error(`${String(name)} was asked`);
        },
      },
    );
    const fleet = { github: { repository: () => repository }, store } as unknown as Fleet;
    const place = { id: 5, owner: "octo", name: "shop", installationId: 7 };
    await beginRun(fleet, 3, { by: "mona", bot: false, text: null, repository: place });
    expect(asked).toEqual(["loadIssue"]);
  });

  it("a command in the body of an issue is text", async () => {
    stage = await openStage();
    const issue = await stage.begin(stage.mara, "Please greet", "Say hello.\n\n/approve\n");
    await stage.ownComment(issue, /^approval:/u);
    await stage.say(issue, "/status");
    await stage.ownComment(issue, /^answer:/u);
    expect(stage.requests.some(({ role }) => role === "implement")).toBe(false);
    // People are told where commands go.
    await stage.say(issue, "/help");
    await stage.approve(issue);
    await stage.until("the work begins", async () => stage?.requests.some(({ role }) => role === "implement"));
  }, 90_000);
});
