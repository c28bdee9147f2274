import path from "node:path";
import picomatch from "picomatch";
import { StepFailure } from "../step-execution.ts";
import { unzipFiles } from "../zip-files.ts";
import { type BuiltinAction, type BuiltinCall, readFlag, refuseInputs, warnUnexpectedInputs } from "./builtin-call.ts";

const valid = [
  "artifact-ids",
  "digest-mismatch",
  "github-token",
  "merge-multiple",
  "name",
  "path",
  "pattern",
  "repository",
  "run-id",
  "skip-decompress",
];

/** `actions/download-artifact`, version 4 and later, for artifacts of the same run. https://github.com/actions/download-artifact#inputs */
export const downloadArtifact: BuiltinAction = async (call) => {
  warnUnexpectedInputs(call, valid);
  refuseInputs(call, ["artifact-ids", "run-id", "repository", "skip-decompress"]);
  const { execution, inputs } = call;
  const { session } = execution;
  const target = resolveTarget(call);
  const name = inputs["name"] ?? "";
  if (name !== "") {
    await extract(call, name, target);
    return { "download-path": target };
  }
  const pattern = inputs["pattern"] ?? "";
  const matches = pattern === "" ? () => true : picomatch(pattern);
  const names = session.host.listArtifacts().filter((artifact) => matches(artifact));
  session.log.write(`Found ${names.length} artifact(s).`);
  // A single match by pattern is not put into a folder of its own only when asked to merge.
  const merge = readFlag(call, "merge-multiple", "false");
  for (const artifact of names) await extract(call, artifact, merge ? target : path.join(target, artifact));
  return { "download-path": target };
};

async function extract({ execution }: BuiltinCall, name: string, folder: string): Promise<void> {
  const { host, log } = execution.session;
  const archive = host.loadArtifact(name);
  if (archive === null) throw new StepFailure(`Unable to download artifact(s): Artifact not found for name: ${name}`);
  const count = await unzipFiles(archive, folder);
  log.write(`Artifact ${name}: ${count} files in ${folder}`);
}

function resolveTarget({ execution, inputs }: BuiltinCall): string {
  const { workspace, home } = execution.session.folders;
  const given = inputs["path"] ?? "";
  return path.resolve(workspace, given === "~" || given.startsWith("~/") ? home + given.slice(1) : given);
}
