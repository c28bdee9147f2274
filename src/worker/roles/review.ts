/**
 * Role `review`: a fresh agent judges one chunk's change. It gets the specification, the criteria and the
 * change; nothing of attempts, floors, feedback or earlier verdicts is even read here.
 */
import { listCriteria } from "../../contracts/criteria.ts";
import { askAgent } from "./ask-agent.ts";
import { formatChunk, renderChunk, renderCriteria } from "./chunk-block.ts";
import type { JobContext, RoleOutcome } from "./job-context.ts";
import { findBase, findChunk, loadPlan } from "./load-plan.ts";
import { openReadingRoom } from "./open-reading-room.ts";
import { formatTextOutcome } from "./text-outcome.ts";

export async function review(context: JobContext): Promise<RoleOutcome> {
  const base = findBase(context);
  const chunk = findChunk(context, await loadPlan(context));
  const criteria = [...listCriteria(chunk)];
  const room = await openReadingRoom(context, base);
  const asked = await askAgent(context, {
    role: "review",
    store: room.store,
    cwd: room.folder,
    fields: { base, chunk: formatChunk(chunk), criteria },
    blocks: [
      { name: "chunk", text: renderChunk(chunk) },
      { name: "criteria", text: renderCriteria(criteria) },
    ],
  });
  return formatTextOutcome(asked, "The reviewer answered.");
}
