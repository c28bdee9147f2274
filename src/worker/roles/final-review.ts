/** Role `final-review`: a fresh agent judges the whole feature: what the candidate adds to the source branch. */
import { listAcceptanceCriteria } from "../../contracts/criteria.ts";
import { askAgent } from "./ask-agent.ts";
import { renderCriteria } from "./chunk-block.ts";
import { type JobContext, JobStopped, type RoleOutcome } from "./job-context.ts";
import { findBase, loadPlan } from "./load-plan.ts";
import { openReadingRoom } from "./open-reading-room.ts";
import { formatTextOutcome } from "./text-outcome.ts";
import { writeReviewMap } from "./write-review-map.ts";

export async function finalReview(context: JobContext): Promise<RoleOutcome> {
  const base = findBase(context);
  const plan = await loadPlan(context);
  const intent = await context.loadDocument("intent");
  if (intent === null) throw new JobStopped("a final review needs an intent, and its request names none");
  const criteria = [...listAcceptanceCriteria(plan.acceptance)];
  const room = await openReadingRoom(context, base);
  const map = await writeReviewMap(room, base, context.request.commit);
  const asked = await askAgent(context, {
    role: "final-review",
    store: room.store,
    cwd: room.folder,
    fields: { base, intent, plan, criteria },
    blocks: [
      { name: "intent", text: intent },
      { name: "plan", text: JSON.stringify(plan, null, 2) },
      { name: "criteria", text: renderCriteria(criteria) },
      { name: "changes", text: map },
    ],
  });
  return formatTextOutcome(asked, "The final reviewer answered.");
}
