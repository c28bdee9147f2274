/** I10: what jobs leave counts only where they followed a workflow file that has stood on the default branch. */
import type { Sha } from "../../../src/contracts/ids.ts";
import { WORKFLOW_PATH } from "../../../src/contracts/names.ts";
import type { Invariant, Watch } from "./invariant.ts";

export function watchWorkflows({ model, violated }: Watch): Invariant {
  const stood = new Set<string | null>();
  const read = (commit: Sha): string | null => model.git.readFile(commit, WORKFLOW_PATH);
  const head = model.head(model.defaultBranch);
  if (head !== null) stood.add(read(head));
  return {
    onHappening: (happening) => {
      if (happening.kind === "ref" && happening.branch === model.defaultBranch && happening.to !== null)
        stood.add(read(happening.to));
    },
    onFact: ({ fact }) => {
      if (fact.kind !== "JobEnded" || fact.outcome === "lost" || fact.outcome === "cancelled") return;
      const run = fact.runId === null ? undefined : model.runs.get(fact.runId);
      if (run !== undefined && !stood.has(read(run.headSha)))
        violated("I10", `${fact.job} followed somebody's workflow file and ended ${fact.outcome}`);
    },
  };
}
