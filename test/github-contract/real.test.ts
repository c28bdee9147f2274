/** The way to the real GitHub, with a local one in its place: nobody gives the tests a token. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { areas } from "./areas.ts";
import { runOnGitHub } from "./run-contract.ts";
import { type OpenSandboxGround, openSandboxGround } from "./sandbox-ground.ts";

const rows = areas.flatMap((area) => area.rows);
const count = (...places: readonly string[]): number => rows.filter(({ on }) => places.includes(on)).length;
const pace = { betweenWritesMs: 0, betweenLooksMs: 20 };

let ground: OpenSandboxGround;

beforeAll(async () => {
  ground = await openSandboxGround();
});
afterAll(() => ground.close());

function ask(token: string) {
  return runOnGitHub({ ...ground.repo, token, baseUrl: ground.sandbox.apiUrl, pace }, () => undefined);
}

describe("the contract on a GitHub of which there is only a token", () => {
  it("asks an App all that a repository lets it find out, and takes away what it made", async () => {
    const tally = await ask(await ground.world.installationToken());
    expect(tally.differing).toEqual([]);
    expect(tally.held).toBe(count("everywhere", "app", "workflow"));
    const { data: refs } = await ground.octokit.rest.git.listMatchingRefs({ ...ground.repo, ref: "heads/contract-" });
    expect(refs).toEqual([]);
    const { data: open } = await ground.octokit.rest.issues.listForRepo({ ...ground.repo, state: "open" });
    expect(open.map(({ title }) => title)).toEqual([]);
  }, 120_000);

  it("asks a person less, and says why", async () => {
    const tally = await ask(ground.world.tokens.writer);
    expect(tally.differing).toEqual([]);
    expect(tally.held).toBe(count("everywhere", "workflow"));
    expect(tally.skipped.get("only an App may do it, and the token is a person's")).toBe(count("app"));
  }, 120_000);
});

describe("npm run contract", () => {
  const run = (...args: readonly string[]) => {
    const { GITHUB_TOKEN: _, ...env } = process.env;
    const script = path.join(import.meta.dirname, "../../tools/dev/contract.ts");
    return spawnSync(process.execPath, [script, ...args], { encoding: "utf8", env });
  };

  it("says that GitHub was not asked when there is no token", () => {
    const { status, stdout } = run("--github", "octo/shop", "--only", "github");
    expect(stdout).toBe("GitHub itself: skipped, since GITHUB_TOKEN is not set\n");
    expect(status).toBe(0);
  });

  it("says in one line that the repository cannot be read, and not with which token", async () => {
    const { GITHUB_TOKEN: _, ...rest } = process.env;
    const env = { ...rest, GITHUB_TOKEN: "no-token-of-anybody", GITHUB_API_URL: ground.sandbox.apiUrl };
    const script = path.join(import.meta.dirname, "../../tools/dev/contract.ts");
    const args = [script, "--github", "octo/nowhere", "--only", "github"];
    const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
      let stderr = "";
      const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      child.on("close", (code) => resolve({ code, stderr }));
    });
    expect(code).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(/^octo\/nowhere cannot be read: /u)]);
    expect(stderr).not.toContain("no-token-of-anybody");
  });

  it("refuses what is no repository", () => {
    const { status, stderr } = run("--github", "shop");
    expect(stderr).toContain("shop is no repository");
    expect(status).toBe(2);
  });
});
