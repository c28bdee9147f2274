/** The stage of a demo: the local GitHub with the sample repository on it and a few people. */
import { randomBytes } from "node:crypto";
import { copyFile, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { WORKFLOW_PATH } from "../../contracts/names.ts";
import { installAgent } from "../local-agent/install-agent.ts";
import type { LocalAgent } from "../local-agent/choose-agent.ts";
import { copySample } from "../../sandbox/sample/copy-sample.ts";
import type { Sandbox } from "../../sandbox/sandbox-options.ts";
import { startSandbox } from "../../sandbox/start-sandbox.ts";

export interface Person {
  readonly login: string;
  readonly token: string;
}

export interface Stage {
  readonly sandbox: Sandbox;
  /** Of everything the demo writes; removed at its end. */
  readonly folder: string;
  /** The App's data. */
  readonly dataDir: string;
  readonly owner: string;
  readonly repository: string;
  /** May command. */
  readonly maintainer: Person;
  /** May set labels (role `triage`) and nothing else. */
  readonly stranger: Person;
  close(): Promise<void>;
}

const owner = "harbour-club";
const repository = "tally";
/** What the shipped workflow file calls the worker; here it is the bundle of this checkout. */
const workerAction = "taskfleet/taskfleet/.github/actions/worker";

/** @param workerFolder holds the worker's `action.yml` and its bundle. */
export async function buildStage(options: {
  readonly limits: "github" | "off";
  readonly workerFolder: string;
  readonly agent: LocalAgent | null;
}): Promise<Stage> {
  const folder = await mkdtemp(path.join(tmpdir(), "taskfleet-demo-"));
  try {
    const files = path.join(folder, "sample");
    await copySample(files);
    const workflow = path.join(files, WORKFLOW_PATH);
    await mkdir(path.dirname(workflow), { recursive: true });
    await copyFile(fileURLToPath(new URL("../../worker/workflow/taskfleet.yml", import.meta.url)), workflow);
    if (options.agent !== null) await installAgent(files, options.agent);
    // A copy: whoever builds the worker anew meanwhile does not change this run's.
    const worker = path.join(folder, "worker");
    await cp(options.workerFolder, worker, { recursive: true });
    const dataDir = path.join(folder, "app");
    await mkdir(dataDir);
    const sandbox = await startSandbox({
      dataDir: path.join(folder, "github"),
      limits: options.limits,
      app: { id: 1001, slug: "taskfleet", name: "Taskfleet", webhookSecret: randomBytes(32).toString("hex") },
      runnerOptions: { actionOverrides: { [workerAction]: worker } },
    });
    const admin = sandbox.createUser(owner);
    const maintainer = sandbox.createUser("mara");
    const stranger = sandbox.createUser("drifter");
    await sandbox.createRepository({
      owner: admin.login,
      name: repository,
      fromDir: files,
      collaborators: { [maintainer.login]: "maintain", [stranger.login]: "triage" },
      description: "A club's ledger on the command line",
      secrets: options.agent?.secrets ?? {},
    });
    return {
      sandbox,
      folder,
      dataDir,
      owner,
      repository,
      maintainer,
      stranger,
      close: async () => {
        await sandbox.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
