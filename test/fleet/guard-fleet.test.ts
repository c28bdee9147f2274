import { expect, it } from "@jest/globals";
import type { Fleet } from "../../src/fleet/context.ts";
import { guardFleet } from "../../src/fleet/loop/guard-fleet.ts";
import { TakenOver } from "../../src/fleet/taken-over.ts";
import type { RepositoryRef } from "../../src/github/port.ts";

/** Everything a fleet can do, each noting that it was done. */
function openFleet(): { readonly fleet: Fleet; readonly done: string[] } {
  const done: string[] = [];
  const note = (name: string) => async (): Promise<void> => {
    done.push(name);
  };
  const openGitHub = (app: string): object => ({
    requests: { total: 1, contentCreating: 0 },
    repository: () => ({
      ref: { id: 1 },
      loadBranch: note(`${app} reads`),
      createComment: note(`${app} comments`),
      tracker: { loadSubIssues: note(`${app} reads`), createSubIssue: note(`${app} creates`) },
    }),
  });
  const store = { createRun: note("a run begins"), loadRun: note("reads") };
  return { fleet: { github: openGitHub("one"), reviewer: openGitHub("two"), store } as unknown as Fleet, done };
}

const REF: RepositoryRef = { id: 1, owner: "octo", name: "tally", installationId: 1 };

it("lets a process whose lease has run out read, and change nothing any more", async () => {
  const { fleet, done } = openFleet();
  let held = true;
  const guarded = guardFleet(fleet, () => held);
  const ports = [guarded.github, guarded.reviewer].flatMap((github) => github?.repository(REF) ?? []);
  const change = async (): Promise<readonly PromiseSettledResult<unknown>[]> =>
    Promise.allSettled([
      ...ports.flatMap((port) => [port.createComment(1, ""), port.tracker.createSubIssue(1, { title: "", body: "" })]),
      guarded.store.createRun({} as never, []),
    ]);
  await change();
  expect(done.splice(0)).toEqual(["one comments", "one creates", "two comments", "two creates", "a run begins"]);
  held = false;
  const refused = { status: "rejected", reason: expect.any(TakenOver) };
  expect(await change()).toEqual([refused, refused, refused, refused, refused]);
  for (const port of ports) await port.loadBranch("main");
  expect(done).toEqual(["one reads", "two reads"]);
  expect(guarded.github.requests.total).toBe(1);
});
