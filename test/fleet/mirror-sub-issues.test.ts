import { beforeEach, describe, expect, it } from "@jest/globals";
import { mirrorSubIssues } from "../../src/fleet/mirror/mirror-sub-issues.ts";
import type { SubIssue, TrackerPort } from "../../src/github/port.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { Story } from "../engine-stories/story.ts";

let issues: SubIssue[];
let blockers: Map<number, number[]>;
let writes: string[];

/** A tracker in memory; its ids are ten times its numbers. */
const tracker: TrackerPort = {
  loadSubIssues: () => Promise.resolve([...issues]),
  createSubIssue(_parent, { title, body }) {
    writes.push(`create ${title}`);
    const number = issues.length + 1;
    const issue: SubIssue = { id: number * 10, number, title, body, state: "open", own: true };
    issues.push(issue);
    return Promise.resolve(issue);
  },
  updateSubIssue(number, { state, ...text }) {
    writes.push(`update ${number} ${state ?? "text"}`);
    issues = issues.map((one) =>
      one.number === number
        ? { ...one, ...text, ...(state === undefined ? {} : { state: state === "open" ? "open" : "closed" }) }
        : one,
    );
    return Promise.resolve();
  },
  loadBlockers: (number) => Promise.resolve(blockers.get(number) ?? []),
  addBlocker(number, id) {
    writes.push(`${number} waits for ${id}`);
    blockers.set(number, [...(blockers.get(number) ?? []), id]);
    return Promise.resolve();
  },
  removeBlocker(number, id) {
    writes.push(`${number} waits for ${id} no more`);
    blockers.set(
      number,
      (blockers.get(number) ?? []).filter((one) => one !== id),
    );
    return Promise.resolve();
  },
};

beforeEach(() => {
  issues = [];
  blockers = new Map();
  writes = [];
});

const approved = (ids: readonly string[]): Story =>
  new Story().propose(ids.map((id, n) => buildChunk(id, n === 0 ? [] : [ids[0] ?? ""]))).approve();

describe("the sub-issues of a run", () => {
  it("are written once: a second look at the same state changes nothing", async () => {
    const { state } = approved(["a", "b"]);
    await mirrorSubIssues(tracker, state);
    expect(writes).toEqual([
      expect.stringMatching(/^create a/u),
      expect.stringMatching(/^create b/u),
      "2 waits for 10",
    ]);
    writes = [];
    await mirrorSubIssues(tracker, state);
    expect(writes).toEqual([]);
  });

  it("are none before a plan is approved", async () => {
    await mirrorSubIssues(tracker, new Story().propose([buildChunk("a")]).state);
    expect(writes).toEqual([]);
  });

  it("get back what somebody changed, but keep what people say they wait for", async () => {
    const { state } = approved(["a", "b"]);
    await mirrorSubIssues(tracker, state);
    issues = issues.map((one) => (one.number === 1 ? { ...one, title: "Mine now", state: "closed" } : one));
    blockers.set(2, [10, 999]);
    writes = [];
    await mirrorSubIssues(tracker, state);
    expect(writes).toEqual(["update 1 text", "update 1 open"]);
    expect(blockers.get(2)).toEqual([10, 999]);
  });

  it("stop at a hundred, people's own and closed ones counted, and say which chunks are left out", async () => {
    const foreign = { title: "x", body: "", state: "closed", own: false } as const;
    issues = Array.from({ length: 99 }, (_, n) => ({ ...foreign, id: n + 1000, number: n + 1000 }));
    const { left } = await mirrorSubIssues(tracker, approved(["a", "b", "c"]).state);
    expect(left).toEqual(["b", "c"]);
    expect(writes).toHaveLength(1);
  });

  it("of chunks that a later plan does not have are closed, what people made is not", async () => {
    await mirrorSubIssues(tracker, approved(["a", "b"]).state);
    const copied = { ...(issues[0] as SubIssue), id: 990, number: 99, own: false };
    issues.push(copied);
    writes = [];
    await mirrorSubIssues(tracker, approved(["a"]).state);
    expect(writes).toEqual(["update 2 not_planned"]);
  });
});
