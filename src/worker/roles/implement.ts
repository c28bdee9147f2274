/** Role `implement`: an agent edits the checkout; what it changed becomes a change set. */
import path from "node:path";
import { implementReportSchema } from "../../contracts/agent-request.ts";
import { listCriteria } from "../../contracts/criteria.ts";
import type { JobFeedback } from "../../contracts/job.ts";
import { applyStart, type StartOutcome } from "../git/apply-start.ts";
import { collectChangeSet } from "../git/collect-change-set.ts";
import { openObjectStore } from "../git/object-store.ts";
import type { DataBlock } from "../prompts/build-prompt.ts";
import { askAgent } from "./ask-agent.ts";
import { formatChunk, renderChunk } from "./chunk-block.ts";
import type { JobContext, RoleOutcome } from "./job-context.ts";
import { loadFeedback } from "./load-feedback.ts";
import { findChunk, loadPlan } from "./load-plan.ts";
import { formatFailedAnswer } from "./text-outcome.ts";

export async function implement(context: JobContext): Promise<RoleOutcome> {
  const { request } = context;
  const chunk = findChunk(context, await loadPlan(context));
  const feedback = await loadFeedback(context);
  // Opened before the agent starts: from then on nothing in the checkout's .git is believed.
  const store = await openObjectStore(context.root, path.join(context.scratch, "objects"), "repository");
  const start = request.start === undefined ? null : await applyStart(store, request.commit, request.start);

  const asked = await askAgent(context, {
    role: "implement",
    store,
    cwd: context.root,
    fields: {
      chunk: formatChunk(chunk),
      criteria: [...listCriteria(chunk)],
      attempt: request.attempt ?? 1,
      ...(feedback === null || feedback.items.length === 0 ? {} : { feedback: feedback.items }),
      ...(feedback?.context === undefined ? {} : { context: feedback.context }),
    },
    blocks: [{ name: "chunk", text: renderChunk(chunk) }, ...formatContext(feedback), ...formatFeedback(feedback)],
    start: describeStart(start),
  });
  const { usage, promptVersion } = asked;
  if (asked.kind !== "answer") return formatFailedAnswer(asked);

  const collected = await collectChangeSet(store, request.commit);
  const unusable = (cause: string): RoleOutcome => ({ outcome: "unusable", cause, usage, promptVersion });
  if (collected.kind === "refused") return unusable(collected.why);
  if (collected.changeSet.entries.length === 0) return unusable("the agent changed no file");
  if (start?.kind === "applied" && start.tree === collected.tree && (feedback?.items.length ?? 0) > 0)
    return unusable("the agent changed nothing about its former attempt, which failed");

  const report = implementReportSchema.safeParse(asked.value);
  return {
    outcome: "done",
    payload: {
      kind: "change-set",
      changeSet: collected.changeSet,
      ...(report.data?.context === undefined ? {} : { context: report.data.context }),
    },
    summary: report.data?.summary ?? "The agent gave no readable summary.",
    usage,
    promptVersion,
  };
}

function describeStart(start: StartOutcome | null): string {
  if (start === null) return "The checkout is clean: this is where you begin.";
  if (start.kind === "applied")
    return "The work tree already holds the former attempt's change, uncommitted. The block `feedback` says what is wrong with it: mend that, keep the rest.";
  return `An earlier attempt failed and its change is not here (${start.why}): begin anew and mind the block \`feedback\`.`;
}

/** What has landed is told apart from what went wrong. */
function formatContext(feedback: JobFeedback | null): readonly DataBlock[] {
  const items = feedback?.context ?? [];
  if (items.length === 0) return [];
  return [{ name: "context", text: items.map((item) => `- [${item.source}] ${item.text}`).join("\n") }];
}

function formatFeedback(feedback: JobFeedback | null): readonly DataBlock[] {
  if (feedback === null || feedback.items.length === 0) return [];
  return [{ name: "feedback", text: feedback.items.map((item) => `- [${item.source}] ${item.text}`).join("\n") }];
}
