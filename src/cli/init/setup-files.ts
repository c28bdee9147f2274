/** The files a repository needs, as this version of Taskfleet writes them. */
import { readFile } from "node:fs/promises";
import { CONFIG_PATH, WORKFLOW_PATH } from "../../contracts/names.ts";

export const ISSUE_FORM_PATH = ".github/ISSUE_TEMPLATE/taskfleet.yml";

export interface SetupFile {
  /** Repository-relative. */
  readonly path: string;
  readonly text: string;
  /** What it is for, in half a sentence. */
  readonly purpose: string;
}

/** What the workflow calls the worker by. */
export interface WorkerPin {
  /** A commit, or a tag where the commit is not known. */
  readonly ref: string;
  /** The release, shown behind the commit. */
  readonly version: string;
}

const placeholder = /(taskfleet\/taskfleet\/\.github\/actions\/worker)@v0\b/gu;

/** The workflow file with its worker pinned. */
export async function loadWorkflowText(pin: WorkerPin): Promise<string> {
  const text = await readFile(new URL("../../worker/workflow/taskfleet.yml", import.meta.url), "utf8");
  return pinWorker(text, pin);
}

export function pinWorker(text: string, { ref, version }: WorkerPin): string {
  const comment = ref === version ? "" : ` # ${version}`;
  return text
    .replaceAll(placeholder, (_, action: string) => `${action}@${ref}${comment}`)
    .replace(/^ *# `taskfleet init` replaces v0 .*\n/mu, "");
}

/** Our own repository's form is the one that is installed; the way to it is the same from `src` and from `dist`. */
async function loadIssueForm(): Promise<string> {
  return await readFile(new URL(`../../../${ISSUE_FORM_PATH}`, import.meta.url), "utf8");
}

export async function loadSetupFiles(pin: WorkerPin): Promise<readonly SetupFile[]> {
  const template = async (name: string): Promise<string> =>
    await readFile(new URL(`templates/${name}`, import.meta.url), "utf8");
  return [
    { path: WORKFLOW_PATH, text: await loadWorkflowText(pin), purpose: "the workflow every job runs in" },
    {
      path: CONFIG_PATH,
      text: (await template("config.yml")).replaceAll("/v0.1.0/", `/${pin.version}/`),
      purpose: "the configuration, with every choice explained",
    },
    {
      path: ISSUE_FORM_PATH,
      text: await loadIssueForm(),
      purpose: "a form for issues, with or without a plan of your own",
    },
  ];
}
