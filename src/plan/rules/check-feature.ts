import { checkBranchName } from "../../contracts/branch-name.ts";
import { formatFound, type PathPart, type ProblemList } from "../problem-list.ts";
import type { SoundPlan } from "./sound-plan.ts";

/** Both branches can exist, and they are two. */
export function checkFeature(feature: SoundPlan["feature"] & object, problems: ProblemList): void {
  for (const key of ["source_branch", "integration_branch"] as const) {
    const name = feature[key];
    if (name !== undefined) checkBranch(name, ["feature", key], problems);
  }
  if (feature.source_branch === undefined || feature.source_branch !== feature.integration_branch) return;
  const found = formatFound(feature.integration_branch);
  problems.add(["feature", "integration_branch"], "branch-same", {
    message: `chunks would land on ${found}, the branch the feature is for; the integration branch must be another one`,
    found,
    allowed: "a branch other than source_branch",
  });
}

export function checkBranch(name: string, path: readonly PathPart[], problems: ProblemList): void {
  const reason = checkBranchName(name);
  if (reason === null) return;
  const found = formatFound(name);
  problems.add(path, "branch-name", {
    message: `the branch name ${found} ${reason}`,
    found,
    allowed: "a valid name of a git branch",
  });
}
