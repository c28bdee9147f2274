import { afterAll, describe, expect, it } from "@jest/globals";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { installFakeClaude } from "./fake-claude.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "taskfleet-demo-agent-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function demo(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ exit: number | null; out: string }> {
  mkdirSync(path.join(folder, "tmp"), { recursive: true });
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "src/cli/main.ts", "demo", ...args], {
    env: { PATH: installFakeClaude(folder), HOME: folder, TMPDIR: path.join(folder, "tmp"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (out += part.toString()));
  return new Promise((resolve) => void child.on("close", (exit) => resolve({ exit, out })));
}

describe("the demo with an installed program", () => {
  it("lets it plan, build and review for real, from the issue to the merge", async () => {
    const { exit, out } = await demo(["--agent", "claude", "--json"], { ANTHROPIC_API_KEY: "sk-real-key-of-a-person" });
    if (exit !== 0) throw new Error(out.slice(-6000));
    const summary = JSON.parse(out.trim().split("\n").at(-1) ?? "") as { outcome: string; chunks: unknown[] };
    expect(summary).toMatchObject({ outcome: "merged", chunks: [{ id: "greet" }] });
    expect(out).toContain("not isolated");
    expect(out).not.toContain("sk-real-key-of-a-person");
    expect(readdirSync(path.join(folder, "tmp"))).toEqual([]);
  }, 240_000);

  it("says what is missing before anything starts", async () => {
    expect(await demo(["--agent", "claude"], {})).toMatchObject({
      exit: 2,
      out: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    expect(await demo(["--agent", "robot"], {})).toMatchObject({
      exit: 2,
      out: expect.stringContaining("claude, codex"),
    });
  }, 60_000);
});
