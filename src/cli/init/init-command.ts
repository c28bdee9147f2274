import type { CommandModule } from "../command-registry.ts";
import { UserError } from "../../contracts/errors.ts";
import { runGit, tryGit } from "../run-git.ts";
import type { Terminal } from "../terminal.ts";
import { commitSetup, readSetup, SETUP_BRANCH, type SetupState } from "./commit-setup.ts";
import { resolveWorker } from "./resolve-worker.ts";
import { loadSetupFiles, type SetupFile } from "./setup-files.ts";

const WORKER_SOURCE = "https://github.com/taskfleet/taskfleet";

interface InitOptions {
  readonly directory: string;
  readonly worker: string;
}

/** `taskfleet init`: prepares a repository, as a branch that can be looked at before it is merged. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode, terminal) => {
  program
    .command("init")
    .description("prepare a repository: workflow, configuration and issue form, on a branch of their own")
    .option("-C, --directory <path>", "the clone to prepare", ".")
    .option("--worker <repository>", "where the worker's release is looked up", WORKER_SOURCE)
    .action(async (options: InitOptions) => {
      try {
        await init(options, terminal);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        terminal.writeError(`${error.message}\n`);
        setExitCode(2);
      }
    });
};

async function init(options: InitOptions, terminal: Terminal): Promise<void> {
  const root = await tryGit(options.directory, ["rev-parse", "--show-toplevel"]);
  if (root === null) throw new UserError(`${options.directory} is no git clone: run this inside one.`);
  const head = await tryGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (head === null) throw new UserError("The repository has no commit yet.");
  const pin = await resolveWorker(options.worker, root);
  const files = await loadSetupFiles(pin);
  const state = await readSetup(root, head, files);
  terminal.write(describeState(state));
  if (state.missing.length === 0) {
    terminal.write("Nothing to do.\n");
    return;
  }
  const branch = await tryGit(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${SETUP_BRANCH}`]);
  if (branch !== null) {
    const there = await readSetup(root, branch, state.missing);
    if (there.missing.length > 0)
      throw new UserError(
        `The branch ${SETUP_BRANCH} exists and lacks ${list(there.missing)}: merge or delete it, then run this again.`,
      );
    terminal.write(`The branch ${SETUP_BRANCH} holds what is missing already.\n${describeNext()}`);
    return;
  }
  await commitSetup(root, head, state.missing, formatMessage(state.missing));
  terminal.write(`\nCommitted ${list(state.missing)} to the new branch ${SETUP_BRANCH}.\n`);
  if (pin.ref === pin.version)
    terminal.write(
      `The commit of ${pin.version} could not be looked up, so the workflow names the tag. Pin it to a commit before you rely on it.\n`,
    );
  terminal.write(describeNext());
  await runGit(root, ["--no-pager", "diff", "--stat", head, SETUP_BRANCH]).then((text) =>
    terminal.write(`\n${text}\n`),
  );
}

function describeState(state: SetupState): string {
  const lines = [
    ...state.missing.map((file) => `  missing    ${file.path}: ${file.purpose}`),
    ...state.same.map((file) => `  there      ${file.path}`),
    ...state.different.map((file) => `  different  ${file.path}: kept as it is; this version would write another text`),
  ];
  return `${lines.join("\n")}\n`;
}

function describeNext(): string {
  return [
    "Next:",
    `  git push origin ${SETUP_BRANCH}   and open a pull request; nothing works before it is merged`,
    "  store your agent's model key as a repository secret (the workflow's `env:` lists the names)",
    "  taskfleet doctor OWNER/REPOSITORY   says what else is missing",
    "",
  ].join("\n");
}

/** The branch explains itself: its commit is what a reviewer of the pull request reads. */
function formatMessage(files: readonly SetupFile[]): string {
  return [
    "Set up Taskfleet",
    "",
    "Somebody with write access who sets the label `taskfleet` on an issue starts a run: it is planned,",
    "the plan is reviewed, and what passes every gate lands. This commit adds:",
    "",
    ...files.map((file) => `- ${file.path}: ${file.purpose}`),
    "",
    "The workflow asks for no write permission. Its jobs that run an agent see the model key, its jobs that",
    "run this repository's commands see no secret at all.",
    "",
  ].join("\n");
}

function list(files: readonly SetupFile[]): string {
  return files.map((file) => file.path).join(", ");
}
