import { afterEach, describe, expect, it } from "@jest/globals";
import { openStage, type Stage } from "./fleet-stage.ts";
import { ONE_CHUNK } from "./scripted-jobs.ts";

let stage: Stage;
afterEach(async () => stage.close());

const [first] = ONE_CHUNK.chunks;
const TWO_CHUNKS = {
  ...ONE_CHUNK,
  chunks: [
    first!,
    {
      ...first!,
      id: "farewell",
      deps: ["greeting"],
      files_touched: ["src/farewell.txt"],
      checks: [{ desc: "it says hello again", run: "grep -q hello src/farewell.txt" }],
    },
  ],
};

/** Its first chunk's reviewer gives nothing before the store is lost. */
async function beginWithoutReviews(): Promise<{ readonly issue: number; readonly review: { held: boolean } }> {
  const review = { held: true };
  stage = await openStage({
    plan: TWO_CHUNKS,
    script: ({ request }) => (review.held && request.role === "review" ? { kind: "nothing" } : null),
  });
  const issue = await stage.begin();
  await stage.approve(issue);
  return { issue, review };
}

describe("a run whose database is lost", () => {
  it("is read back from GitHub, asks, and is finished without doubling anything", async () => {
    let hold = true;
    stage = await openStage({
      plan: TWO_CHUNKS,
      // The second chunk does not come to an end before the store is lost.
      script: ({ request }) =>
        hold && request.role === "implement" && request.chunk === "farewell" ? { kind: "nothing" } : null,
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.until("the second chunk's job", async () =>
      stage.requests.some((request) => request.chunk === "farewell"),
    );
    const before = (await stage.comments(issue)).length;
    // What only looks like a run of ours hinders nothing.
    const { data: main } = await stage.mara.git.getRef({ ...stage.repo, ref: "heads/main" });
    const ref = "refs/heads/taskfleet/99-other/integration";
    await stage.mara.git.createRef({ ...stage.repo, ref, sha: main.object.sha });
    await stage.loseStore();
    hold = false;
    const rebuilt = await stage.rebuild();
    expect(rebuilt.toSorted((a, b) => a.outcome.localeCompare(b.outcome))).toMatchObject([
      { outcome: "failed", run: "99-other", why: expect.stringContaining("No commit of the branch is ours") },
      { outcome: "rebuilt", rebuilt: { revisions: 1, landed: ["greeting"] } },
    ]);
    const question = await stage.ownComment(issue, /^need:rebuilt$/u);
    expect(question.body).toContain("/resume");
    expect((await stage.comments(issue)).length).toBe(before + 1);
    await stage.say(issue, "/resume");
    await stage.ownComment(issue, /^report$/u);
    // GitHub marks pull requests merged a little after the branch has moved.
    const pulls = await stage.until("every pull request is merged", async () => {
      const { data } = await stage.mara.pulls.list({ ...stage.repo, state: "all" });
      return data.every((pull) => pull.merged_at !== null) ? data : null;
    });
    expect(pulls.map((pull) => pull.head.ref.split("/").slice(2).join("/")).sort()).toEqual([
      "chunk/farewell",
      "chunk/greeting",
      "integration",
    ]);
    expect((await stage.replay()).differences).toEqual([]);
  }, 90_000);

  it("keeps what a person had merged by hand, and builds only what is missing", async () => {
    const { issue, review } = await beginWithoutReviews();
    const pull = await stage.until("the first chunk's pull request", async () => {
      const { data } = await stage.mara.pulls.list({ ...stage.repo, state: "open" });
      return data.find(({ head }) => head.ref.endsWith("/chunk/greeting")) ?? null;
    });
    await stage.until("its reviewer", async () => stage.requests.some((request) => request.role === "review"));
    await stage.loseStore();
    review.held = false;
    await stage.mara.pulls.merge({ ...stage.repo, pull_number: pull.number });
    const asked = stage.requests.length;
    expect(await stage.rebuild()).toMatchObject([{ outcome: "rebuilt", rebuilt: { revisions: 1, landed: [] } }]);
    await stage.say(issue, "/resume");
    await stage.ownComment(issue, /^report$/u);
    const built = stage.requests.slice(asked).filter((request) => request.role === "implement");
    expect(new Set(built.map((request) => request.chunk))).toEqual(new Set(["farewell"]));
  }, 90_000);

  it("has not landed what a person merged into another branch", async () => {
    const { issue, review } = await beginWithoutReviews();
    await stage.until("its reviewer", async () => stage.requests.some((request) => request.role === "review"));
    await stage.loseStore();
    review.held = false;
    const { data } = await stage.mara.pulls.list({ ...stage.repo, state: "open" });
    const branch = data.map(({ head }) => head.ref).find((ref) => ref.endsWith("/chunk/greeting"));
    const { object } = (await stage.mara.git.getRef({ ...stage.repo, ref: "heads/main" })).data;
    await stage.mara.git.createRef({ ...stage.repo, ref: "refs/heads/other", sha: object.sha });
    const elsewhere = { head: branch ?? "", base: "other", title: "Take it at once" };
    const { number } = (await stage.mara.pulls.create({ ...stage.repo, ...elsewhere })).data;
    await stage.mara.pulls.merge({ ...stage.repo, pull_number: number });
    const asked = stage.requests.length;
    await stage.rebuild();
    await stage.say(issue, "/approve");
    await stage.say(issue, "/resume");
    await stage.until("it is built", async () =>
      stage.requests.slice(asked).some(({ role, chunk }) => role === "implement" && chunk === "greeting"),
    );
  }, 90_000);
});
