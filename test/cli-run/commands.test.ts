/** What operators ask of a database, and what they are told when there is none or it is no database. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

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

describe("a question about runs", () => {
  it.each(asking)("makes no database where there is none, and says where it looked: %s", (...args) => {
    const { status, stdout, stderr } = run(args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^There is no database \S+\/data\/taskfleet\.sqlite: set TASKFLEET_DATA_DIR or DATABASE_URL/u,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(asking)("says in one line that a file is no database: %s", (...args) => {
    mkdirSync(path.join(folder, "data"));
    writeFileSync(path.join(folder, "data/taskfleet.sqlite"), "this is a text, and no database at all\n".repeat(50));
    const { status, stderr } = run(args);
    expect(status).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([expect.stringContaining("damaged or no database")]);
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
    expect(status).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([expect.stringContaining(words)]);
  });
});
