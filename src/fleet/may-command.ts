import type { RepositoryRole } from "../github/port.ts";

/** Labels and commands need write access: triage may label, so a label is no authorisation. */
export function mayCommand(role: RepositoryRole): boolean {
  switch (role) {
    case "admin":
    case "maintain":
    case "write":
      return true;
    case "triage":
    case "read":
    case "none":
      return false;
  }
}
