import { createHash } from "node:crypto";
import { findFiles } from "../find-files.ts";
import { StepFailure } from "../step-execution.ts";
import { zipFiles } from "../zip-files.ts";
import { type BuiltinAction, readFlag, warnUnexpectedInputs } from "./builtin-call.ts";

const valid = [
  "archive",
  "compression-level",
  "if-no-files-found",
  "include-hidden-files",
  "name",
  "overwrite",
  "path",
  "retention-days",
];

/** https://github.com/actions/toolkit/blob/main/packages/artifact/docs/additional-information.md#non-supported-characters */
const invalidName = /[":<>|*?\r\n\\/]/;

/** `actions/upload-artifact`, version 4 and later. https://github.com/actions/upload-artifact#inputs */
export const uploadArtifact: BuiltinAction = async (call) => {
  warnUnexpectedInputs(call, valid);
  const { execution, inputs } = call;
  const { session } = execution;
  const name = (inputs["name"] ?? "") === "" ? "artifact" : (inputs["name"] ?? "");
  if (invalidName.test(name)) throw new StepFailure(`The artifact name is not valid: ${name}`);
  if ((inputs["path"] ?? "") === "") throw new StepFailure("Input required and not supplied: path");
  const hidden = readFlag(call, "include-hidden-files", "false") ? "include" : "exclude";
  const overwrite = readFlag(call, "overwrite", "false");
  const { files, root } = findFiles((inputs["path"] ?? "").split("\n"), {
    cwd: session.folders.workspace,
    home: session.folders.home,
    hidden,
  });
  if (files.length === 0) {
    reportNoFiles(inputs["if-no-files-found"] ?? "warn", inputs["path"] ?? "", (line) => session.log.write(line));
    return {};
  }
  const archive = await zipFiles(files, root);
  if (!overwrite && session.host.listArtifacts().includes(name))
    throw new StepFailure(
      "Failed to CreateArtifact: Received non-retryable error: Failed request: (409) Conflict: an artifact with this name already exists on the workflow run",
    );
  session.host.saveArtifact(name, archive);
  session.log.write(`Artifact ${name} has been successfully uploaded: ${files.length} files, ${archive.length} bytes.`);
  return { "artifact-digest": createHash("sha256").update(archive).digest("hex") };
};

function reportNoFiles(mode: string, paths: string, write: (line: string) => void): void {
  const message = `No files were found with the provided path: ${paths}. No artifacts will be uploaded.`;
  switch (mode) {
    case "error":
      throw new StepFailure(message);
    case "ignore":
      return write(message);
    case "warn":
    case "":
      return write(`##[warning]${message}`);
    default:
      throw new StepFailure(
        `Unrecognized if-no-files-found input. Provided: ${mode}. Available options: warn,error,ignore`,
      );
  }
}
