/** A repository with more files than GitHub lists in one answer is nobody's fault. */
import { describe, expect, it } from "@jest/globals";
import { parseSha } from "../../src/contracts/ids.ts";
import type { JobState } from "../../src/engine/state.ts";
import { buildTable } from "../../src/engine/table.ts";
import type { DoneResult } from "../../src/fleet/results/done-result.ts";
import { interpretResult } from "../../src/fleet/results/interpret-result.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import { nothingCaptured } from "../floor/support/build-captures.ts";

const SHA = parseSha("a".repeat(40));
const JOB = "7-x/job/1";

/** A run with one chunk whose attempt is looked at, in a repository whose trees GitHub cuts short. */
function openSession(): RunSession {
  const attempt = { n: 1, job: JOB, base: SHA, head: SHA, floor: null };
  const chunk = { id: "greet", title: "Greet", deps: [], tier: "code", brief: "x", files_touched: ["a"], checks: [] };
  const session = {
    state: {
      run: { run: "7-x", config: { protected: [], floor: { tests: { files: [] } } } },
      chunks: buildTable([["greet", { attempts: [attempt], landed: null }]]),
      revisions: [{ rev: 1, plan: { chunks: [chunk], acceptance: [] } }],
      approved: { rev: 1, by: "mara" },
      baseline: { bound: { document: "baseline" } },
      verified: {},
    },
    repository: {
      loadCommit: () => Promise.resolve({ tree: SHA }),
      loadTree: () => Promise.resolve(null),
      loadFile: () => Promise.resolve(null),
    },
    fleet: { store: { loadDocument: () => Promise.resolve(captures) } },
  };
  return session as unknown as RunSession;
}

const data = nothingCaptured({ commit: SHA, toolchain: "sh 1.0.0" });
const captures = JSON.stringify(data);

describe("where GitHub does not list the whole tree", () => {
  it.each<[string, JobState["subject"], DoneResult["payload"]]>([
    [
      "an implementer",
      { role: "implement", chunk: "greet" } as never,
      { kind: "change-set", changeSet: { v: 1, base: SHA, entries: [] } },
    ],
    ["a floor", { role: "floor", subject: "chunk-greet" } as never, { kind: "captures", captures: data }],
    ["a reviewer", { role: "review", chunk: "greet" } as never, { kind: "text", text: "{}" }],
  ])("%s has not failed", async (_, subject, payload) => {
    const job = { job: JOB, subject, attemptOf: 1 } as unknown as JobState;
    const result = { outcome: "done", summary: "done", payload } as unknown as DoneResult;
    expect(await interpretResult(openSession(), job, result)).toEqual({
      outcome: "lost",
      cause: expect.stringContaining("does not list the whole tree"),
    });
  });
});
