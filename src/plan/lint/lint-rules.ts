/** The lint rules by name, each with what it warns about; the names are what `plan.lint_errors` may list. */
export const lintRules = {
  "overlap-parallel": "chunks without an order between them touch the same file and will wait for each other",
  "redundant-dep": "a dep that another dep already implies",
  "needless-dep": "a dep without a shared file and without a mention: work that could run in parallel",
  "many-files": "a chunk with more than five files",
  "no-wiring": "three or more chunks create modules and none joins them",
  "generic-brief": "a brief that says too little to work from",
  "check-cannot-fail": "a check whose command always succeeds",
  "vague-criterion": "a criterion nobody could decide",
  "protected-file": "a file that may only change when people approve it",
  "forbidden-file": "a file no plan can change",
  "no-test-file": "tests are required, but no test file is in scope",
  "repeated-criterion": "the same check, assertion or acceptance item twice",
  "file-is-folder": "one chunk's file is another chunk's folder",
  "unportable-path": "a path that some file systems change or refuse",
  "device-name": "an id that is a device on Windows",
  "nested-branch": "two branches of which git can keep only one",
  "short-context": "an agent's context that says too little",
  "repeated-context": "two agents with the same context",
} as const;

export type LintRule = keyof typeof lintRules;

export function isLintRule(name: string): name is LintRule {
  return Object.hasOwn(lintRules, name);
}
