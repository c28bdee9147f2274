/**
 * What the rest of Taskfleet relies on, said once: the port on the local GitHub, on the simulation's model of
 * GitHub, and on GitHub itself must all do it. The port's own words: a conflict is something that stands
 * elsewhere than we thought, terminal is what no repetition helps, misconfigured is for a person to mend.
 */
import { accessRows } from "./port-rows/access.ts";
import { actionRows } from "./port-rows/actions.ts";
import { branchRows } from "./port-rows/branches.ts";
import { checkRows } from "./port-rows/checks.ts";
import { deliveryRows } from "./port-rows/deliveries.ts";
import { gitDataRows } from "./port-rows/git-data.ts";
import { issueRows } from "./port-rows/issues.ts";
import { pullRows } from "./port-rows/pulls.ts";
import { reviewRows } from "./port-rows/reviews.ts";
import type { PortRow } from "./port-rows/port-row.ts";

export const portRows: readonly PortRow[] = [
  ...branchRows,
  ...gitDataRows,
  ...pullRows,
  ...reviewRows,
  ...issueRows,
  ...checkRows,
  ...actionRows,
  ...accessRows,
  ...deliveryRows,
];
