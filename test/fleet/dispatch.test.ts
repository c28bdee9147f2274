/** Where jobs are sent to, and where none is: a workflow run follows the file of the branch it starts on. */
import { describe, expect, it } from "@jest/globals";
import { formatBlobName } from "../../src/contracts/blob-name.ts";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import type { Sha } from "../../src/contracts/ids.ts";
import type { Action } from "../../src/engine/action.ts";
import { decide } from "../../src/engine/decide.ts";
import { deriveNextJob } from "../../src/engine/derive/jobs.ts";
import { findRow } from "../../src/engine/table.ts";
import { applyCancel, applyDispatch } from "../../src/fleet/apply/dispatch.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { tellProposal } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";

const months = chunkId("months");
const THEIRS = fakeSha("somebody's head");

interface World {
  /** Where the chunk's branch is; null = it does not exist. */
  readonly head: Sha | null;
  /** Whether it holds nothing that the integration branch does not. */
  readonly behind?: boolean;
  /** The workflow file there; elsewhere it is "ours". */
  readonly file?: string;
}

/** What was asked of GitHub for the first agent's job that is due now. */
async function dispatch(story: Story, { head, file = "ours", behind = false }: World): Promise<readonly string[]> {
  const { state } = story;
  const due = decide(state, story.now + 60 * 60_000, { staleReadMs: 0 }).actions.find(
    (action) => action.kind === "DispatchJob" && action.dispatch.subject.role === "implement",
  );
  if (due?.kind !== "DispatchJob") throw new Error("no agent is due");
  const asked: string[] = [];
  const repository = {
    createBlob: async (text: string) => formatBlobName(text),
    createBranch: async (_: string, at: Sha) => {
      if (head !== null && head !== at) throw new GitHubFailure("conflict", "Reference already exists");
    },
    updateBranch: async () => {
      if (!behind) throw new GitHubFailure("conflict", "Update is not a fast forward");
      asked.push("forward");
    },
    loadBranch: async (branch: string) => {
      asked.push(`branch ${branch}`);
      return head;
    },
    loadFile: async (_: string, ref: string) => {
      const text = ref === head ? file : "ours";
      return { sha: formatBlobName(text), text };
    },
    dispatchWorkflow: async ({ ref }: { readonly ref: string }) => {
      asked.push(`dispatch ${ref}`);
      return 7;
    },
  };
  await applyDispatch({ state, repository } as unknown as RunSession, due);
  return asked;
}

/** `months` was started once, and that job was lost. */
function tellLost(): Story {
  const story = tellProposal().approve();
  story.start(months);
  return story.endJob(story.attemptOf(months).job, "lost", "it never ran");
}

describe("a job", () => {
  const first = tellProposal().approve();
  const branch = `taskfleet/${first.run}/chunk/`;

  it("is sent to the branch that was made for it, without a look at that branch", async () => {
    expect(await dispatch(first, { head: null })).toEqual([expect.stringContaining(`dispatch ${branch}`)]);
  });

  it("is not sent to a branch that exists already with another workflow file, and people are told which", async () => {
    const sent = dispatch(first, { head: THEIRS, file: "theirs" });
    await expect(sent).rejects.toMatchObject({ kind: "misconfigured" });
    await expect(sent).rejects.toThrow(branch);
  });

  it("is not sent again to a branch with another workflow file", async () => {
    const sent = dispatch(tellLost(), { head: THEIRS, file: "theirs" });
    await expect(sent).rejects.toMatchObject({ kind: "misconfigured" });
  });

  it("is sent to a branch with nobody's work on it once that follows a mended integration branch", async () => {
    const asked = await dispatch(tellLost(), { head: THEIRS, file: "theirs", behind: true });
    expect(asked.map((line) => line.split(" ")[0])).toEqual(["branch", "branch", "forward", "dispatch"]);
  });

  it("is sent again where a push left the workflow file alone", async () => {
    const asked = await dispatch(tellLost(), { head: THEIRS });
    expect(asked.map((line) => line.split(" ")[0])).toEqual(["branch", "branch", "dispatch"]);
  });
});

describe("a job that may have been sent out", () => {
  /** In doubt since it was first tried, and tried again much later. @param found whether GitHub shows a run of it */
  async function lookFor(found: boolean) {
    const story = tellProposal().approve();
    const first = decide(story.state, story.now, { staleReadMs: 0 }).actions.find(
      (action) => action.kind === "DispatchJob" && action.dispatch.subject.role === "implement",
    );
    if (first?.kind !== "DispatchJob" || first.dispatch.attempt === null) throw new Error("no agent is due");
    const { attempt, purpose } = first.dispatch;
    const begun = { kind: "EffectStarted", effect: first.key, purpose, attempt, agent: attempt.agent } as const;
    story.record(begun);
    const firstTry = story.now;
    story.wait(60 * 60_000).record({ ...begun, attempt: { ...attempt, base: THEIRS } });
    const later: Action = {
      ...first,
      probe: true,
      dispatch: { ...first.dispatch, attempt: { ...attempt, base: THEIRS } },
    };
    const asked: number[] = [];
    let sent = 0;
    const repository = {
      loadWorkflowRuns: async (_: string, since: number) => {
        asked.push(since);
        return found ? [{ id: 9, url: "https://github.com/octo/tally/actions/runs/9" }] : [];
      },
      createBlob: async (text: string) => formatBlobName(text),
      createBranch: async () => undefined,
      dispatchWorkflow: async () => {
        sent += 1;
        return 7;
      },
    };
    const session = { state: story.state, repository, fleet: { clock: { now: () => story.now } } };
    const facts = await applyDispatch(session as unknown as RunSession, later);
    return { facts, sent, asked, firstTry, attempt };
  }

  it("is looked for from its first try on, and is what was sent out then", async () => {
    const { facts, sent, asked, firstTry, attempt } = await lookFor(true);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBeLessThanOrEqual(firstTry);
    expect(facts).toMatchObject([{ kind: "JobDispatched", runId: 9, attempt: { base: attempt.base } }]);
    expect(sent).toBe(0);
  });

  /** The first agent's job is in doubt, and is to be stopped. */
  async function stop(found: boolean) {
    const story = tellProposal().approve();
    const first = decide(story.state, story.now, { staleReadMs: 0 }).actions.find(
      (action) => action.kind === "DispatchJob" && action.dispatch.subject.role === "implement",
    );
    if (first?.kind !== "DispatchJob" || first.dispatch.attempt === null) throw new Error("no agent is due");
    const { attempt, purpose } = first.dispatch;
    story.record({ kind: "EffectStarted", effect: first.key, purpose, attempt, agent: attempt.agent });
    const began = story.now;
    story.wait(60 * 60_000).command("cancel");
    const due = decide(story.state, story.now, { staleReadMs: 0 }).actions.find(({ kind }) => kind === "CancelJob");
    if (due?.kind !== "CancelJob") throw new Error("nothing is to be stopped");
    const repository = {
      loadWorkflowRuns: async (job: string, since: number) =>
        found && job === first.dispatch.job && since <= began ? [{ id: 9, url: "https://github.com/runs/9" }] : [],
    };
    const session = { state: story.state, repository, fleet: { clock: { now: () => story.now } } };
    const facts = await applyCancel(session as unknown as RunSession, due);
    story.record(...facts);
    const stops = decide(story.state, story.now, { staleReadMs: 0 }).actions.flatMap((action) =>
      action.kind === "CancelJob" ? [action.runId] : [],
    );
    return { story, facts, stops, effect: first.key, chunk: attempt.chunk };
  }

  it("is found and stopped when nobody asks for it any more: it counts as an agent run, and as nobody's attempt", async () => {
    const { story, facts, stops, chunk } = await stop(true);
    expect(facts).toMatchObject([{ kind: "JobDispatched", attempt: null, runId: 9 }]);
    expect(stops).toEqual([9]);
    expect(story.state.pending).toEqual({});
    expect(story.state.spent.agentRuns).toBe(tellProposal().state.spent.agentRuns + 1);
    expect(findRow(story.state.chunks, chunk)?.attempts).toEqual([]);
    // Its number is used up: another job would be taken for this one.
    expect(deriveNextJob(story.state, { role: "implement", chunk }).subject.n).toBe(2);
  });

  it("has never begun where GitHub shows no run of it, and nothing is stopped", async () => {
    const { story, facts, stops, effect } = await stop(false);
    expect(stops).toEqual([]);
    expect(facts).toEqual([{ kind: "EffectEnded", effect }]);
    expect(story.state.pending).toEqual({});
  });

  it("is no more in doubt where GitHub shows no run of it, and nothing is sent out before that is decided anew", async () => {
    const { facts, sent } = await lookFor(false);
    expect(facts).toMatchObject([{ kind: "EffectEnded" }]);
    expect(sent).toBe(0);
  });
});
