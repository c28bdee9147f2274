/** What operators ask of a database, and what they are told when there is none or it is no database. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { formatRunFile } from "../../src/cli/run/run-file.ts";
import { parseRunKey } from "../../src/contracts/ids.ts";
import { putTiming } from "../../src/fleet/kept-timing.ts";
import { openStore } from "../../src/store/open-store.ts";
import { tellProposal } from "../engine-stories/stories.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-run-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const main = path.join(import.meta.dirname, "../../src/cli/main.ts");
  return spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
}

const asking = [["runs"], ["explain", "7-x"], ["show", "7-x"], ["export", "7-x"]] as const;
const database = (): string => path.join(folder, "data/taskfleet.sqlite");

/** A database with this run of two repositories, and another run of one. */
async function keepRuns(): Promise<void> {
  const store = await openStore({ file: database() });
  const story = tellProposal();
  const facts = story.facts.map(({ seq, at, fact }) => ({ key: `${seq}`, at, fact: JSON.stringify(fact) }));
  const record = { installationId: 1, name: "shop", issue: 7, status: "open", createdAt: story.now } as const;
  await store.createRun({ ...record, repositoryId: 1, runKey: parseRunKey("7-x"), owner: "octo" }, facts);
  await store.createRun({ ...record, repositoryId: 2, runKey: parseRunKey("7-x"), owner: "acme" }, facts);
  await store.createRun({ ...record, repositoryId: 2, runKey: parseRunKey("9-y"), owner: "acme" }, facts);
  await putTiming(store, { staleReadMs: 5_000 });
  await store.close();
}

/** What somebody else wrote into the App's database. */
function execute(statement: string): void {
  const file = new DatabaseSync(database());
  file.exec(statement);
  file.close();
}

describe("a question about runs", () => {
  it.each(asking)("makes no database where there is none, and says where it looked: %s", (...args) => {
    const { status, stdout, stderr } = run(args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^\S+\/data\/taskfleet\.sqlite: There is no such database\. Set TASKFLEET_DATA_DIR or DATABASE_URL/u,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(asking)("says in one line that a file is no database: %s", (...args) => {
    mkdirSync(path.join(folder, "data"));
    writeFileSync(database(), "this is a text, and no database at all\n".repeat(50));
    const { status, stderr } = run(args);
    expect(status).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([expect.stringContaining("damaged or no database")]);
  });

  it.each([["mysql://a:s3cret@b/c"], ["octo s3cret"]])("says what is no address of a database: %s", (url) => {
    const { status, stderr } = run(["runs"], { DATABASE_URL: url });
    expect([status, stderr]).toEqual([2, "DATABASE_URL is no address of a PostgreSQL database (postgres://…).\n"]);
  });

  it("is answered from the App's database", async () => {
    await keepRuns();
    const { status, stdout } = run(["runs", "--json"]);
    expect(status).toBe(0);
    const listed = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly repository: string; readonly run: string });
    expect(listed.map((entry) => `${entry.repository}/${entry.run}`)).toEqual([
      "octo/shop/7-x",
      "acme/shop/7-x",
      "acme/shop/9-y",
    ]);
    expect(run(["explain", "9-y"]).stdout).toContain("waits for approval: the approval policy is `human`");
  });

  it("wants the run named so that there is only one", async () => {
    await keepRuns();
    expect(run(["explain", "8-z"]).stderr).toBe(
      "No run is named 8-z. There are: octo/shop/7-x, acme/shop/7-x, acme/shop/9-y.\n",
    );
    const { status, stderr } = run(["explain", "7-x"]);
    expect([status, stderr]).toEqual([2, "Several runs are named 7-x: octo/shop/7-x, acme/shop/7-x.\n"]);
    // As GitHub does, whatever the case.
    expect(run(["explain", "Acme/Shop/7-x"]).status).toBe(0);
    // The repository was deleted and made again.
    execute("update runs set owner = 'octo'");
    expect(run(["explain", "octo/shop/7-x"]).stderr).toBe("Several runs are named octo/shop/7-x: 1/7-x, 2/7-x.\n");
    expect(run(["explain", "2/7-x"]).status).toBe(0);
  });

  it("is answered for the other runs when one cannot be read", async () => {
    await keepRuns();
    execute("update facts set fact = replace(fact, 'PlanCommitted', 'MoonLanded') where repository_id = 1");
    execute("update facts set fact = substr(fact, 1, 20) where repository_id = 2 and run_key = '7-x'");
    const { status, stdout } = run(["runs"]);
    expect(status).toBe(0);
    expect(stdout.split("\n").map((line) => line.split("  ")[2])).toEqual([
      "unknown",
      "unknown",
      "approval",
      undefined,
    ]);
    for (const [name, seq] of [
      ["octo/shop/7-x", "[0-9]+"],
      ["acme/shop/7-x", "1"],
    ] as const) {
      const explained = run(["explain", name]);
      expect(explained.status).toBe(2);
      expect(explained.stderr).toMatch(new RegExp(`^Run 7-x: fact ${seq} cannot be read by this version.*\n$`, "u"));
    }
  });
});

describe("taskfleet replay", () => {
  it("takes what export printed, with the delay the App reckoned with", async () => {
    await keepRuns();
    const exported = run(["export", "9-y"]);
    expect(exported.status).toBe(0);
    expect(JSON.parse(exported.stdout.split("\n", 1)[0] ?? "")).toMatchObject({ run: "9-y", staleReadMs: 5_000 });
    writeFileSync(path.join(folder, "run.jsonl"), exported.stdout);
    const { stdout } = run(["replay", "run.jsonl", "--json"]);
    expect(stdout.trim().split("\n")).toHaveLength(exported.stdout.trim().split("\n").length - 1);
  });

  it.each([
    ["there is none", "none.jsonl", "none.jsonl: there is no such file."],
    ["it is a folder", ".", ".: this is a folder."],
    ["it is no run", "text", "text: Line 1 is no JSON object."],
    ["it is empty", "empty", "empty: The file is empty."],
  ])("says in one line what is wrong with a file: %s", (_, file, words) => {
    writeFileSync(path.join(folder, "text"), "hello");
    writeFileSync(path.join(folder, "empty"), "");
    const { status, stdout, stderr } = run(["replay", file]);
    expect([status, stdout, stderr]).toEqual([2, "", `${words}\n`]);
  });
});

describe("what a run's file says", () => {
  it("is shown harmlessly, and on its line", () => {
    const story = tellProposal();
    const effect = "forged\u001b]52;c;ZXZpbA==\u0007\nfact 1: all is well\u009b2J";
    const facts = story.record({ kind: "EffectStarted", effect }).facts;
    const address = { runKey: parseRunKey("7-x"), repositoryId: 1 };
    writeFileSync(path.join(folder, "run.jsonl"), formatRunFile(address, facts, { staleReadMs: 5_000 }));
    const { status, stdout, stderr } = run(["replay", "run.jsonl"]);
    expect(status).toBe(1);
    expect(stderr).toContain("forged]52;c;ZXZpbA== fact 1: all is well2J was begun, and nothing says how it ended\n");
    expect(stderr).toMatch(/^fact [0-9]+: .*, and nothing here asks for it$/mu);
    expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(stderr).not.toMatch(/^fact 1:/mu);
  });
});

describe("taskfleet rebuild", () => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  // Nobody listens there.
  const env = {
    APP_ID: "7",
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: "s3cret",
    GHE_HOST: "localhost:9",
    GHE_PROTOCOL: "http",
  };

  it.each([
    ["what is no repository", ["octo/shop/more", "7-x"], "is no repository"],
    ["what is no run key", ["octo/shop", "../x"], "is no run key"],
    ["that GitHub does not answer", ["octo/shop", "7-x"], "GitHub did not answer"],
  ])("says in one line %s", (_, args, words) => {
    const { status, stderr } = run(["rebuild", ...args], env);
    expect(status).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([expect.stringContaining(words)]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
