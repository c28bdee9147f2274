import { formatJobId, type JobSubject } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import { interpretDraft } from "../results/draft.ts";
import type { RunSession } from "../run-session.ts";

/** The plan a person wrote goes through the planner's gates; it is nobody's job, so its number is 0. */
export async function applyGivenPlan(session: RunSession): Promise<readonly Fact[]> {
  const { given, run } = session.state.run;
  if (given === undefined) throw new Error("this run was not begun with a plan");
  const subject: JobSubject = { role: "plan", n: 0 };
  const job = formatJobId(run, subject);
  return interpretDraft(
    session,
    {
      job,
      subject,
      status: "ended",
      outcome: "done",
      cause: "",
      runId: null,
      url: null,
      attemptOf: null,
      purpose: "",
      agent: null,
      dispatchedAt: session.state.startedAt,
      endedAt: session.state.startedAt,
      remedy: null,
      usage: null,
    },
    given.text,
  );
}
