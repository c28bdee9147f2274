import { beforeEach, describe, expect, it } from "@jest/globals";
import { mirrorSubIssues } from "../../src/fleet/mirror/mirror-sub-issues.ts";
import type { RunState } from "../../src/engine/state.ts";
import type { SubIssue, TrackerPort } from "../../src/github/tracker-port.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { Story } from "../engine-stories/story.ts";

let issues: SubIssue[];
/** Below no other one. */
let lost: SubIssue[];
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
  loadOwnIssues: () => Promise.resolve([...lost]),
  attachSubIssue(_parent, id) {
    writes.push(`attach ${id}`);
    issues.push(...lost.filter((one) => one.id === id));
    return Promise.resolve();
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
  lost = [];
  blockers = new Map();
  writes = [];
});

const show = (state: RunState, most = 1000) => mirrorSubIssues(tracker, state, most);

const approved = (ids: readonly string[]): Story =>
  new Story().propose(ids.map((id, n) => buildChunk(id, n === 0 ? [] : [ids[0] ?? ""]))).approve();

describe("the sub-issues of a run", () => {
  it("are written once: a second look at the same state changes nothing", async () => {
    const { state } = approved(["a", "b"]);
    await show(state);
    expect(writes).toEqual([
      expect.stringMatching(/^create a/u),
      expect.stringMatching(/^create b/u),
      "2 waits for 10",
    ]);
    writes = [];
    await show(state);
    expect(writes).toEqual([]);
  });

  it("are none before a plan is approved", async () => {
    await show(new Story().propose([buildChunk("a")]).state);
    expect(writes).toEqual([]);
  });

  it("get back what somebody changed, but keep what people say they wait for", async () => {
    const { state } = approved(["a", "b"]);
    await show(state);
    issues = issues.map((one) => (one.number === 1 ? { ...one, title: "Mine now", state: "closed" } : one));
    blockers.set(2, [10, 999]);
    writes = [];
    await show(state);
    expect(writes).toEqual(["update 1 text", "update 1 open"]);
    expect(blockers.get(2)).toEqual([10, 999]);
  });

  it("stop at a hundred, people's own and closed ones counted, and say which chunks are left out", async () => {
    const foreign = { title: "x", body: "", state: "closed", own: false } as const;
    issues = Array.from({ length: 99 }, (_, n) => ({ ...foreign, id: n + 1000, number: n + 1000 }));
    const { left } = await show(approved(["a", "b", "c"]).state);
    expect(left).toEqual(["b", "c"]);
    expect(writes).toHaveLength(1);
  });

  it("that were written but not put below their issue are put there, and not written twice", async () => {
    const { state } = approved(["a", "b"]);
    await show(state);
    const [first] = issues.splice(0, 1);
    lost = [{ ...(first as SubIssue), own: false, id: 660 }, first as SubIssue];
    writes = [];
    await show(state);
    expect(writes).toEqual(["attach 10"]);
    expect(issues).toHaveLength(2);
  });

  it("are written a few at a time, and each once", async () => {
    const { state } = approved(["a", "b", "c", "d"]);
    const turns: number[] = [];
    for (let complete = false; !complete && turns.length < 9;) {
      const before = writes.length;
      ({ complete } = await show(state, 3));
      turns.push(writes.length - before);
    }
    expect(turns).toEqual([3, 3, 1]);
    expect(new Set(writes).size).toBe(7);
    expect((await show(state, 0)).complete).toBe(true);
  });

  it("of chunks that a later plan does not have are closed, what people made is not", async () => {
    await show(approved(["a", "b"]).state);
    const copied = { ...(issues[0] as SubIssue), id: 990, number: 99, own: false };
    issues.push(copied);
    writes = [];
    await show(approved(["a"]).state);
    expect(writes).toEqual(["update 2 not_planned"]);
  });
});
