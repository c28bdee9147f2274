import { expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { formatBranch, formatJobId } from "../../src/contracts/names.ts";
import type { Action } from "../../src/engine/action.ts";
import { apply } from "../../src/fleet/apply.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { Story } from "../engine-stories/story.ts";
import { keepRun } from "./kept-run.ts";

const gone = new GitHubFailure("conflict", "It is gone. GitHub says: No ref found for: x", { status: 422 });
const commit = fakeSha("verified");

/** What becomes of a floor job that is sent out on a branch that nobody has any more. */
async function sendOut(kind: "candidate" | "chunk" | "integration") {
  const story = new Story().intake();
  const { run } = story.state.run;
  const branch = formatBranch(
    kind === "candidate"
      ? { kind, run, hash: "0123456789ab" }
      : kind === "chunk"
        ? { kind, run, chunk: chunkId("a") }
        : { kind, run },
  );
  const made: string[] = [];
  const { load } = await keepRun(story, {
    loadBranch: async () => null,
    createBranch: async (name: string, sha: string) => void made.push(`${name} ${sha}`),
    dispatchWorkflow: async () => (made.length === 0 ? Promise.reject(gone) : 5),
  });
  const session = await load();
  const subject = { role: "floor", subject: "x", n: 1 } as const;
  const documents = { config: null, intent: null, plan: null, feedback: null };
  const dispatch = {
    job: formatJobId(run, subject),
    subject,
    purpose: "",
    branch,
    branchAt: null,
    request: { commit },
    documents,
    attempt: null,
    attemptOf: null,
  };
  const action = { kind: "DispatchJob", key: "job:x", reason: "", priority: "landing", probe: false, dispatch };
  const outcome = await apply(session, action as unknown as Action);
  return { outcome, made, branch };
}

it.each([["candidate"], ["chunk"]] as const)(
  "a %s's branch that was deleted is made again where the job is to look",
  async (kind) => {
    const { outcome, made, branch } = await sendOut(kind);
    expect([outcome, made]).toEqual(["done", [`${branch} ${commit}`]]);
  },
);

it("the run's own branch is not: people are asked about it", async () => {
  expect(await sendOut("integration")).toMatchObject({ outcome: "failed", made: [] });
});
