/**
 * What the rest of Taskfleet relies on, said once: the port on the local GitHub, on the simulation's model of
 * GitHub, and on GitHub itself must all do it. The port's own words: a conflict is something that stands
 * elsewhere than we thought, terminal is what no repetition helps, misconfigured is for a person to mend.
 */
import { accessRows } from "./port-rows/access.ts";
import { actionsRows } from "./port-rows/actions.ts";
import { branchesRows } from "./port-rows/branches.ts";
import { checksRows } from "./port-rows/checks.ts";
import { gitDataRows } from "./port-rows/git-data.ts";
import { issuesRows } from "./port-rows/issues.ts";
import { pullsRows } from "./port-rows/pulls.ts";
import { reviewsRows } from "./port-rows/reviews.ts";
import type { PortRow } from "./port-rows/port-row.ts";

export const portRows: readonly PortRow[] = [
  ...branchesRows,
  ...gitDataRows,
  ...pullsRows,
  ...reviewsRows,
  ...issuesRows,
  ...checksRows,
  ...actionsRows,
  ...accessRows,
];
