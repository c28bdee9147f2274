import { type Template, findEntry, listEntries, readText, readTexts } from "./template.ts";
import type { Permission } from "./runner-host.ts";

/** A workflow file's executable part. Expressions are still unevaluated. */
export interface Workflow {
  readonly env: Template | null;
  readonly defaults: RunDefaults;
  readonly permissions: DeclaredPermissions | null;
  readonly jobs: readonly Job[];
  /** Keys that GitHub honours and this runner does not. */
  readonly ignored: readonly string[];
}

export interface RunDefaults {
  readonly shell: Template | null;
  readonly workingDirectory: Template | null;
}

export type DeclaredPermissions = "read-all" | "write-all" | Readonly<Record<string, Permission>>;

export interface Job {
  readonly id: string;
  readonly name: Template | null;
  readonly needs: readonly string[];
  readonly condition: string;
  readonly permissions: DeclaredPermissions | null;
  readonly env: Template | null;
  readonly defaults: RunDefaults;
  readonly strategy: Template | null;
  readonly outputs: Template | null;
  readonly timeoutMinutes: Template | null;
  readonly continueOnError: Template | null;
  readonly steps: readonly Step[];
  /** Keys without which the job cannot do what it says: it fails. */
  readonly unsupported: readonly string[];
  readonly ignored: readonly string[];
}

interface StepBase {
  readonly id: string | null;
  readonly name: Template | null;
  readonly condition: string;
  readonly env: Template | null;
  readonly timeoutMinutes: Template | null;
  readonly continueOnError: Template | null;
}

export type Step =
  | (StepBase & {
      readonly kind: "run";
      readonly run: Template;
      readonly shell: Template | null;
      readonly workingDirectory: Template | null;
    })
  | (StepBase & { readonly kind: "uses"; readonly uses: string; readonly with: Template | null });

/** Reads a parsed workflow file without errors. */
export function readWorkflow(root: Template): Workflow {
  return {
    env: findEntry(root, "env"),
    defaults: readDefaults(root),
    permissions: readPermissions(findEntry(root, "permissions")),
    jobs: listEntries(findEntry(root, "jobs")).map(([id, job]) => readJob(id, job)),
    ignored: ["concurrency"].filter((key) => findEntry(root, key) !== null),
  };
}

/** Reads the `steps` of a job or of a composite action. */
export function readSteps(steps: Template | null): readonly Step[] {
  return steps?.kind === "sequence" ? steps.items.map(readStep) : [];
}

function readJob(id: string, job: Template): Job {
  return {
    id,
    name: findEntry(job, "name"),
    needs: readTexts(findEntry(job, "needs")),
    condition: readCondition(job),
    permissions: readPermissions(findEntry(job, "permissions")),
    env: findEntry(job, "env"),
    defaults: readDefaults(job),
    strategy: findEntry(job, "strategy"),
    outputs: findEntry(job, "outputs"),
    timeoutMinutes: findEntry(job, "timeout-minutes"),
    continueOnError: findEntry(job, "continue-on-error"),
    steps: readSteps(findEntry(job, "steps")),
    unsupported: ["uses", "container", "services"].filter((key) => findEntry(job, key) !== null),
    ignored: ["concurrency", "environment"].filter((key) => findEntry(job, key) !== null),
  };
}

function readStep(step: Template): Step {
  const base: StepBase = {
    id: readText(findEntry(step, "id")),
    name: findEntry(step, "name"),
    condition: readCondition(step),
    env: findEntry(step, "env"),
    timeoutMinutes: findEntry(step, "timeout-minutes"),
    continueOnError: findEntry(step, "continue-on-error"),
  };
  const run = findEntry(step, "run");
  if (run !== null)
    return {
      ...base,
      kind: "run",
      run,
      shell: findEntry(step, "shell"),
      workingDirectory: findEntry(step, "working-directory"),
    };
  // Steps of other kinds (wait, parallel) have no `uses`; the empty name is refused when it runs.
  return { ...base, kind: "uses", uses: readText(findEntry(step, "uses")) ?? "", with: findEntry(step, "with") };
}

function readCondition(node: Template): string {
  const condition = findEntry(node, "if");
  if (condition?.kind === "expression") return condition.source;
  return readText(condition) ?? "";
}

function readDefaults(node: Template): RunDefaults {
  const run = findEntry(findEntry(node, "defaults"), "run");
  return { shell: findEntry(run, "shell"), workingDirectory: findEntry(run, "working-directory") };
}

function readPermissions(node: Template | null): DeclaredPermissions | null {
  if (node === null) return null;
  const all = readText(node);
  if (all === "read-all" || all === "write-all") return all;
  return Object.fromEntries(
    listEntries(node).flatMap(([scope, level]) => {
      const text = readText(level);
      return text === "read" || text === "write" || text === "none" ? [[scope, text] as const] : [];
    }),
  );
}
