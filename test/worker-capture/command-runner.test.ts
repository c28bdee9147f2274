import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { CommandRunner } from "../../src/worker/capture/command-runner.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "taskfleet-runner-"));
});
afterEach(() => rmSync(root, { recursive: true }));

describe("a command whose leftovers cannot be ended", () => {
  it("is no evidence of anything: the job fails, not the command", async () => {
    const runner = new CommandRunner({
      root,
      commit: "a".repeat(40),
      isolation: {
        home: root,
        uid: null,
        prefix: [],
        description: "",
        endLeftovers: () => Promise.reject(new Error("it did not end")),
        end: () => Promise.resolve(),
      },
      git: { cwd: root },
      env: process.env,
      signal: undefined,
    });
    await expect(runner.run("true", 1)).rejects.toThrow("it did not end");
    const report = { command: "true", timeout_minutes: 1, report: "report.xml" };
    await expect(runner.runForReport(report)).rejects.toThrow("it did not end");
  });
});
