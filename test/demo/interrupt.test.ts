import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "@jest/globals";

let temporary = "";
beforeEach(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), "taskfleet-interrupt-"));
});
afterEach(async () => await rm(temporary, { recursive: true, force: true }));

/** Processes below /proc that were started with our folder for temporary files; none where there is no /proc. */
async function listSurvivors(): Promise<readonly string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/u.test(name));
  const found: string[] = [];
  for (const pid of pids) {
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (environment.includes(temporary)) found.push(pid);
  }
  return found;
}

it("a demo that is interrupted in the middle of its work ends and leaves no file and no process", async () => {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const demo = spawn(process.execPath, ["src/cli/main.ts", "demo"], {
    env: { ...env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(demo, "exit");
  const errors: string[] = [];
  createInterface({ input: demo.stderr }).on("line", (line) => errors.push(line));
  for await (const line of createInterface({ input: demo.stdout })) {
    if (line.includes("an agent implements it")) demo.kill("SIGINT");
  }
  const [code] = (await exited) as [number | null];
  expect(errors.join("\n")).toContain("The demo failed: interrupted.");
  expect(code).toBe(130);
  expect(await readdir(temporary)).toEqual([]);
  expect(await listSurvivors()).toEqual([]);
}, 180_000);
