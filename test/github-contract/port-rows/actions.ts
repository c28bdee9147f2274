import type { JobId } from "../../../src/contracts/ids.ts";
import { formatRunName, WORKFLOW_PATH } from "../../../src/contracts/names.ts";
import { DOCS, REPORTS } from "../links.ts";
import { commitOn, outcomeOf } from "../place.ts";
import { NO_SHA, type PortRow, row } from "./port-row.ts";

const job = "7-add-search/plan/1" as JobId;
const inputs = {
  role: "plan",
  request: JSON.stringify({
    v: 1,
    role: "plan",
    run: "7-add-search",
    job,
    planRev: 1,
    commit: NO_SHA,
    documents: {},
  }),
  job,
};

export const actionRows: readonly PortRow[] = [
  row(
    "A dispatched run is named, stands on its branch's tip, and is found by its job.",
    { event: "workflow_dispatch", tip: true, branch: "taskfleet/work", found: formatRunName("plan", job) },
    [REPORTS.runIds],
    async (place) => {
      const { repository, main } = place;
      await repository.createBranch("taskfleet/work", main);
      const before = place.now() - 60_000;
      const id = await repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: "taskfleet/work", inputs });
      const run = await repository.loadWorkflowRun(id ?? 0);
      await place.idle();
      const found = (await repository.loadWorkflowRuns(job, before)).find((one) => one.id === id);
      return { event: run?.event, tip: run?.headSha === main, branch: run?.headBranch, found: found?.title };
    },
  ),
  row(
    "Runs are found by their commit; by their job only as far back as is asked.",
    { ofCommit: true, ofAnother: [], later: [] },
    [DOCS.runs],
    async (place) => {
      const { repository } = place;
      const head = await commitOn(place, "taskfleet/found", { "found.txt": "1\n" });
      const another = await commitOn(place, "taskfleet/unfound", { "unfound.txt": "1\n" });
      const id = await repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: "taskfleet/found", inputs });
      await place.idle();
      return {
        ofCommit: (await repository.loadRunsOfCommit(head)).some((run) => run.id === id && run.headSha === head),
        ofAnother: await repository.loadRunsOfCommit(another),
        later: await repository.loadWorkflowRuns(job, place.now() + 60_000),
      };
    },
  ),
  row(
    "A workflow on the default branch is active; another file is none.",
    ["active", null],
    [DOCS.workflows],
    async ({ repository }) => [
      (await repository.loadWorkflow(WORKFLOW_PATH))?.state,
      await repository.loadWorkflow(".github/workflows/nothing.yml"),
    ],
  ),
  row("An artifact that is not there is missing.", { outcome: "missing" }, [DOCS.artifacts], async (place) => {
    await place.repository.createBranch("taskfleet/artifact", place.main);
    const id = await place.repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: "taskfleet/artifact", inputs });
    await place.idle();
    return place.repository.loadArtifact(id ?? 0, "another", "result.json", 1000);
  }),
  row("A run that is over is cancelled without harm.", "done", [DOCS.runs], async (place) => {
    await place.repository.createBranch("taskfleet/cancel", place.main);
    const id = await place.repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: "taskfleet/cancel", inputs });
    await place.idle();
    return outcomeOf(place.repository.cancelRun(id ?? 0));
  }),
  row(
    "A dispatch that lacks an input is for a person to mend; one on no branch is a conflict.",
    ["misconfigured", "conflict"],
    [REPORTS.dispatchWords, DOCS.dispatch],
    async ({ repository, main }) => {
      await repository.createBranch("taskfleet/refused", main);
      const dispatch = (ref: string, given: Readonly<Record<string, string>>): Promise<string> =>
        outcomeOf(repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref, inputs: given }));
      return [await dispatch("taskfleet/refused", { role: "plan" }), await dispatch("taskfleet/nowhere", inputs)];
    },
  ),
  row("A run that is not there is nothing.", null, [DOCS.runs], ({ repository }) => repository.loadWorkflowRun(1)),
];
