/** Why the merge guard refuses a change set: nothing of it is committed. */
export type ChangeSetRule =
  | "unsafe-path"
  | "git-folder"
  | "protected-file"
  | "symlink-escape"
  | "submodule"
  | "lfs-pointer"
  | "case-collision"
  | "file-and-folder"
  | "duplicate"
  | "too-large"
  | "too-many"
  | "bad-encoding"
  | "secret"
  | "missing-base"
  | "other-base"
  | "empty";

export interface ChangeSetProblem {
  readonly rule: ChangeSetRule;
  /** The path as the change set gives it; "" for the set as a whole. */
  readonly path: string;
  readonly message: string;
  readonly refused: true;
}

export function buildProblem(rule: ChangeSetRule, path: string, message: string): ChangeSetProblem {
  return { rule, path, message, refused: true };
}
