import { StepFailure } from "../step-execution.ts";
import { type BuiltinAction, isTrue } from "./builtin-call.ts";

/** `actions/cache` and `actions/cache/restore`: there is never anything in the cache. */
export const missCache: BuiltinAction = async (call) => {
  const key = call.inputs["key"] ?? "";
  if (key === "") throw new StepFailure("Input required and not supplied: key");
  const message = `Cache not found for input keys: ${[key, ...(call.inputs["restore-keys"] ?? "").split("\n")].filter((item) => item !== "").join(", ")}`;
  if (isTrue(call, "fail-on-cache-miss", "false")) throw new StepFailure(`Failed to restore cache entry. ${message}`);
  call.execution.session.log.write(message);
  return { "cache-primary-key": key };
};

/** `actions/cache/save`: nothing is kept, which GitHub's caches never promise either. */
export const skipCacheSave: BuiltinAction = async ({ execution }) => {
  execution.session.log.write("##[warning]The sandbox keeps no caches.");
  return {};
};
