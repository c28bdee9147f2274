import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { EditPace } from "../../src/fleet/loop/edit-pace.ts";

const second = 1000;
const hour = 3600 * second;

describe("edits of texts that are edited over and over", () => {
  it("come at once for a text nobody has edited yet, then half a minute apart", () => {
    const pace = new EditPace();
    expect(pace.reserve(1, "a", "", 0)).toBe(0);
    pace.use("a", "", 0);
    expect(pace.reserve(1, "a", "", second)).toBe(30 * second);
    expect(pace.reserve(1, "a", "", 20 * second)).toBe(30 * second);
    expect(pace.reserve(1, "b", "", 20 * second)).toBe(20 * second);
  });

  it("come at once where the text does not say yet what people are asked", () => {
    const pace = new EditPace();
    pace.use("a", "", 0);
    expect(pace.reserve(1, "a", "approve", second)).toBe(second);
    pace.use("a", "approve", second);
    expect(pace.reserve(1, "a", "approve", 2 * second)).toBe(31 * second);
    // That nobody is asked any more can wait.
    expect(pace.reserve(1, "a", "", 2 * second)).toBe(31 * second);
  });

  it("come at once after a restart too, when nobody remembers what the text says", () => {
    const pace = new EditPace();
    for (let n = 0; n < 40; n += 1) pace.reserve(1, `t${n}`, "", 0);
    expect(pace.reserve(1, "late", "", 0)).toBeGreaterThan(0);
    expect(pace.reserve(1, "late", "approve", second)).toBe(second);
  });

  it("stay below a fifth of GitHub's hourly limit, however many texts change all the time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 60 }), (texts, everySeconds) => {
        const pace = new EditPace();
        let edits = 0;
        for (let now = 0; now < hour; now += everySeconds * second)
          for (let text = 0; text < texts; text += 1) {
            if (pace.reserve(1, `t${text}`, "", now) > now) continue;
            pace.use(`t${text}`, "", now);
            edits += 1;
          }
        expect(edits).toBeLessThanOrEqual(100 + 10);
      }),
      { numRuns: 20 },
    );
  });

  it("are shared out evenly: no text waits for its turn twice as long as another", () => {
    const pace = new EditPace();
    const counts = new Map<string, number>();
    for (let now = 0; now < 4 * hour; now += 10 * second)
      for (let n = 0; n < 30; n += 1) {
        const text = `t${n}`;
        if (pace.reserve(1, text, "", now) > now) continue;
        pace.use(text, "", now);
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(2);
  });

  it("of one installation do not slow another one's", () => {
    const pace = new EditPace();
    for (let n = 0; n < 100; n += 1) pace.reserve(1, `t${n}`, "", 0);
    expect(pace.reserve(1, "late", "", 0)).toBeGreaterThan(hour / 2);
    expect(pace.reserve(2, "other", "", 0)).toBe(0);
  });

  it("of a run that is over are forgotten", () => {
    const pace = new EditPace();
    pace.use("5/1-a/status", "", 0);
    pace.use("5/1-ab/status", "", 0);
    pace.forget("5/1-a/");
    expect(pace.reserve(1, "5/1-a/status", "", second)).toBe(second);
    expect(pace.reserve(1, "5/1-ab/status", "", second)).toBe(30 * second);
  });
});
