import { expect, it } from "@jest/globals";
import { formatBranch } from "../../src/contracts/names.ts";
import { applyDeleteBranch } from "../../src/fleet/apply/delete-branch.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import { chunkId } from "../engine-stories/names.ts";
import { Story } from "../engine-stories/story.ts";

it("with the run's own branch goes what was forgotten, and nothing that a person named", async () => {
  const { state, run } = new Story().intake();
  const integration = formatBranch({ kind: "integration", run });
  const forgotten = formatBranch({ kind: "chunk", run, chunk: chunkId("a") });
  const left = new Set([integration, forgotten, `taskfleet/${run}/my-fix`, `${forgotten}/try`]);
  const session = {
    state,
    repository: {
      loadBranches: async () => [...left],
      deleteBranch: async (branch: string) => void left.delete(branch),
    },
  } as unknown as RunSession;
  const what = { key: "delete", reason: "", priority: "cosmetic", probe: false } as const;
  await applyDeleteBranch(session, { kind: "DeleteBranch", branch: integration, ...what });
  expect([...left]).toEqual([`taskfleet/${run}/my-fix`, `${forgotten}/try`]);
});
