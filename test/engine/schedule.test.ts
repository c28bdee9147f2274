import { describe, expect, it } from "@jest/globals";
import { deriveSchedule } from "../../src/engine/derive/schedule.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { failFloor, failReview, passFloor, passReview, REGRESSION } from "../engine-stories/results.ts";
import { Story } from "../engine-stories/story.ts";

function starts(story: Story): readonly string[] {
  return deriveSchedule(story.state).start.map((chunk) => chunk.id);
}

function land(story: Story, id: string): Story {
  const chunk = chunkId(id);
  story
    .start(chunk)
    .receive(chunk)
    .commit(chunk)
    .floor(chunk, passFloor())
    .review(chunk, passReview(buildChunk(id)));
  return story.land(chunk);
}

describe("what starts", () => {
  it("starts the chunk with the longest way still to go first", () => {
    const story = new Story().propose([
      buildChunk("leaf"),
      buildChunk("root"),
      buildChunk("middle", ["root"]),
      buildChunk("end", ["middle"]),
      buildChunk("short"),
      buildChunk("after", ["short"]),
    ]);
    expect(starts(story.approve())).toEqual(["root", "short", "leaf"]);
  });

  it("waits until all deps have landed or were dropped by people", () => {
    const story = new Story().propose([buildChunk("a"), buildChunk("b"), buildChunk("c", ["a", "b"])]).approve();
    land(story, "a");
    expect(starts(story)).toEqual(["b"]);
    story.command("skip", "b");
    expect(starts(story)).toEqual(["c"]);
  });

  it("keeps no agent's place for what people implement", () => {
    const { parallel } = new Story().state.run.config.limits;
    const ids = Array.from({ length: parallel + 1 }, (_, index) => `c${index}`);
    const wide = new Story().propose(ids.map((id) => buildChunk(id))).approve();
    wide.command("take", ids[0] ?? "");
    expect(starts(wide)).toEqual(ids.slice(1));
    expect(deriveSchedule(wide.state)).toMatchObject({ taken: [{ id: ids[0] }], held: [] });
  });

  it("prepares one of two chunks with a common file that people have taken, and says so of the other", () => {
    const files_touched = ["src/shared.js"];
    const story = new Story().propose(["a", "b"].map((id) => buildChunk(id, [], { files_touched }))).approve();
    story.command("take", "a");
    story.command("take", "b");
    const schedule = () => deriveSchedule(story.state);
    expect(schedule()).toMatchObject({ start: [], taken: [{ id: "a" }], held: [{ subject: "b" }] });
    const base = story.state.integration?.tip ?? fakeSha("tip");
    story.record({ kind: "TakePrepared", chunk: chunkId("a"), base, n: 1 });
    expect(schedule()).toMatchObject({ taken: [{ id: "a" }], held: [{ subject: "b" }] });
    expect(schedule().held[0]?.what).toContain("a person implements");
    story.command("skip", "a");
    expect(schedule()).toMatchObject({ taken: [{ id: "b" }], held: [] });
  });

  it("lets what is under way be tried again before a person takes over its files", () => {
    const files_touched = ["src/shared.js"];
    const story = new Story().propose(["a", "b"].map((id) => buildChunk(id, [], { files_touched }))).approve();
    const id = chunkId("a");
    story.start(id);
    story.command("take", "b");
    story.receive(id).commit(id).floor(id, failFloor());
    expect(deriveSchedule(story.state)).toMatchObject({ start: [{ id: "a" }], taken: [], held: [{ subject: "b" }] });
  });

  it("tries only one of two chunks with a common file again that both have failed, once a person has overruled the first", () => {
    const chunks = ["a", "b"].map((id) => buildChunk(id, [], { files_touched: ["src/shared.js"] }));
    const story = new Story({ config: { limits: { tries: 2 } } }).propose(chunks).approve();
    const [a, b] = [chunkId("a"), chunkId("b")];
    for (const _ of [1, 2]) story.start(a).receive(a).commit(a).floor(a, failFloor(REGRESSION));
    // A person's business, it lets the other one begin.
    expect(starts(story)).toEqual(["b"]);
    story.start(b).receive(b).commit(b).floor(b, failFloor(REGRESSION));
    const on = story.state.chunks.rows[0]?.pulls[0]?.number ?? 0;
    const args = "no-regression it is known";
    story.record({ kind: "CommandReceived", comment: 900, line: 0, on, by: "alice", name: "override", args });
    story.review(a, failReview(buildChunk("a"), []));
    expect(deriveSchedule(story.state)).toMatchObject({ start: [{ id: "a" }], held: [{ subject: "b" }] });
  });

  it("lets nothing that waits for its dependencies again hold the files they need", () => {
    const files_touched = ["src/shared.js"];
    const chunks = [buildChunk("a", [], { files_touched }), buildChunk("b", ["a"], { files_touched })];
    const taken = new Story().propose(chunks).approve();
    taken.command("take", "b");
    expect(deriveSchedule(taken.state)).toMatchObject({ start: [{ id: "a" }], held: [] });
    const failed = new Story().propose(chunks).approve();
    const id = chunkId("b");
    failed.command("skip", "a");
    failed.start(id).receive(id).commit(id).floor(id, failFloor());
    failed.command("retry", "a");
    expect(deriveSchedule(failed.state)).toMatchObject({ start: [{ id: "a" }], held: [] });
  });

  it("lets only one of two chunks with a common file be under way, from dispatch until it has landed", () => {
    const files = (id: string): readonly string[] => ["src/shared.js", `src/${id}.js`];
    const story = new Story()
      .propose(["a", "b"].map((id) => buildChunk(id, [], { files_touched: files(id) })))
      .approve();
    expect(starts(story)).toEqual(["a"]);
    const id = chunkId("a");
    for (const step of [
      () => story.start(id),
      () => story.receive(id),
      () => story.commit(id),
      () => story.floor(id, passFloor()),
      () => story.review(id, passReview(buildChunk("a"))),
    ]) {
      step();
      expect(starts(story)).toEqual([]);
      expect(deriveSchedule(story.state).held).toMatchObject([
        { subject: "b", what: "its files overlap with `a`, which is under way" },
      ]);
    }
    expect(starts(story.land(id))).toEqual(["b"]);
  });

  it("takes files for the same that only case-insensitive disks confuse, and a folder for its files", () => {
    const story = new Story()
      .propose([
        buildChunk("a", [], { files_touched: ["src/Shared.js"] }),
        buildChunk("b", [], { files_touched: ["src/shared.js"] }),
      ])
      .approve();
    expect(starts(story)).toEqual(["a"]);
  });

  it("never lets more agents work than the configuration allows", () => {
    const story = new Story({ config: { limits: { parallel: 2 } } })
      .propose(["a", "b", "c", "d"].map((id) => buildChunk(id)))
      .approve();
    expect(starts(story)).toEqual(["a", "b"]);
    story.start(chunkId("a"));
    expect(starts(story)).toEqual(["b"]);
    story.start(chunkId("b"));
    expect(starts(story)).toEqual([]);
    // The agent is done, so its place is free while floor and reviewer look at the result.
    story.receive(chunkId("a"));
    expect(starts(story)).toEqual(["c"]);
  });

  it("holds the files of a chunk that is retried while it is under way", () => {
    const files = (id: string): readonly string[] => ["src/shared.js", `src/${id}.js`];
    const story = new Story()
      .propose(["a", "b"].map((id) => buildChunk(id, [], { files_touched: files(id) })))
      .approve()
      .start(chunkId("a"));
    story.command("retry", "a");
    expect(starts(story)).not.toContain("b");
  });
});
