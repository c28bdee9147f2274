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

  it("needs nothing of what cannot be read", () => {
    const { changes } = reviewInput("");
    const more = [{ path: "logo.png", kind: "add", addedLines: [], isText: false } as const];
    expect(judge(all, { coverage: "complete", changes: [...changes, ...more] }).outcome).toBe("pass");
  });

  it("names what is modified, whether or not anybody knows which lines", () => {
    const changes = Array.from({ length: 400 }, (_, index) => {
      return { path: `src/${index}.js`, kind: "modify", addedLines: [], isText: true } as const;
    });
    const more = { coverage: "complete", changes: [...reviewInput("").changes, ...changes] } as const;
    const result = judge(all, more);
    expect(result).toMatchObject({ outcome: "void", reasons: [expect.stringContaining("400 changed files")] });
    expect(judge([...all, ...changes.map(({ path }) => path)], more).outcome).toBe("pass");
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
