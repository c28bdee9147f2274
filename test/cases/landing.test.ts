/** What keeps a chunk from landing, and what that means for the others. Rows of docs/cases.md. */
import { describe, expect, it } from "@jest/globals";
import { formatCommitMessage, parseTrailer } from "../../src/contracts/commit-message.ts";
import { decide } from "../../src/engine/decide.ts";
import { findRow } from "../../src/engine/table.ts";
import { buildLandingNote } from "../../src/messages/landing-note.ts";
import { deriveHeadline } from "../../src/messages/words/headline.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { TIMING } from "../engine-stories/play.ts";
import { passFloor, passReview } from "../engine-stories/results.ts";
import { Story } from "../engine-stories/story.ts";

const CHUNKS = [buildChunk("a"), buildChunk("b"), buildChunk("c", ["a"]), buildChunk("d", ["b"])];

/** Both are verified; somebody with write access has requested changes of the first one. */
function tellBlocked(): Story {
  const story = new Story({ config: { limits: { parallel: 4 } } }).propose(CHUNKS).approve();
  for (const chunk of CHUNKS.slice(0, 2)) {
    const id = chunkId(chunk.id);
    story.start(id).receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk));
  }
  const pull = findRow(story.state.chunks, chunkId("a"))?.pulls.at(-1)?.number ?? 0;
  return story.record({ kind: "ReviewsObserved", pull, blockers: ["bob"], n: 1 });
}

describe("a chunk of which somebody has requested changes", () => {
  it("waits for that person, while what does not need it lands and goes on", () => {
    const story = tellBlocked();
    const { actions, waits } = decide(story.state, story.now, TIMING);
    const landings = actions.flatMap((action) => (action.kind === "LandChunks" ? [action.chunks] : []));
    expect(landings).toEqual([["b"]]);
    expect(waits).toContainEqual(
      expect.objectContaining({ subject: "a", what: expect.stringContaining("bob requested changes") }),
    );
    story.land(chunkId("b"));
    const starts = decide(story.state, story.now, TIMING).actions.flatMap((action) =>
      action.kind === "DispatchJob" ? [action.dispatch.attempt?.chunk] : [],
    );
    expect(starts).toEqual(["d"]);
  });

  it("is named first where people look, and lands when that is overruled, with the reviewer's verdict untouched", () => {
    const story = tellBlocked();
    const headline = deriveHeadline(story.state, story.now);
    expect(headline.sentence).toBe("Chunk `a` is verified, but waits: bob requested changes.");
    const on = findRow(story.state.chunks, chunkId("a"))?.pulls.at(-1)?.number ?? 0;
    const args = "review it is as agreed";
    const comment = story.nextComment();
    story.record({ kind: "CommandReceived", comment, line: 0, on, by: "alice", name: "override", args });
    const landings = decide(story.state, story.now, TIMING).actions.flatMap((action) =>
      action.kind === "LandChunks" ? [action.chunks] : [],
    );
    expect(landings).toEqual([["a"]]);
    const message = formatCommitMessage(buildLandingNote(story.state, [chunkId("a")]));
    expect(parseTrailer(message, "Reviewed-by")).toBe("adversarial-review (PASS)");
    expect(parseTrailer(message, "Overridden-by")).toBe("alice (requested changes): it is as agreed");
    // Somebody else asks for something after that.
    story.record({ kind: "ReviewsObserved", pull: on, blockers: ["bob", "carol"], n: 2 });
    expect(deriveHeadline(story.state, story.now).sentence).toContain("carol requested changes");
  });
});
