import { ZodError } from "zod";
import { UserError } from "../../contracts/errors.ts";
import type { RunKey, Sha } from "../../contracts/ids.ts";
import { type EvidenceFile, formatBranch, formatEvidencePath } from "../../contracts/names.ts";
import type { RepositoryPort } from "../../github/port.ts";

export interface Evidence<Value> {
  readonly text: string;
  readonly value: Value;
}

/**
 * A file that the App once committed with a run, read back: it may be of another version, or people have changed it.
 *
 * @param parse may throw whatever it likes.
 * @throws UserError that names the file and what can be done, where it is not there or cannot be read.
 */
export async function loadEvidence<Value>(
  repository: Pick<RepositoryPort, "loadFile">,
  place: { readonly run: RunKey; readonly file: EvidenceFile; readonly commit: Sha },
  parse: (text: string) => Value,
): Promise<Evidence<Value>> {
  const { run, commit } = place;
  const path = formatEvidencePath(run, place.file);
  const file = await repository.loadFile(path, commit);
  if (file === null) throw refuse(run, `${path} is not there at ${commit}`);
  try {
    return { text: file.text, value: parse(file.text) };
  } catch (error) {
    throw refuse(run, `${path} at ${commit} cannot be read (${formatSaid(error)})`);
  }
}

function refuse(run: RunKey, what: string): UserError {
  const branch = formatBranch({ kind: "integration", run });
  return new UserError(
    `${what}. Read the run back with the version of Taskfleet that began it, or give it up: delete the branch ${branch} and set the label anew.`,
  );
}

/** One short line, whatever a parser says. */
function formatSaid(error: unknown): string {
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    return issue === undefined ? "not valid" : `${issue.path.join(".")}: ${issue.message}`;
  }
  const said = error instanceof Error ? error.message : String(error);
  return said.replaceAll(/\s+/gu, " ").slice(0, 200);
}
