import { describe, expect, it } from "@jest/globals";
import type { Action } from "../../src/engine/action.ts";
import type { Fleet } from "../../src/fleet/context.ts";
import { EditPace } from "../../src/fleet/loop/edit-pace.ts";
import { findRoom } from "../../src/fleet/loop/find-room.ts";
import { pickAction } from "../../src/fleet/loop/pick-action.ts";
import { Story } from "../engine-stories/story.ts";
import { keepRun } from "./kept-run.ts";

const NOW = 1_000_000;
const comment = { key: "comment", priority: "cosmetic", kind: "PostComment" } as unknown as Action;
const review = { key: "review", priority: "landing", kind: "PostReview" } as unknown as Action;
const pull = { key: "pull", priority: "dispatch", kind: "OpenChunkPull" } as unknown as Action;
const landing = { key: "land", priority: "landing", kind: "LandChunks" } as unknown as Action;
const end = { key: "end", priority: "landing", kind: "EndRun" } as unknown as Action;

type Parts = Pick<Fleet, "github" | "reviewer">;

/** A fleet whose limits leave room from these times on. */
function limit(room: { readonly write: number; readonly content: number }, apps: "one" | "two" = "one"): Parts {
  const github = { roomAt: (installation: number, cost: "write" | "content") => (installation === 5 ? room[cost] : 0) };
  return { github, ...(apps === "two" ? { reviewer: {} } : {}) } as unknown as Parts;
}

describe("room for an action", () => {
  it("is there at once where no limit is known, is kept, or is nearly over", () => {
    for (const action of [comment, review, pull, landing, end]) {
      expect(findRoom({ github: {} } as Parts, 5, action, NOW)).toBe(NOW);
      expect(findRoom(limit({ write: NOW + 60_000, content: NOW + 60_000 }), 6, action, NOW)).toBe(NOW);
      expect(findRoom(limit({ write: NOW - 1, content: NOW + 1_500 }), 5, action, NOW)).toBe(NOW);
    }
  });

  it("is asked of the limit that the action spends", () => {
    const fleet = limit({ write: NOW, content: NOW + 60_000 });
    expect(findRoom(fleet, 5, landing, NOW)).toBe(NOW);
    expect(findRoom(fleet, 5, comment, NOW)).toBeGreaterThan(NOW);
    const busy = limit({ write: NOW + 60_000, content: NOW + 60_000 });
    expect(findRoom(busy, 5, landing, NOW)).toBeGreaterThan(NOW);
    expect(findRoom(busy, 5, end, NOW)).toBe(NOW);
  });

  it("is first the landings', and the verdict's that stands before one", () => {
    const fleet = limit({ write: NOW + 60_000, content: NOW + 60_000 });
    const [first, second, third] = [review, pull, comment].map((action) => findRoom(fleet, 5, action, NOW));
    expect(first).toBe(NOW + 60_000);
    expect(second).toBeGreaterThan(first ?? Infinity);
    expect(third).toBeGreaterThan(second ?? Infinity);
  });

  it("is not ours to know for what a second App does with limits of its own", () => {
    const fleet = limit({ write: NOW, content: NOW + 60_000 }, "two");
    expect(findRoom(fleet, 5, review, NOW)).toBe(NOW);
    expect(findRoom(fleet, 5, comment, NOW)).toBeGreaterThan(NOW);
  });
});

it("What there is no room for is passed over, and the run comes back when there is", async () => {
  const session = await (await keepRun(new Story({ issue: 7 }).intake(), {})).load();
  const now = session.fleet.clock.now();
  Object.assign(session.fleet.github, {
    roomAt: (_: number, cost: string) => (cost === "content" ? now + 60_000 : now),
  });
  const pace = new EditPace();
  expect(pickAction(session, [pull, comment, landing], pace)).toEqual({ action: landing, heldUntil: now + 61_000 });
  expect(pickAction(session, [comment, pull], pace)).toEqual({ action: null, heldUntil: now + 61_000 });
});
