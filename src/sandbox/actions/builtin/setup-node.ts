import { type BuiltinAction, warnUnexpectedInputs } from "./builtin-call.ts";

const valid = [
  "always-auth",
  "architecture",
  "cache",
  "cache-dependency-path",
  "check-latest",
  "mirror",
  "mirror-token",
  "node-version",
  "node-version-file",
  "package-manager-cache",
  "registry-url",
  "scope",
  "token",
];

/** `actions/setup-node`: every job already has the runner's own Node first in its PATH. */
export const setUpNode: BuiltinAction = async (call) => {
  warnUnexpectedInputs(call, valid);
  const { log } = call.execution.session;
  const asked = call.inputs["node-version"] ?? "";
  const version = process.version;
  log.write(`Node ${version} is used (${process.execPath}).`);
  if (asked !== "" && !version.startsWith(`v${asked.replace(/^v/, "").replace(/\.x$/, "")}`))
    log.write(`##[warning]node-version '${asked}' was asked for; the sandbox has ${version} only.`);
  return { "node-version": version, "cache-hit": "false" };
};
