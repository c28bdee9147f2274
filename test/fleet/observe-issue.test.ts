import { describe, expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { decide } from "../../src/engine/decide.ts";
import { apply } from "../../src/fleet/apply.ts";
import { routeDelivery } from "../../src/fleet/inbox/route-delivery.ts";
import { observeIssue } from "../../src/fleet/observe/observe-issue.ts";
import { Story } from "../engine-stories/story.ts";
import { keepRun, STALE_READ_MS } from "./kept-run.ts";

it("an issue that was deleted or transferred is one that a person closed", async () => {
  const story = new Story();
  const { load } = await keepRun(story, { loadIssue: async () => null });
  const session = await load();
  expect(await observeIssue(session, null)).toEqual([]);
  story.wait(STALE_READ_MS);
  const facts = await observeIssue(session, null);
  expect(facts).toEqual([{ kind: "IssueInterfered", n: 1, what: "closed" }]);
  await session.append(facts);
  expect(await observeIssue(session, null)).toEqual([]);
});

it.each([["deleted"], ["transferred"]])("the webhook that an issue was %s has it looked at", (action) => {
  const payload = {
    action,
    repository: { id: 5, name: "shop", owner: { login: "octo" } },
    installation: { id: 7 },
    sender: { login: "mona", type: "User" },
    issue: { number: 3 },
  };
  expect(routeDelivery("issues", payload, "guid")).toMatchObject([{ to: "repository", hint: "issue:3" }]);
});

it("a comment on an issue that is gone is given up, and one that fails for another reason is not", async () => {
  const story = new Story().intake();
  const failure = new GitHubFailure("conflict", "GitHub does not find it (any more): Not Found", { status: 404 });
  for (const [issue, kind] of [
    [null, "terminal"],
    [{ number: story.state.run.issue }, "conflict"],
  ] as const) {
    const { load } = await keepRun(story, {
      createComment: () => Promise.reject(failure),
      loadIssue: async () => issue,
    });
    const session = await load();
    const { actions } = decide(session.state, story.now, { staleReadMs: STALE_READ_MS });
    const comment = actions.find((action) => action.kind === "PostComment");
    if (comment === undefined) throw new Error("the run says that it has begun");
    expect(await apply(session, comment)).toBe("failed");
    expect(session.state.failures[comment.key]?.failure).toBe(kind);
  }
});

describe("an edit of the issue", () => {
  const mona = { login: "mona", id: 4, bot: false };
  const roles: Readonly<Record<string, string>> = { mona: "write", will: "write" };

  /** What is recorded while the issue is looked at again and again; each time by the webhook of an edit, or by none (null). */
  async function look(author: object, editors: ReadonlyArray<string | null>) {
    const { load } = await keepRun(new Story().intake(), {
      loadIssue: async () => ({ title: "Fix it", body: "But in euros.", state: "open", labels: ["taskfleet"], author }),
      loadRole: async (login: string) => roles[login] ?? "read",
    });
    const session = await load();
    for (const editor of editors) await session.append(await observeIssue(session, editor));
    return session.state;
  }

  it.each<[string, object, ReadonlyArray<string | null>, readonly string[]]>([
    ["a writer's", mona, ["will"], ["will"]],
    ["a writer's, seen before its webhook", { ...mona, login: "eve" }, ["eve", "will"], ["will"]],
    ["a writer's, seen before any webhook", { ...mona, login: "eve" }, [null, "will", null], ["will"]],
    ["a writer's of a writer's issue, seen before its webhook", mona, [null, "will"], ["somebody"]],
    ["somebody's of a writer's issue, for nobody else could", mona, [null, null], ["somebody"]],
    ["somebody's of a stranger's issue", { ...mona, login: "eve" }, [null, null], []],
    ["a stranger's of their own issue", { ...mona, login: "eve" }, [null, "eve"], []],
    ["a bot's", mona, ["helper[bot]", null], []],
    ["somebody's of a bot's issue", { login: "helper[bot]", id: 5, bot: true }, [null], []],
  ])("that is %s pauses the run when somebody with write access did it", async (_whose, author, editors, pausedBy) => {
    const state = await look(author, editors);
    expect((state.paused ?? []).map(({ by }) => by)).toEqual(pausedBy);
    // Each text is noted, and a writer's is besides.
    expect(state.intentEdits.filter((edit) => edit.writer)).toHaveLength(pausedBy.length);
    expect(state.intentEdits.length).toBeGreaterThan(0);
  });

  it("by a bot is told by its webhook", () => {
    const payload = {
      action: "edited",
      repository: { id: 5, name: "shop", owner: { login: "octo" } },
      installation: { id: 7 },
      sender: { login: "helper[bot]", type: "Bot" },
      issue: { number: 3 },
    };
    expect(routeDelivery("issues", payload, "guid")).toMatchObject([{ to: "repository", hint: "issue:3@helper[bot]" }]);
  });
});
