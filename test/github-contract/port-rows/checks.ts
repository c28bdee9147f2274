import type { CheckOutput } from "../../../src/github/port.ts";
import { DOCS, REPORTS } from "../links.ts";
import { commitOn, outcomeOf } from "../place.ts";
import { NO_SHA, type PortRow, row } from "./port-row.ts";

export const checkRows: readonly PortRow[] = [
  row(
    "A check stands on its commit under its own id, and changes.",
    [["taskfleet/floor", "x:1", "completed", "failure"]],
    [DOCS.checks],
    async (place) => {
      const sha = await commitOn(place, "taskfleet/check", { "c.txt": "1\n" });
      const check: CheckOutput = {
        name: "taskfleet/floor",
        sha,
        externalId: "x:1",
        status: "in_progress",
        title: "T",
        summary: "S",
        annotations: [],
      };
      const { id } = await place.repository.createCheck(check);
      await place.repository.updateCheck(id, { ...check, status: "completed", conclusion: "failure" });
      const app = await place.port.loadApp();
      return (await place.repository.loadCheckRuns(sha))
        .filter((run) => run.id === id && run.appId === app.id)
        .map(({ name, externalId, status, conclusion }) => [name, externalId, status, conclusion]);
    },
  ),
  row(
    "What a service reports on a commit is listed, the newest first.",
    [
      ["lint", "success"],
      ["build", "failure"],
      ["lint", "pending"],
    ],
    [DOCS.statuses],
    async (place) => {
      const sha = await commitOn(place, "taskfleet/reported", { "r.txt": "1\n" });
      await place.report(sha, "lint", "pending");
      await place.report(sha, "build", "failure");
      await place.report(sha, "lint", "success");
      return (await place.repository.loadStatuses(sha)).map(({ context, state }) => [context, state]);
    },
  ),
  row(
    "There is none on a commit GitHub does not know, or not yet.",
    "conflict",
    [DOCS.checks, REPORTS.unseenCommit],
    async ({ repository }) =>
      outcomeOf(
        repository.createCheck({
          name: "taskfleet/floor",
          sha: NO_SHA,
          externalId: "x:2",
          status: "in_progress",
          title: "T",
          summary: "S",
          annotations: [],
        }),
      ),
  ),
  row("A commit without statuses has none.", [], [DOCS.statuses], async (place) =>
    place.repository.loadStatuses(await commitOn(place, "taskfleet/statuses", { "s.txt": "1\n" })),
  ),
];
