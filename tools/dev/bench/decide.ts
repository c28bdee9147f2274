/**
 * What deciding costs: a whole run, fact by fact, with a decision after each, and nothing else. The facts
 * are what the decisions ask for, answered at once and always well.
 */
import type { Action } from "../../../src/engine/action.ts";
import { decide } from "../../../src/engine/decide.ts";
import type { Fact } from "../../../src/engine/fact.ts";
import type { Chunk } from "../../../src/contracts/plan.ts";
import type { ChunkId } from "../../../src/contracts/ids.ts";
import { buildChunk } from "../../../test/engine-stories/plans.ts";
import { fakeSha } from "../../../test/engine-stories/names.ts";
import { passFloor, passReview } from "../../../test/engine-stories/results.ts";
import { Story } from "../../../test/engine-stories/story.ts";

const SIZES = [100, 1000];
const MOST_SECONDS = 3;
/** The cost of one fact at 1,000 chunks, against that at 100. */
const MOST_GROWTH = 2;

interface Cost {
  readonly chunks: number;
  readonly facts: number;
  readonly seconds: number;
  readonly perFactUs: number;
  readonly stateBytes: number;
}

export async function run(): Promise<readonly string[]> {
  const costs = SIZES.map(measure);
  console.table(
    costs.map((cost) => ({ ...cost, seconds: cost.seconds.toFixed(2), perFactUs: cost.perFactUs.toFixed(0) })),
  );
  const [small, large] = costs;
  if (small === undefined || large === undefined) return ["nothing was measured"];
  const growth = large.perFactUs / small.perFactUs;
  console.log(`a fact at ${large.chunks} chunks costs ${growth.toFixed(1)} times as much as at ${small.chunks}`);
  return [
    ...(large.seconds > MOST_SECONDS
      ? [`${large.chunks} chunks take ${large.seconds.toFixed(1)} s, at most ${MOST_SECONDS} s`]
      : []),
    ...(growth > MOST_GROWTH ? [`the cost of a fact grows ${growth.toFixed(1)} times, at most ${MOST_GROWTH}`] : []),
  ];
}

function measure(size: number): Cost {
  const chunks = Array.from({ length: size }, (_, index) =>
    buildChunk(`c${index}`, index < 10 ? [] : [`c${index - 10}`]),
  );
  const story = new Story({ config: { limits: { parallel: 10 }, plan: { max_chunks: 1000 } } });
  story.propose(chunks).approve();
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const before = story.facts.length;
  const begun = process.cpuUsage();
  for (let quiet = 0; quiet < 3;) {
    const { actions, wakeAt } = decide(story.state, story.now, { staleReadMs: 0 });
    const [action] = actions;
    if (action !== undefined) {
      const facts = answer(story, action, byId);
      if (facts.length === 0) break;
      story.record({ kind: "EffectStarted", effect: action.key }, ...facts);
      quiet = 0;
      continue;
    }
    if (endOldestJob(story, byId)) continue;
    quiet += 1;
    story.wait(Math.max(60_000, (wakeAt ?? story.now) - story.now));
  }
  const { user, system } = process.cpuUsage(begun);
  const seconds = (user + system) / 1_000_000;
  const facts = story.facts.length - before;
  const landed = Object.values(story.state.chunks).filter((chunk) => chunk.landed !== null).length;
  if (landed !== size) throw new Error(`${landed} of ${size} chunks landed`);
  return {
    chunks: size,
    facts,
    seconds,
    perFactUs: (seconds * 1_000_000) / facts,
    stateBytes: JSON.stringify(story.state).length,
  };
}

/** What the shell would record after carrying an action out. */
function answer(story: Story, action: Action, chunks: ReadonlyMap<string, Chunk>): readonly Fact[] {
  const url = "https://github.com/octo/tally/x";
  const id = story.facts.length + 1;
  switch (action.kind) {
    case "DispatchJob": {
      const { job, subject, attempt, attemptOf } = action.dispatch;
      return [{ kind: "JobDispatched", effect: action.key, job, subject, runId: id, url, attempt, attemptOf }];
    }
    case "CommitChangeSet":
      return [
        {
          kind: "ChangeSetCommitted",
          chunk: action.chunk,
          attempt: action.attempt,
          head: fakeSha(`h${action.chunk}`),
          tree: fakeSha(`t${action.chunk}`),
        },
      ];
    case "OpenChunkPull":
      return [{ kind: "ChunkPullOpened", effect: action.key, chunk: action.chunk, number: id, url }];
    case "PublishCheck":
      return [
        {
          kind: "CheckPublished",
          effect: action.key,
          externalId: action.externalId,
          id,
          url,
          revision: action.revision,
        },
      ];
    case "PostReview":
      return [{ kind: "ReviewPosted", effect: action.key, key: `${action.chunk}:${action.attempt}`, id, url }];
    case "PostComment":
      return [{ kind: "CommentPosted", effect: action.key, key: action.marker, id, url }];
    case "RefreshStatus":
      return [{ kind: "StatusUpdated", hash: `${id}`, shown: story.state.shown }];
    case "UpdateFeaturePull":
      return [{ kind: "FeaturePullUpdated", revision: action.key.slice("feature-body:".length) }];
    case "CreateCandidate":
      return [
        {
          kind: "CandidateCreated",
          hash: action.hash,
          commit: fakeSha(action.hash),
          tree: fakeSha(`t${action.hash}`),
          base: action.tip,
          chunks: action.chunks,
        },
      ];
    case "LandChunks":
      return [
        {
          kind: "ChunksLanded",
          chunks: action.chunks,
          commit: fakeSha(`l${id}`),
          tree: fakeSha(`lt${id}`),
          document: "d",
          via: action.via,
        },
        ...action.chunks.flatMap((chunk): Fact[] => {
          const pull = story.state.chunks[chunk]?.pulls.at(-1);
          return pull === undefined || !chunks.has(chunk)
            ? []
            : [{ kind: "PullSettled", number: pull.number, outcome: "merged" }];
        }),
      ];
    case "DeleteBranch":
      return [{ kind: "BranchDeleted", branch: action.branch }];
    default:
      // The feature as a whole is no part of this.
      return [];
  }
}

/** The job that was dispatched first has ended, well. */
function endOldestJob(story: Story, chunks: ReadonlyMap<string, Chunk>): boolean {
  const open = Object.values(story.state.jobs).find((job) => job.status === "open");
  if (open === undefined) return false;
  story.endJob(open.job);
  const { subject } = open;
  const attempt = open.attemptOf ?? 1;
  if (subject.role === "implement") story.receive(subject.chunk);
  else if (subject.role === "review") {
    const chunk = chunks.get(subject.chunk);
    const head = story.attemptOf(subject.chunk).head;
    if (chunk === undefined || head === null) return false;
    story.record({
      kind: "VerdictVerified",
      job: open.job,
      subject: { kind: "attempt", chunk: subject.chunk, attempt },
      commit: head,
      result: passReview(chunk),
      chunks: [],
      ledger: [],
    });
  } else if (subject.role === "floor" && subject.subject.startsWith("chunk-")) {
    const chunk = subject.subject.slice("chunk-".length) as ChunkId;
    const head = story.attemptOf(chunk).head;
    if (head === null) return false;
    story.record({
      kind: "FloorComputed",
      job: open.job,
      subject: { kind: "attempt", chunk, attempt },
      commit: head,
      result: passFloor(),
      document: "d",
    });
  } else if (subject.role === "floor" && subject.subject.startsWith("candidate-")) {
    const hash = subject.subject.slice("candidate-".length);
    const candidate = story.state.candidates.find((entry) => entry.hash === hash);
    if (candidate === undefined) return false;
    story.record({
      kind: "FloorComputed",
      job: open.job,
      subject: { kind: "candidate", hash },
      commit: candidate.commit,
      result: passFloor(),
      document: "d",
    });
  } else return false;
  return true;
}
