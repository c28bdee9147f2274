/** When what a job left is believed: what GitHub and its deliveries say is given, what is recorded is looked at. */
import { describe, expect, it } from "@jest/globals";
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
  readonly told?: { readonly id?: number; readonly conclusion?: string | null } | null;
}

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
    headSha: "a".repeat(40) as Sha,
    headBranch: null,
    path: WORKFLOW_PATH,
    url: "",
    createdAt: story.now,
    ...world.run,
  };
  const text = JSON.stringify({
    v: 1,
    job,
    commit: "a".repeat(40),
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
    cancelRun: () => Promise.resolve(),
  };
  const fleet = { clock: { now: () => story.now + 60_000 } };
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
      workflow_run: { display_title: formatRunName("baseline", job), conclusion: "success", ...run },
    },
    "guid",
  );
  return route !== undefined && "hint" in route ? route.hint : "";
}

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

  it("is waited for a little after a run that succeeded", async () => {
    const { facts, asked } = await look({ told: {}, artifact: "missing" });
    expect(facts).toEqual([]);
    expect(asked).toEqual(["artifact 0", "run 0", "artifact 0"]);
  });
});
