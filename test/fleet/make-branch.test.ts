import { describe, expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import type { Sha } from "../../src/contracts/ids.ts";
import { makeBranch } from "../../src/fleet/apply/make-branch.ts";
import { fakeSha } from "../engine-stories/names.ts";

const BASE = fakeSha("base");

function refuse(said: string, head: Sha | null) {
  return {
    createBranch: () => Promise.reject(new GitHubFailure("conflict", said, { status: 422 })),
    loadBranch: () => Promise.resolve(head),
  };
}

describe("a branch that GitHub does not make", () => {
  it("is where it was when it exists", async () => {
    const there = fakeSha("an older attempt");
    expect(await makeBranch(refuse("Reference already exists", there), "b", BASE)).toBe(there);
  });

  it("is not there when GitHub does not know the commit yet: it is tried again", async () => {
    await expect(makeBranch(refuse("Object does not exist", null), "b", BASE)).rejects.toMatchObject({
      kind: "transient",
    });
  });
});
