import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Program, type ProgramResult, runProgram } from "../../src/worker/process/run-program.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "taskfleet-program-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(text: string, fields: Partial<Program> = {}): Promise<ProgramResult> {
  const file = path.join(folder, "program.mjs");
  writeFileSync(file, `import fs from "node:fs";\nimport { spawn } from "node:child_process";\n${text}`);
  return runProgram({
    argv: [process.execPath, file],
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
    input: "",
    timeoutMs: 60_000,
    maxOutputBytes: 1_000_000,
    graceMs: 200,
    ...fields,
  });
}

/** Whether a process is there (a killed child of somebody else may stay as a zombie for a moment). */
async function isGone(pid: number): Promise<boolean> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    // Reaped by init at its leisure: give it the turn of the event loop, not a guess of time.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("an agent's program", () => {
  it("gets its input and gives its output, errors apart", async () => {
    const result = await run('console.log(fs.readFileSync(0, "utf8").length); console.error("hm");', {
      input: "x".repeat(300_000),
    });
    expect(result).toEqual({ ended: "exited", exit: 0, error: "", stdout: "300000\n", stderr: "hm\n" });
  });

  it("may end without reading its input", async () => {
    expect((await run("process.exit(4);", { input: "x".repeat(5_000_000) })).exit).toBe(4);
  });

  it("is not started when it does not exist, and the reason is told", async () => {
    const result = await run("", { argv: ["no-such-program-here"] });
    expect(result).toMatchObject({ ended: "not-started", error: expect.stringContaining("ENOENT") });
  });

  it("is not started with arguments no system takes", async () => {
    expect((await run("", { argv: [process.execPath, "a\u0000b"] })).ended).toBe("not-started");
  });

  it("is ended with its children when it takes too long, also when it ignores being asked", async () => {
    const result = await run(
      `process.on("SIGTERM", () => {});
       const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: "ignore" });
       fs.writeFileSync("child", String(child.pid));
       setInterval(() => {}, 1000);`,
      { timeoutMs: 1500 },
    );
    expect(result.ended).toBe("timed-out");
    expect(await isGone(Number(readPid()))).toBe(true);
  });

  it("leaves nothing running when it ends by itself", async () => {
    const result = await run(
      `const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
       fs.writeFileSync("child", String(child.pid)); child.unref(); process.exit(0);`,
    );
    expect(result.ended).toBe("exited");
    expect(await isGone(Number(readPid()))).toBe(true);
  });

  it("is ended when it prints without end", async () => {
    const result = await run('for (;;) fs.writeSync(1, "x".repeat(65536));', { maxOutputBytes: 200_000 });
    expect(result).toMatchObject({ ended: "oversize", stdout: "" });
  });

  it("is ended when the run is cancelled", async () => {
    const cancel = new AbortController();
    const watching = run('fs.writeFileSync("started", ""); setInterval(() => {}, 1000);', { signal: cancel.signal });
    while (!existsSync(path.join(folder, "started"))) await new Promise((resolve) => setImmediate(resolve));
    cancel.abort();
    expect((await watching).ended).toBe("cancelled");
  });
});

function readPid(): string {
  return readFileSync(path.join(folder, "child"), "utf8");
}
