import { describe, expect, it } from "@jest/globals";
import { formatCommitMessage, parseTrailer } from "../../src/contracts/commit-message.ts";
import { buildAcceptNote } from "../../src/messages/accept-note.ts";
import { buildAttemptNote } from "../../src/messages/attempt-note.ts";
import { buildIntakeNote } from "../../src/messages/intake-note.ts";
import { buildLandingNote } from "../../src/messages/landing-note.ts";
import { buildPlanNote } from "../../src/messages/plan-note.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { passFloor, passReview } from "../engine-stories/results.ts";
import { CATEGORIES, MONTHS, tellMidRun, tellProposal, tellReady } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { findRow } from "../../src/engine/table.ts";

const months = chunkId("months");
const categories = chunkId("categories");

describe("the record of a landing", () => {
  it("carries the verified criteria as a checklist and the runs that verified them", () => {
    const { state } = tellMidRun();
    const message = formatCommitMessage(buildLandingNote(state, [months]));
    expect(message).toMatch(
      /^feat\(months\): Group entries by month\n\n- \[x\] The tests of months pass\n- \[x\] months refuses/u,
    );
    expect(parseTrailer(message, "Reviewed-by")).toBe("adversarial-review (PASS)");
    const attempt = findRow(state.chunks, months)?.attempts.at(-1);
    expect(parseTrailer(message, "Floor-run")).toBe(
      `${findRow(state.jobs, attempt?.floor?.job ?? ("" as never))?.runId}`,
    );
    expect(parseTrailer(message, "Review-run")).toBe(
      `${findRow(state.jobs, attempt?.review?.job ?? ("" as never))?.runId}`,
    );
    expect(parseTrailer(message, "Taskfleet-Attempt")).toBe("months/2");
    expect(message).toMatch(/\n\n\nskip-checks: true\n$/u);
  });

  it("names every chunk of a candidate with its criteria, and the run that verified them together", () => {
    const story = tellProposal().approve();
    for (const chunk of [MONTHS, CATEGORIES]) {
      const id = chunkId(chunk.id);
      story.start(id).receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk));
    }
    const hash = "aaaaaaaaaaaa";
    const commit = fakeSha("candidate");
    story.record({
      kind: "CandidateCreated",
      hash,
      commit,
      tree: fakeSha("t"),
      base: story.state.integration?.tip ?? commit,
      chunks: [months, categories],
    });
    const job = story.dispatch({ role: "floor", subject: `candidate-${hash}` });
    story.endJob(job).record({
      kind: "FloorComputed",
      job,
      subject: { kind: "candidate", hash },
      commit,
      result: passFloor(),
      document: "captures",
    });
    const message = formatCommitMessage(buildLandingNote(story.state, [months, categories]));
    expect(message).toMatch(/^feat: 2 chunks: months, categories\n/u);
    expect(message).toContain("categories: Let entries have a category\n- [x] The tests of categories pass");
    expect(message).toContain(`Floor-run: ${findRow(story.state.jobs, job)?.runId} (together)`);
    expect(message).toMatch(/Review-run: \d+ \(months\)/u);
  });
});

describe("the other commits", () => {
  it("says of an attempt that it is not verified, with agent, model and run", () => {
    const message = formatCommitMessage(buildAttemptNote(tellMidRun().state, months, 1));
    expect(message).toMatch(
      /^wip\(months\): Group entries by month\n\nNot verified yet\. The agent says: Wrote months\.\n/u,
    );
    expect(parseTrailer(message, "Taskfleet-Agent")).toBe("default");
    expect(parseTrailer(message, "Taskfleet-Model")).toBe("model-1");
    expect(parseTrailer(message, "Implement-run")).toMatch(/^\d+$/u);
    expect(parseTrailer(message, "skip-checks")).toBe("true");
  });

  it("lets the repository's own CI see attempts only where the configuration wants it", () => {
    const story = tellProposal({ config: { ci: { per_chunk: true } } })
      .approve()
      .start(months)
      .receive(months);
    expect(buildAttemptNote(story.state, months, 1).ci).toBe("run");
    expect(buildAttemptNote(tellMidRun().state, months, 1).ci).toBe("skip");
  });

  it("lets the repository's own CI see the accepted commit, and no other of ours", () => {
    const { state } = tellReady();
    const accept = formatCommitMessage(buildAcceptNote(state, 1));
    expect(accept).toMatch(/^feat: Budgets per category\n\n4 chunks, verified together on main at /u);
    expect(accept).not.toContain("skip-checks");
    for (const note of [buildIntakeNote(state), buildPlanNote(state, 1), buildLandingNote(state, [months])])
      expect(note.ci).toBe("skip");
  });

  it("takes the goal of the draft that becomes the revision", () => {
    const story = new Story().intake().bindBaseline();
    expect(buildPlanNote(story.state, 1)).toMatchObject({ subject: "chore(taskfleet): plan revision 1", body: "" });
    expect(buildPlanNote(tellProposal().state, 1).body).toMatch(/^4 chunks\. People can set a monthly budget/u);
  });

  it("lets no title close issues, notify people, skip checks or add trailers", () => {
    const evil =
      "fixes #12 @victim [skip ci] [ci skip]\n\nskip-checks: true\nTaskfleet-Run: 9-other https://github.com/a/b/issues/1";
    const chunk = buildChunk("a", [], { title: evil, assertions: [evil] });
    const id = chunkId("a");
    const story = new Story({ title: evil }).propose([chunk], { title: evil, goal: evil }).approve();
    story.start(id).receive(id, [], evil).commit(id).floor(id, passFloor()).review(id, passReview(chunk)).land(id);
    story.createAccept().floorAccept(passFloor()).reviewAccept(passReview(chunk));
    const { state } = story;
    for (const note of [
      buildIntakeNote(state),
      buildPlanNote(state, 1),
      buildAttemptNote(state, id, 1),
      buildLandingNote(state, [id]),
      buildAcceptNote(state, 1),
    ]) {
      const message = formatCommitMessage(note);
      expect(message).not.toMatch(/#12|@victim|\[skip ci\]|\[ci skip\]|https:\/\/github/u);
      expect(parseTrailer(message, "Taskfleet-Run")).toBe(state.run.run);
      expect(message.split("\n").filter((line) => line.startsWith("skip-checks:"))).toHaveLength(
        note.ci === "skip" ? 1 : 0,
      );
    }
  });
});
