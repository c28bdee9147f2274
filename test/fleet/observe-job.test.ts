/** When what a job left is believed: what GitHub and its deliveries say is given, what is recorded is looked at. */
import { describe, expect, it } from "@jest/globals";
import { formatBlobName } from "../../src/contracts/blob-name.ts";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import type { JobId, Sha } from "../../src/contracts/ids.ts";
import { formatRunName, WORKFLOW_PATH } from "../../src/contracts/names.ts";
import type { Fact } from "../../src/engine/fact.ts";
import { findRow } from "../../src/engine/table.ts";
import { routeDelivery } from "../../src/fleet/inbox/route-delivery.ts";
import { observe, readOccasions } from "../../src/fleet/observe.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import type { WorkflowRun } from "../../src/github/port.ts";
import { Story } from "../engine-stories/story.ts";

interface World {
  /** What GitHub says of the run when it is asked. */
  readonly run?: Partial<WorkflowRun>;
  readonly artifact?: "there" | "missing";
  /** A delivery's words; null = nothing was delivered. */
  readonly told?: { readonly id?: number; readonly conclusion?: string | null; readonly head_sha?: string } | null;
  /** The workflow file by commit and branch; elsewhere it is the one the run began with. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** When it is looked at, after the dispatch. */
  readonly after?: number;
  /** How GitHub refuses to cancel the run. */
  readonly cancel?: GitHubFailure;
}

const MINUTE = 60_000;
const HEAD = "a".repeat(40) as Sha;

/** What is recorded of a floor job, and what GitHub was asked. The artifact, when it is believed, says "unusable". */
async function look(world: World): Promise<{ readonly facts: readonly Fact[]; readonly asked: readonly string[] }> {
  const story = new Story().intake();
  const job = story.dispatch({ role: "baseline" });
  const runId = findRow(story.state.jobs, job)?.runId ?? 0;
  const asked: string[] = [];
  const run: WorkflowRun = {
    id: runId,
    title: formatRunName("baseline", job),
    event: "workflow_dispatch",
    status: "completed",
    conclusion: "success",
    headSha: HEAD,
    headBranch: null,
    path: WORKFLOW_PATH,
    url: "",
    createdAt: story.now,
    updatedAt: story.now,
    ...world.run,
  };
  const text = JSON.stringify({
    v: 1,
    job,
    commit: HEAD,
    role: "baseline",
    outcome: "unusable",
    cause: "as the artifact says",
    usage: null,
  });
  const repository = {
    loadWorkflowRun: (id: number) => {
      asked.push(`run ${id - runId}`);
      return Promise.resolve(run);
    },
    loadWorkflowRuns: () => Promise.resolve([run]),
    loadArtifact: (id: number) => {
      asked.push(`artifact ${id - runId}`);
      return Promise.resolve(world.artifact === "missing" ? { outcome: "missing" } : { outcome: "found", text });
    },
    loadFile: (_: string, ref: string) => {
      const text = world.files?.[ref];
      return Promise.resolve(text === null ? null : { sha: formatBlobName(text ?? "ours"), text: text ?? "ours" });
    },
    cancelRun: () => (world.cancel === undefined ? Promise.resolve() : Promise.reject(world.cancel)),
  };
  const fleet = { clock: { now: () => story.now + (world.after ?? MINUTE) } };
  const session = { state: story.state, repository, fleet } as unknown as RunSession;
  const hints = world.told === undefined || world.told === null ? [] : [deliver(job, { id: runId, ...world.told })];
  const occasion = readOccasions(hints).get(`job:${job}`) ?? { kind: "due" as const };
  return { facts: await observe(session, `job:${job}`, occasion), asked };
}

/** The hint a finished run's delivery becomes. */
function deliver(job: JobId, run: object): string {
  const [route] = routeDelivery(
    "workflow_run",
    {
      action: "completed",
      repository: { id: 5, name: "shop", owner: { login: "octo" } },
      installation: { id: 7 },
      sender: { login: "mona", type: "User" },
      workflow_run: { display_title: formatRunName("baseline", job), conclusion: "success", head_sha: HEAD, ...run },
    },
    "guid",
  );
  return route !== undefined && "hint" in route ? route.hint : "";
}

const start = new Story().intake().now;
const believed = [{ kind: "JobEnded", outcome: "unusable", cause: "as the artifact says" }];

describe("a job's artifact", () => {
  it("is believed when the delivery says that its run succeeded, and nobody asks again", async () => {
    const { facts, asked } = await look({ told: {} });
    expect(facts).toMatchObject(believed);
    expect(asked).toEqual(["artifact 0"]);
  });

  it("is believed when GitHub says so", async () => {
    const { facts, asked } = await look({ told: null });
    expect(facts).toMatchObject(believed);
    expect(asked).toEqual(["run 0", "artifact 0"]);
  });

  it.each(["failure", "cancelled", "timed_out", "startup_failure", "action_required", "neutral", "something_new"])(
    "is not even looked at when its run ended with %s",
    async (conclusion) => {
      for (const told of [{ conclusion }, null]) {
        const { facts, asked } = await look({ run: { conclusion }, told });
        expect(facts).toMatchObject([{ kind: "JobEnded", outcome: "lost" }]);
        expect((facts[0] as { cause: string }).cause).toContain(`"${conclusion}"`);
        expect(asked.filter((one) => one.startsWith("artifact"))).toEqual([]);
      }
    },
  );

  it.each<readonly [string, NonNullable<World["told"]>]>([
    ["of another run, the job's double", { id: 1 }],
    ["without a conclusion", { conclusion: null }],
  ])("is not believed for a delivery %s: GitHub is asked", async (_name, told) => {
    const { facts, asked } = await look({ told, run: { status: "in_progress", conclusion: null } });
    expect(facts).toEqual([]);
    expect(asked).toEqual(["run 0"]);
  });

  it("is waited for a little after a run that succeeded, however long that one took", async () => {
    const { facts: at, asked } = await look({ told: {}, artifact: "missing" });
    expect([at, asked]).toEqual([[], ["artifact 0", "run 0", "artifact 0"]]);
    const run = { createdAt: start, updatedAt: start + 40 * MINUTE };
    const later = (after: number) => look({ run, artifact: "missing", after });
    expect((await later(41 * MINUTE)).facts).toEqual([]);
    expect((await later(43 * MINUTE)).facts).toMatchObject([{ kind: "JobEnded", outcome: "lost" }]);
  });

  it("is not waited for beyond the job's deadline, whenever GitHub says that the run changed", async () => {
    const run = { updatedAt: start + 600 * MINUTE };
    const { facts } = await look({ run, artifact: "missing", after: 599 * MINUTE });
    expect(facts).toMatchObject([{ kind: "JobEnded", outcome: "lost" }]);
  });
});

describe("a workflow run that began where the workflow file is another one", () => {
  const elsewhere = "b".repeat(40) as Sha;
  const both = [{ told: { head_sha: elsewhere } }, { told: null, run: { headSha: elsewhere } }];

  it.each(both)("leaves nothing that is believed, and is nobody's try", async (world) => {
    const { facts } = await look({ ...world, files: { [elsewhere]: "theirs" } });
    expect(facts).toMatchObject([{ kind: "JobEnded", outcome: "lost" }]);
    expect((facts[0] as { cause: string }).cause).toContain(`\`${elsewhere.slice(0, 10)}\``);
  });

  it.each(both)("is like any other where people have put that file on the default branch since", async (world) => {
    const { facts } = await look({ ...world, files: { [elsewhere]: "newer", main: "newer" } });
    expect(facts).toMatchObject(believed);
  });

  it.each(both)("is like any other where only other files differ", async (world) => {
    expect((await look(world)).facts).toMatchObject(believed);
  });

  it.each(both)("is looked at again while GitHub does not show that commit, until its deadline", async (world) => {
    const hidden = { ...world, files: { [elsewhere]: null } };
    expect((await look(hidden)).facts).toEqual([]);
    expect((await look({ ...hidden, after: 600 * MINUTE })).facts).toMatchObject([{ outcome: "lost" }]);
  });
});

/** A job may take 60 minutes, and wait for a machine as well. */
const DEADLINE = 76 * MINUTE;

describe("a workflow run that hangs beyond its deadline", () => {
  const hanging = { run: { status: "in_progress" as const, conclusion: null } };

  it("is cancelled and lost", async () => {
    expect((await look({ ...hanging, after: 600 * MINUTE })).facts).toMatchObject([
      { kind: "JobEnded", outcome: "lost", cause: "the run did not end in time and was cancelled" },
    ]);
  });

  it("is lost also where GitHub does not let it be cancelled, after it was asked for a while", async () => {
    const sick = { ...hanging, cancel: new GitHubFailure("transient", "GitHub answers 500") };
    expect((await look({ ...sick, after: 600 * MINUTE })).facts).toMatchObject([{ outcome: "lost" }]);
    const refused = { ...hanging, cancel: new GitHubFailure("misconfigured", "GitHub forbids it") };
    expect((await look({ ...refused, after: 600 * MINUTE })).facts).toMatchObject([{ outcome: "lost" }]);
  });

  it("is cancelled once more as long as GitHub is only unwell, and left alone where the repository is away", async () => {
    for (const kind of ["transient", "dormant"] as const) {
      const cancel = new GitHubFailure(kind, "not now");
      await expect(look({ ...hanging, cancel, after: DEADLINE })).rejects.toBe(cancel);
    }
  });
});
