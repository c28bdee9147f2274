import { describe, expect, it } from "@jest/globals";
import { listProtectedAllowance } from "../../src/engine/derive/protected-allowance.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { Story } from "../engine-stories/story.ts";

const config = buildChunk("config", [], { files_touched: ["tsconfig.json"] });
const code = buildChunk("code", [], { files_touched: ["src/code.js"] });
const propose = (): Story => new Story().propose([config, code]);

describe("a protected file", () => {
  it("may be changed by the chunk that declares it, once a person has approved the plan", () => {
    const story = propose().approve();
    expect(listProtectedAllowance(story.state, [config])).toEqual(["tsconfig.json"]);
    expect(listProtectedAllowance(story.state, [code])).not.toContain("tsconfig.json");
  });

  it("may be changed by nobody before the plan is approved, nor when only the policy approved it", () => {
    const story = propose();
    expect(listProtectedAllowance(story.state, [config])).toEqual([]);
    const { hash = "" } = story.state.revisions[0] ?? {};
    story.record({ kind: "PlanApproved", rev: 1, hash, by: "policy", why: "the approval policy is `auto`" });
    expect(story.state.approved).toMatchObject({ rev: 1, by: "policy" });
    expect(listProtectedAllowance(story.state, [config])).toEqual([]);
  });
});
