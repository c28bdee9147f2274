/** What an export tells about the code that wrote it: nothing where it is this code, and everything it did unasked. */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { replayRun } from "../../src/cli/run/replay-run.ts";
import type { ChunkId, JobId, Sha } from "../../src/contracts/ids.ts";
import type { Fact, RecordedFact } from "../../src/engine/fact.ts";
import { buildCalmScenario, buildScenario } from "../sim/scenario.ts";
import { simulate } from "../sim/simulate.ts";

const timing = { staleReadMs: 120_000 };
const HOUR = 60 * 60_000;

describe("what the App itself has recorded", () => {
  it("is asked for by the code that recorded it, whatever happens to it", async () => {
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 40; seed += 1) {
      const { recorded } = await simulate(buildScenario(seed));
      const { differences, steps } = replayRun(recorded, timing);
      expect([seed, differences, steps.length]).toEqual([seed, [], recorded.length]);
      for (const { fact } of recorded) kinds.add(fact.kind);
    }
    // Otherwise there is nothing to be said about them.
    for (const kind of ["ChunksLanded", "CandidateCreated", "JobEnded", "EffectFailed", "PlanApproved"])
      expect(kinds).toContain(kind);
  }, 300_000);
});

let real: readonly RecordedFact[] = [];
beforeAll(async () => {
  real = (await simulate(buildCalmScenario(1, 2))).recorded;
}, 60_000);

function number(facts: ReadonlyArray<Omit<RecordedFact, "seq">>): readonly RecordedFact[] {
  return facts.map((fact, index) => ({ ...fact, seq: index + 1 }));
}

/** The real run with a fact that nobody recorded: it comes after the first `count`, at the same moment as the last of them. */
function forge(fact: Fact, count: number): readonly RecordedFact[] {
  const at = real[count - 1]?.at ?? 0;
  return number([...real.slice(0, count), { at, fact }, ...real.slice(count)]);
}

function findIndex(kind: Fact["kind"]): number {
  const index = real.findIndex(({ fact }) => fact.kind === kind);
  if (index < 0) throw new Error(`the run has no ${kind}`);
  return index;
}

const chunk = "c0" as ChunkId;
const sha = "a".repeat(40) as Sha;
const base = { url: "u", effect: "forged" };

describe("a fact that nobody asked for", () => {
  const draft = { kind: "plan" } as unknown as Extract<Fact, { kind: "DraftReceived" }>["draft"];
  const plan = { chunks: [] } as unknown as Extract<Fact, { kind: "PlanCommitted" }>["plan"];
  const given = (): JobId => {
    const [first] = real;
    return `${first?.fact.kind === "RunStarted" ? first.fact.run : ""}/plan/0` as JobId;
  };
  const told = { job: "x" as JobId, usage: null, runId: null, url: null };
  // All but `IntegrationCreated`, which every run asks for first of all.
  it.each<[string, () => Fact]>([
    ["EffectStarted", () => ({ kind: "EffectStarted", effect: "forged" })],
    [
      "EffectStarted for another purpose",
      () => ({ kind: "EffectStarted", effect: `job:${given().replace("plan/0", "plan/1")}`, purpose: "forged" }),
    ],
    ["EffectEnded", () => ({ kind: "EffectEnded", effect: "forged" })],
    [
      "EffectFailed",
      () => ({
        kind: "EffectFailed",
        effect: "forged",
        failure: "terminal",
        message: "",
        ambiguous: false,
        retryAfterMs: null,
      }),
    ],
    [
      "JobDispatched",
      () => ({
        kind: "JobDispatched",
        ...base,
        job: "x" as JobId,
        subject: { role: "review", chunk, n: 1 },
        runId: 1,
        attempt: null,
        attemptOf: 1,
      }),
    ],
    ["JobEnded", () => ({ kind: "JobEnded", ...told, outcome: "cancelled", cause: "" })],
    ["DraftReceived", () => ({ kind: "DraftReceived", job: given(), draft, warnings: [] })],
    ["DraftRefused", () => ({ kind: "DraftRefused", job: given(), text: "", problems: [] })],
    ["QuestionsAsked", () => ({ kind: "QuestionsAsked", job: given(), questions: [] })],
    ["AnswerGiven", () => ({ kind: "AnswerGiven", job: given(), text: "" })],
    ["PlanCommitted", () => ({ kind: "PlanCommitted", rev: 1, plan, hash: "h", commit: sha, draft, agents: {} })],
    ["FeaturePullOpened", () => ({ kind: "FeaturePullOpened", ...base, number: 9, nodeId: "n" })],
    ["FeaturePullUpdated", () => ({ kind: "FeaturePullUpdated", revision: "forged" })],
    ["PlanApproved", () => ({ kind: "PlanApproved", rev: 1, hash: "h", by: "policy", why: "forged" })],
    ["ChangeSetCommitted", () => ({ kind: "ChangeSetCommitted", chunk, attempt: 1, head: sha, tree: sha })],
    ["ChunkPullOpened", () => ({ kind: "ChunkPullOpened", ...base, chunk, number: 9 })],
    ["CheckPublished", () => ({ kind: "CheckPublished", ...base, externalId: "x", id: 1, revision: "r" })],
    ["ReviewPosted", () => ({ kind: "ReviewPosted", ...base, key: "c0:1", id: 1 })],
    ["ReviewDismissed", () => ({ kind: "ReviewDismissed", key: "c0:1" })],
    [
      "CandidateCreated",
      () => ({ kind: "CandidateCreated", hash: "h", commit: sha, tree: sha, base: sha, chunks: [chunk] }),
    ],
    ["ChunkConflicted", () => ({ kind: "ChunkConflicted", chunk, attempt: 1, paths: ["a"] })],
    [
      "ChunksLanded",
      () => ({ kind: "ChunksLanded", chunks: [chunk], commit: sha, tree: sha, document: "d", via: "direct" }),
    ],
    ["PullClosed", () => ({ kind: "PullClosed", effect: "forged", number: 9 })],
    ["BranchDeleted", () => ({ kind: "BranchDeleted", branch: "main" })],
    ["BranchRestored", () => ({ kind: "BranchRestored", branch: "main", n: 1 })],
    [
      "AcceptCreated",
      () => ({ kind: "AcceptCreated", n: 1, source: sha, tip: sha, commit: sha, tree: sha, branch: "" }),
    ],
    ["AcceptConflicted", () => ({ kind: "AcceptConflicted", n: 1, source: sha, message: "" })],
    ["AcceptCommitted", () => ({ kind: "AcceptCommitted", n: 1, commit: sha, tree: sha })],
    ["FeatureReady", () => ({ kind: "FeatureReady", effect: "ready" })],
    ["SourceMoved", () => ({ kind: "SourceMoved", n: 1, sha })],
    ["FeatureMerged by a push", () => ({ kind: "FeatureMerged", commit: sha, how: "fast-forward", verified: true })],
    ["FeatureMerged by a pull request", () => ({ kind: "FeatureMerged", commit: sha, how: "pull", verified: true })],
    ["CommentPosted", () => ({ kind: "CommentPosted", ...base, key: "report", id: 1 })],
    ["StatusUpdated", () => ({ kind: "StatusUpdated", hash: "h", shown: 2 })],
    ["IssueClosed", () => ({ kind: "IssueClosed" })],
    ["RunCancelled", () => ({ kind: "RunCancelled", why: "forged" })],
    ["TakePrepared", () => ({ kind: "TakePrepared", chunk, base: sha, n: 1 })],
    ["FixRequested", () => ({ kind: "FixRequested", n: 1, how: "fix", text: "" })],
    ["RunEnded", () => ({ kind: "RunEnded", outcome: "failed" })],
  ])("is a difference: %s", (name, build) => {
    const fact = build();
    expect(name.split(" ", 1)).toEqual([fact.kind]);
    const { differences } = replayRun(forge(fact, 2), timing);
    expect(differences[0]).toMatch(/^fact 3: .*, and nothing here asks for it$/u);
  });

  it("is a difference, too, where it is one that comes later and has been brought forward", () => {
    const index = findIndex("ChunksLanded");
    const landed = real[index]?.fact;
    const before = findIndex("FloorComputed");
    if (landed === undefined || before > index) throw new Error("the chunk landed without a floor");
    const { differences } = replayRun(forge(landed, before), timing);
    expect(differences[0]).toBe(`fact ${before + 1}: ChunksLanded was recorded, and nothing here asks for it`);
  });

  it("is none where it is what was seen", () => {
    const { differences } = replayRun(forge({ kind: "StrangerRefused", login: "eve", on: 1, comment: 9 }, 2), timing);
    // Whatever follows is what was asked for.
    expect(differences).toEqual([]);
  });

  it("is told when it cannot be folded at all", () => {
    const broken = { kind: "ChunksLanded", commit: sha } as unknown as Fact;
    const { differences, steps } = replayRun(forge(broken, 2), timing);
    expect(differences.at(-1)).toMatch(/^fact 3: ChunksLanded cannot be folded here \(/u);
    expect(steps).toHaveLength(2);
  });
});

describe("what was asked for, and is not any more", () => {
  /** A person stops the run after it was asked for. */
  function stopBefore(index: number): readonly RecordedFact[] {
    const [fact, before] = [real[index], real[index - 1]];
    if (fact === undefined || before === undefined) throw new Error("nothing of the kind");
    const end: Fact = { kind: "CommandReceived", comment: 9_999, line: 0, on: 1, by: "m", name: "cancel", args: "" };
    return number([...real.slice(0, index), { at: before.at, fact: end }, { ...fact, at: before.at + HOUR }]);
  }

  it("is a difference", () => {
    const facts = stopBefore(findIndex("ChangeSetCommitted"));
    expect(replayRun(facts, timing).differences).toEqual([
      `fact ${facts.length}: ChangeSetCommitted was recorded, and nothing here asks for it`,
    ]);
  });

  it.each<Fact["kind"]>(["PlanCommitted", "ChunksLanded", "AcceptCommitted"])(
    "is none where it had happened and was found much later, as a commit whose process died: %s",
    (kind) => {
      expect(replayRun(stopBefore(findIndex(kind)), timing).differences).toEqual([]);
    },
  );
});

describe("GitHub's delay", () => {
  it("is the one the App reckoned with", () => {
    const index = real.findIndex(({ fact }) => fact.kind === "EffectStarted" && fact.effect === "comment:status");
    const begun = real[index];
    if (begun === undefined) throw new Error("no status");
    // The process died, and the next one has waited for 5 seconds after the half minute its request may have taken.
    const facts = number([...real.slice(0, index + 1), { ...begun, at: begun.at + 35_000 }]);
    expect(replayRun(facts, { staleReadMs: 5_000 }).differences).toEqual([]);
    expect(replayRun(facts, { staleReadMs: 120_000 }).differences).toEqual([
      `fact ${facts.length}: comment:status was begun, and nothing here asks for it`,
    ]);
  });
});
