import { describe, expect, it } from "@jest/globals";
import { formatCommitMessage } from "../../src/contracts/commit-message.ts";
import { parseRunKey, type Sha } from "../../src/contracts/ids.ts";
import { formatEvidencePath } from "../../src/contracts/names.ts";
import { loadHistory } from "../../src/fleet/rebuild/load-history.ts";
import { createModelPlace } from "../github-contract/model-place.ts";

const run = parseRunKey("7-add-search");

describe("the history of a run's branch", () => {
  it("goes down to the fork past what people committed in between and on top", async () => {
    const { repository, main } = createModelPlace();
    const add = async (parent: Sha, path: string, message: string): Promise<Sha> => {
      const { tree } = await repository.loadCommit(parent);
      const changed = await repository.createTree(tree, [{ path, mode: "100644", content: message }]);
      return repository.createCommit({ tree: changed, parents: [parent], message });
    };
    const own = (subject: string): string => formatCommitMessage({ subject, run, ci: "skip" });
    const theirs = await add(main, "before.txt", "Before it all");
    const intake = await add(theirs, formatEvidencePath(run, { kind: "intent", revision: 1 }), own("Begin"));
    const landed = await add(intake, "a.txt", own("Land a"));
    const byHand = await add(landed, "b.txt", "Merge b by hand");
    const next = await add(byHand, "c.txt", own("Land c"));
    const top = await add(next, "d.txt", "Push something on top");
    const history = await loadHistory(repository, top, run);
    expect(history.fork).toBe(theirs);
    expect(history.own.map(({ sha }) => sha)).toEqual([intake, landed, next]);
  });
});
