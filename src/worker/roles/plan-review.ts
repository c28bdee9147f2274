/** Role `plan-review`: one of three blind reviewers judges a draft by one rubric. */
import { listFiles } from "../git/list-files.ts";
import { askAgent } from "./ask-agent.ts";
import { type JobContext, JobStopped, type RoleOutcome } from "./job-context.ts";
import { openReadingRoom } from "./open-reading-room.ts";
import { listRegistry, renderFiles, renderRegistry } from "./plan.ts";
import { formatTextOutcome } from "./text-outcome.ts";

export async function planReview(context: JobContext): Promise<RoleOutcome> {
  const { lens } = context.request;
  if (lens === undefined) throw new JobStopped("a plan review needs a lens, and its request names none");
  const intent = await context.loadDocument("intent");
  const draft = await context.loadDocument("plan");
  if (intent === null || draft === null) throw new JobStopped("a plan review needs an intent and a draft");
  const room = await openReadingRoom(context, null);
  const files = [...(await listFiles({ cwd: room.store.gitDir, gitDir: room.store.gitDir }, context.request.commit))];
  const agents = listRegistry(context);
  const asked = await askAgent(context, {
    role: "plan-review",
    store: room.store,
    cwd: room.folder,
    fields: { lens, intent, plan: parseDraft(draft), files, agents },
    blocks: [
      { name: "intent", text: intent },
      { name: "plan", text: draft },
      { name: "registry", text: renderRegistry(agents) },
      { name: "files", text: renderFiles(files) },
    ],
  });
  return formatTextOutcome(asked, `The reviewer for ${lens} answered.`);
}

function parseDraft(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new JobStopped("the draft of the request is not JSON");
  }
}
