/** From what a role hands back to the file that becomes the artifact. */
import { type JobRequest, type JobResult, jobResultSchema, RESULT_MAX_BYTES } from "../contracts/job.ts";
import { findLeaks, redact } from "./leaks.ts";
import type { Payload, RoleOutcome } from "./roles/job-context.ts";

/** A result that holds a key in any form is withheld; what people read is cut and cleared of keys. */
export function formatResult(
  request: JobRequest,
  commit: string,
  outcome: RoleOutcome,
  secrets: ReadonlyMap<string, string>,
): string {
  const first = serialize(request, commit, outcome, secrets);
  if (Buffer.byteLength(first) <= RESULT_MAX_BYTES) return first;
  return serialize(
    request,
    commit,
    { ...outcome, outcome: "unusable", cause: `the result is larger than ${RESULT_MAX_BYTES} bytes` },
    secrets,
  );
}

function serialize(
  request: JobRequest,
  commit: string,
  outcome: RoleOutcome,
  secrets: ReadonlyMap<string, string>,
): string {
  const { usage, promptVersion } = outcome;
  const prompt = promptVersion === undefined ? {} : { promptVersion };
  const common = { v: 1, job: request.job, commit, role: request.role, usage, ...prompt } as const;
  const clear = (text: string): string => redact(text, secrets).slice(0, 4000);
  let result: JobResult;
  if (outcome.outcome !== "done") result = { ...common, outcome: outcome.outcome, cause: clear(outcome.cause) };
  else {
    const leaks = findLeaks(listTexts(outcome.payload), secrets);
    result =
      leaks.length > 0
        ? {
            ...common,
            outcome: "unusable",
            cause: `the result was withheld: it holds the value of ${leaks.join(", ")}; replace that key`,
          }
        : {
            ...common,
            outcome: "done",
            summary: clear(outcome.summary),
            payload: outcome.payload,
          };
  }
  return JSON.stringify(jobResultSchema.parse(result));
}

/** Every text of a payload; encoded files also decoded. */
function* listTexts(payload: Payload): Iterable<string> {
  if (payload.kind !== "change-set") {
    yield JSON.stringify(payload);
    return;
  }
  yield JSON.stringify(payload.context ?? null);
  for (const entry of payload.changeSet.entries) {
    yield entry.path;
    if (entry.kind === "delete") continue;
    yield entry.encoding === "utf-8" ? entry.content : Buffer.from(entry.content, "base64").toString("latin1");
  }
}
