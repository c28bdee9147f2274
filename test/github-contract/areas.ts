import type { Area } from "./ground.ts";
import { access } from "./rows/access.ts";
import { actions } from "./rows/actions.ts";
import { branches } from "./rows/branches.ts";
import { checks } from "./rows/checks.ts";
import { deliveries } from "./rows/deliveries.ts";
import { gitData } from "./rows/git-data.ts";
import { issues } from "./rows/issues.ts";
import { limits } from "./rows/limits.ts";
import { merging } from "./rows/merging.ts";
import { pulls } from "./rows/pulls.ts";
import { reviews } from "./rows/reviews.ts";

/** Every row about GitHub's API, as it is spoken to. */
export const areas: readonly Area[] = [
  branches,
  gitData,
  pulls,
  merging,
  reviews,
  issues,
  checks,
  actions,
  access,
  limits,
  deliveries,
];
