import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseActionTemplate } from "./parse-template.ts";
import { type Template, findEntry, listEntries, readText } from "./template.ts";
import { type Step, readSteps } from "./workflow.ts";

/** An action read from a folder. */
export interface Action {
  readonly name: string;
  readonly folder: string;
  readonly inputs: readonly ActionInput[];
  readonly runs: ActionRuns;
}

export interface ActionInput {
  readonly name: string;
  readonly required: boolean;
  readonly default: Template | null;
}

export type ActionRuns =
  | {
      readonly kind: "javascript";
      /** `node20` or `node24`; both run on the runner's own Node. */
      readonly using: string;
      readonly main: string;
      readonly post: string | null;
      readonly postIf: string;
    }
  | {
      readonly kind: "composite";
      readonly steps: readonly Step[];
      readonly outputs: ReadonlyArray<readonly [name: string, value: Template | null]>;
    };

/**
 * Reads `action.yml` (or `.yaml`) of a folder.
 * @throws when there is none, it is invalid, or it needs what this runner has not (Docker, `pre`)
 */
export async function loadAction(folder: string): Promise<Action> {
  const { file, text } = await readActionFile(folder);
  const { root, errors } = parseActionTemplate(file, text);
  if (root === null || errors.length > 0) throw new Error(`The action is not valid:\n${errors.join("\n")}`);
  return {
    name: readText(findEntry(root, "name")) ?? path.basename(folder),
    folder,
    inputs: listEntries(findEntry(root, "inputs")).map(([name, input]) => ({
      name,
      required: readText(findEntry(input, "required")) === "true",
      default: findEntry(input, "default"),
    })),
    runs: readRuns(root, file),
  };
}

function readRuns(root: Template, file: string): ActionRuns {
  const runs = findEntry(root, "runs");
  const using = readText(findEntry(runs, "using")) ?? "";
  if (using === "composite")
    return {
      kind: "composite",
      steps: readSteps(findEntry(runs, "steps")),
      outputs: listEntries(findEntry(root, "outputs")).map(([name, output]) => [name, findEntry(output, "value")]),
    };
  if (!/^node\d+$/.test(using)) throw new Error(`${file}: actions with \`using: ${using}\` do not run in the sandbox`);
  if (findEntry(runs, "pre") !== null) throw new Error(`${file}: \`pre\` does not run in the sandbox`);
  const main = readText(findEntry(runs, "main"));
  if (main === null) throw new Error(`${file}: \`main\` is missing`);
  const postIf = findEntry(runs, "post-if");
  return {
    kind: "javascript",
    using,
    main,
    post: readText(findEntry(runs, "post")),
    postIf: postIf?.kind === "expression" ? postIf.source : (readText(postIf) ?? "always()"),
  };
}

async function readActionFile(folder: string): Promise<{ file: string; text: string }> {
  for (const name of ["action.yml", "action.yaml"]) {
    const file = path.join(folder, name);
    try {
      return { file, text: await readFile(file, "utf8") };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  throw new Error(
    `Can't find 'action.yml' or 'action.yaml' under '${folder}'. Did you forget to run actions/checkout before running your local action?`,
  );
}
