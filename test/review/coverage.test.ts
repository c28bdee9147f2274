import { describe, expect, it } from "@jest/globals";
import { verifyVerdict, type VerdictInput } from "../../src/review/verify-verdict.ts";
import { goodVerdict, reviewInput } from "./sample-review.ts";

const all = ["src/greet.js", "test/greet.test.js"];

function judge(files: readonly string[], change: Partial<VerdictInput> = {}) {
  return verifyVerdict({ ...reviewInput(JSON.stringify({ ...goodVerdict(), files_reviewed: files })), ...change });
}

describe("a final review", () => {
  it("passes only what it has read: no diff, no verdict", () => {
    expect(judge(all, { coverage: "complete" }).outcome).toBe("pass");
    const result = judge(all.slice(1), { coverage: "complete" });
    expect(result).toMatchObject({ outcome: "void", reasons: [expect.stringContaining("`src/greet.js`")] });
  });

  it("needs nothing of what has no lines to read", () => {
    const { changes } = reviewInput("");
    const more = [{ path: "logo.png", kind: "add", addedLines: [] } as const];
    expect(judge(all, { coverage: "complete", changes: [...changes, ...more] }).outcome).toBe("pass");
  });
});

describe("a chunk's review", () => {
  it("that leaves a file out is shown with a warning that names it", () => {
    const result = judge(all.slice(1));
    expect(result).toMatchObject({ outcome: "pass", warnings: [expect.stringContaining("`src/greet.js`")] });
  });

  it("may name files of the tree nobody had to load", () => {
    const result = judge([...all, "src/gone.js", "docs/guide.md", "docs/lost.md"], {
      hasFile: (path) => path !== "docs/lost.md",
    });
    expect(result).toMatchObject({ warnings: ["The reviewer names 1 file that are not there."] });
  });
});
