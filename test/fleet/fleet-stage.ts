/** The whole App on the local GitHub, with jobs answered by a script; everything is seen through the API. */
import { Octokit } from "@octokit/rest";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../../src/cli/demo/find-free-port.ts";
import { startWebhookRelay } from "../../src/cli/demo/webhook-relay.ts";
import { CONFIG_PATH, parseMarker, WORKFLOW_PATH } from "../../src/contracts/names.ts";
import type { JobRequest } from "../../src/contracts/job.ts";
import type { Fact } from "../../src/engine/fact.ts";
import { loadRunFacts } from "../../src/cli/run/load-run-facts.ts";
import { type Attempt, rebuildRuns } from "../../src/cli/run/rebuild-runs.ts";
import { type Replay, replayRun } from "../../src/cli/run/replay-run.ts";
import { loadTiming } from "../../src/fleet/kept-timing.ts";
import { serve } from "../../src/fleet/serve.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";
import { type Conclude, createScriptedRunner, ONE_CHUNK, type Script, type ScriptedPlan } from "./scripted-jobs.ts";
import { openStoreForReading } from "../../src/store/open-for-reading.ts";

export interface StageOptions {
  readonly script?: Script;
  /** How jobs' workflow runs end; absent = all with success. */
  readonly conclude?: Conclude;
  readonly plan?: ScriptedPlan;
  /** A second App judges. */
  readonly reviewer?: "writes" | "reads only";
  /** Text of `.github/taskfleet.yml`; null = no file. */
  readonly config?: string | null;
  /** Text of `.github/taskfleet.yml` of the owner's `.github` repository; absent = there is none. */
  readonly shared?: string;
  /** Text of the workflow file instead of the shipped one; null = no file. */
  readonly workflow?: string | null;
}

const AUTO = `plan: { approval: human }
ci: { gather: false }
merge: { feature: auto }
floor:
  test: { command: run-tests, report: report.xml, format: junit }
agents:
  - { name: builder, preset: command, command: [builder] }
`;
const SHIPPED = fileURLToPath(new URL("../../src/worker/workflow/taskfleet.yml", import.meta.url));
const TIMEOUT_MS = 25_000;

export type Stage = Awaited<ReturnType<typeof openStage>>;

export async function openStage(options: StageOptions = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "taskfleet-fleet-"));
  const files = path.join(folder, "files");
  await mkdir(path.join(files, ".github/workflows"), { recursive: true });
  await mkdir(path.join(files, "src"));
  await mkdir(path.join(files, "test"));
  await writeFile(path.join(files, "src/old.txt"), "old\n");
  await writeFile(path.join(files, "test/old.test.txt"), "assert old\n");
  if (options.workflow === undefined) await cp(SHIPPED, path.join(files, WORKFLOW_PATH));
  else if (options.workflow !== null) await writeFile(path.join(files, WORKFLOW_PATH), options.workflow);
  if (options.config !== null) await writeFile(path.join(files, CONFIG_PATH), options.config ?? AUTO);
  const requests: JobRequest[] = [];
  let gitDir = "";
  const sandbox = await startSandbox({
    dataDir: path.join(folder, "github"),
    limits: "off",
    app: { webhookSecret: "a secret of this test" },
    runner: createScriptedRunner(
      () => gitDir,
      options.plan ?? ONE_CHUNK,
      options.script ?? (() => null),
      requests,
      options.conclude,
    ),
  });
  const users = {
    owner: sandbox.createUser("acme"),
    mara: sandbox.createUser("mara"),
    drifter: sandbox.createUser("drifter"),
  };
  const repository = await sandbox.createRepository({
    owner: "acme",
    name: "shop",
    fromDir: files,
    collaborators: { mara: "write", drifter: "triage" },
  });
  if (options.shared !== undefined) {
    const shared = path.join(folder, "shared");
    await mkdir(path.join(shared, ".github"), { recursive: true });
    await writeFile(path.join(shared, CONFIG_PATH), options.shared);
    await sandbox.createRepository({ owner: "acme", name: ".github", fromDir: shared, collaborators: {} });
  }
  gitDir = sandbox.world.repositories.get(repository.id)?.git.dir ?? "";
  const waiting = new Set<() => void>();
  const relay = await startWebhookRelay(Date.now(), () => {
    for (const look of waiting) look();
  });
  sandbox.setWebhookTarget(relay.url);
  const registerReviewer = (may: NonNullable<StageOptions["reviewer"]>) =>
    sandbox.registerApp({
      slug: "taskfleet-reviewer",
      owner: "acme",
      ...(may === "writes"
        ? {}
        : { permissions: { pull_requests: "read", contents: "read", metadata: "read" } as const }),
    });
  const settings = {
    appId: sandbox.app.id,
    privateKey: sandbox.app.privateKey,
    webhookSecret: sandbox.app.webhookSecret,
    reviewer: options.reviewer === undefined ? undefined : registerReviewer(options.reviewer),
    baseUrl: sandbox.apiUrl,
    host: "localhost",
    port: await findFreePort(),
    dataDir: path.join(folder, "app"),
    databaseUrl: undefined,
    staleReadMs: 200,
    logLevel: "silent",
  };
  let app = await serve(settings);
  relay.setTarget(`${app.url}/api/github/webhooks`);
  const as = (user: { readonly token: string }): Octokit =>
    new Octokit({ auth: user.token, baseUrl: sandbox.apiUrl, log: { debug() {}, info() {}, warn() {}, error() {} } });
  const repo = { owner: "acme", repo: "shop" };

  /** Looks after every delivery, and now and then since not everything is delivered. */
  async function until<Value>(what: string, look: () => Promise<Value | null | undefined | false>): Promise<Value> {
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const value = await look();
      if (value !== null && value !== undefined && value !== false) return value;
      if (Date.now() > deadline)
        throw new Error(
          `it did not happen: ${what}\n${JSON.stringify(
            (await comments(1)).map((one) => one.body?.slice(0, 600)),
            null,
            1,
          )}`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, 300);
        function done(): void {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        }
        waiting.add(done);
      });
    }
  }

  const mara = as(users.mara);
  const comments = async (issue: number) =>
    (await mara.issues.listComments({ ...repo, issue_number: issue, per_page: 100 })).data;
  const ownComment = (issue: number, key: RegExp) =>
    until(`a comment ${key.source} on #${issue}`, async () =>
      (await comments(issue)).find(
        (comment) => comment.user?.type === "Bot" && key.test(parseMarker(comment.body ?? "")?.key ?? ""),
      ),
    );

  return {
    sandbox,
    repo,
    requests,
    /** What the App has recorded so far, of all runs. */
    facts: (): readonly Fact[] => {
      const database = new DatabaseSync(path.join(settings.dataDir, "taskfleet.sqlite"), { readOnly: true });
      const rows = database.prepare("select fact from facts order by seq").all();
      database.close();
      return rows.map(({ fact }) => JSON.parse(String(fact)) as Fact);
    },
    /** What `taskfleet replay` says of the one run, as the App's database has it. */
    replay: async (): Promise<Replay> => {
      const store = await openStoreForReading({ file: path.join(settings.dataDir, "taskfleet.sqlite") });
      const [run] = await store.loadRuns();
      if (run === undefined) throw new Error("there is no run");
      const facts = await loadRunFacts(store, run);
      const timing = await loadTiming(store);
      await store.close();
      return replayRun(facts, timing);
    },
    /** Ends the App and starts it again on its database. */
    restart: async (): Promise<void> => {
      await app.stop();
      app = await serve(settings);
    },
    /** Ends the App and deletes its database. */
    loseStore: async (): Promise<void> => {
      await app.stop();
      await rm(settings.dataDir, { recursive: true, force: true });
    },
    /** Reads every run back into a new database and starts the App on it. */
    rebuild: async () => {
      const attempts: Attempt[] = [];
      for await (const attempt of rebuildRuns(settings, "acme", "shop", null)) attempts.push(attempt);
      app = await serve(settings);
      return attempts;
    },
    mara,
    owner: as(users.owner),
    drifter: as(users.drifter),
    comments,
    ownComment,
    until,
    /** Opens an issue and labels it. */
    begin: async (by: Octokit = mara, title = "Please greet", body = "Say hello."): Promise<number> => {
      const { data } = await mara.issues.create({ ...repo, title, body });
      await by.issues.addLabels({ ...repo, issue_number: data.number, labels: ["taskfleet"] });
      return data.number;
    },
    say: async (issue: number, body: string, by: Octokit = mara) =>
      (await by.issues.createComment({ ...repo, issue_number: issue, body })).data,
    /** Approves the plan when it is asked for. */
    approve: async (issue: number): Promise<void> => {
      await ownComment(issue, /^approval:/u);
      await mara.issues.createComment({ ...repo, issue_number: issue, body: "/approve" });
    },
    /** Mara commits a file to the default branch. */
    commitFile: async (file: string, content: string): Promise<string> => {
      const { data: head } = await mara.git.getRef({ ...repo, ref: "heads/main" });
      const { data: base } = await mara.git.getCommit({ ...repo, commit_sha: head.object.sha });
      const entry = { path: file, mode: "100644", type: "blob", content } as const;
      const { data: tree } = await mara.git.createTree({ ...repo, base_tree: base.tree.sha, tree: [entry] });
      const parents = [head.object.sha];
      const message = `Write ${file}`;
      const { data: commit } = await mara.git.createCommit({ ...repo, message, tree: tree.sha, parents });
      await mara.git.updateRef({ ...repo, ref: "heads/main", sha: commit.sha });
      return commit.sha;
    },
    checks: async (sha: string) =>
      (await mara.checks.listForRef({ ...repo, ref: sha, filter: "all", per_page: 100 })).data.check_runs,
    close: async (): Promise<void> => {
      await app.stop();
      await relay.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
