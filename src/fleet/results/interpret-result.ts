/** What a job's result means, as facts. Nothing a job says is believed before its own check. */
import type { JobSubject } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import type { JobState } from "../../engine/state.ts";
import type { RunSession } from "../run-session.ts";
import { type DoneResult, NOT_EXPECTED, type Untaken } from "./done-result.ts";
import { interpretBaseline } from "./baseline.ts";
import { interpretChangeSet } from "./change-set.ts";
import { interpretDraft } from "./draft.ts";
import { interpretFloor } from "./floor.ts";
import { interpretPlanVerdict } from "./plan-verdict.ts";
import { interpretVerdict } from "./verdict.ts";

export async function interpretResult(
  session: RunSession,
  job: JobState,
  result: DoneResult,
): Promise<readonly Fact[] | Untaken> {
  const { payload } = result;
  const subject: JobSubject = job.subject;
  switch (subject.role) {
    case "baseline":
      return payload.kind === "captures" ? interpretBaseline(session, job, payload.captures) : NOT_EXPECTED;
    case "plan":
      return payload.kind === "text" ? interpretDraft(session, job, payload.text) : NOT_EXPECTED;
    case "plan-review":
      return payload.kind === "text" ? interpretPlanVerdict(session, job, subject.lens, payload.text) : NOT_EXPECTED;
    case "implement":
      return payload.kind === "change-set"
        ? interpretChangeSet(session, job, subject.chunk, payload, result.summary)
        : NOT_EXPECTED;
    case "floor":
      return payload.kind === "captures"
        ? interpretFloor(session, job, subject.subject, payload.captures)
        : NOT_EXPECTED;
    case "review":
    case "final-review":
      return payload.kind === "text" ? interpretVerdict(session, job, payload.text) : NOT_EXPECTED;
  }
}
