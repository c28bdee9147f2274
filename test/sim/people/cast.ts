/** Who there is, and what each may do. */
import type { Actor, RepositoryRole } from "../../../src/github/port.ts";
import type { GitHubModel } from "../model/github-model.ts";

export const ALICE: Actor = { login: "alice", id: 1, bot: false };
export const WILL: Actor = { login: "will", id: 2, bot: false };
export const TRIXIE: Actor = { login: "trixie", id: 3, bot: false };
export const MALLORY: Actor = { login: "mallory", id: 4, bot: false };
export const ROBOT: Actor = { login: "helper[bot]", id: 5, bot: true };

const ROLES: Readonly<Record<string, RepositoryRole>> = {
  alice: "maintain",
  will: "write",
  trixie: "triage",
  mallory: "read",
  [ROBOT.login]: "write",
};

export function assignRoles(model: GitHubModel): void {
  for (const [login, role] of Object.entries(ROLES)) model.changeRole(login, role);
}
