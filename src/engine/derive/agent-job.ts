import type { JobSubject } from "../../contracts/names.ts";

/** Jobs that start an agent, and so cost money; the others only run commands. */
export function isAgentJob(subject: JobSubject): boolean {
  switch (subject.role) {
    case "plan":
    case "plan-review":
    case "implement":
    case "review":
    case "final-review":
      return true;
    case "baseline":
    case "floor":
      return false;
  }
}
