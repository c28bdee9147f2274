/** The one repository, the Apps that are installed on it, and its addresses. */
import type { Actor, RepositoryRef } from "../../../src/github/port.ts";

export const APP: Actor = { login: "taskfleet[bot]", id: 9001, bot: true };
/** The App that judges, where there is a second one. */
export const REVIEWER: Actor = { login: "taskfleet-reviewer[bot]", id: 9002, bot: true };

/** In whose name the port acts. */
export interface ModelApp {
  readonly actor: Actor;
  readonly id: number;
}

export const TASKFLEET: ModelApp = { actor: APP, id: 77 };
export const JUDGE: ModelApp = { actor: REVIEWER, id: 78 };

export const REPOSITORY: RepositoryRef = { id: 4242, owner: "octo", name: "tally", installationId: 5 };
const URL = "https://github.com/octo/tally";
/** The repository's own CI. */
export const OWN_CI_PATH = ".github/workflows/ci.yml";

export function formatUrl(...parts: readonly (string | number)[]): string {
  return [URL, ...parts].join("/");
}
