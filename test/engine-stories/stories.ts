/** Typical runs, told up to a moment that people look at. */
import type { Chunk } from "../../src/contracts/plan.ts";
import { chunkId, fakeSha } from "./names.ts";
import { buildChunk } from "./plans.ts";
import { buildEvidence, failFloor, failReview, OUT_OF_SCOPE, passFloor, passReview, REGRESSION } from "./results.ts";
import type { StoryOptions } from "./recorded-run.ts";
import { Story } from "./story.ts";

export const MONTHS = buildChunk("months", [], { title: "Group entries by month" });
export const CATEGORIES = buildChunk("categories", [], { title: "Let entries have a category" });
const BUDGETS = buildChunk("budgets", ["categories"], { title: "Compare spending with a budget" });
export const REPORT = buildChunk("report", ["months", "budgets"], { title: "Print the monthly report", tier: "mid" });
export const FOUR_CHUNKS: readonly Chunk[] = [MONTHS, CATEGORIES, BUDGETS, REPORT];

/** A plan of four chunks is committed and waits for a person. */
export function tellProposal(options: StoryOptions = {}): Story {
  return new Story(options).propose(FOUR_CHUNKS);
}

/** Approved: `months` has landed on its second try, `categories` is in review, the others wait. */
export function tellMidRun(options: StoryOptions = {}): Story {
  const story = tellProposal(options).approve();
  const months = chunkId("months");
  const categories = chunkId("categories");
  story.start(months).start(categories);
  story.receive(months).commit(months).floor(months, failFloor(REGRESSION));
  story.start(months).receive(months).commit(months).floor(months, passFloor()).review(months, passReview(MONTHS));
  story.land(months);
  story.receive(categories).commit(categories).floor(categories, passFloor());
  story.dispatch({ role: "review", chunk: categories }, 1);
  return story;
}

/** `categories` has failed the floor three times; `budgets` and `report` wait for it, `months` has landed. */
export function tellEscalation(options: StoryOptions = {}): Story {
  const story = tellProposal(options).approve();
  const categories = chunkId("categories");
  const months = chunkId("months");
  story.start(months).receive(months).commit(months).floor(months, passFloor()).review(months, passReview(MONTHS));
  story.land(months);
  story.start(categories).receive(categories, [OUT_OF_SCOPE]);
  story.start(categories).receive(categories).commit(categories).floor(categories, failFloor(OUT_OF_SCOPE));
  story.start(categories).receive(categories).commit(categories);
  return story.floor(categories, failFloor(OUT_OF_SCOPE, REGRESSION));
}

/** The reviewer found one criterion of `months` wanting and one thing that blocks. */
export function tellReviewFailure(options: StoryOptions = {}): Story {
  const months = chunkId("months");
  return tellProposal(options)
    .approve()
    .start(months)
    .receive(months)
    .commit(months)
    .floor(months, passFloor())
    .review(
      months,
      failReview(MONTHS, [
        {
          severity: "blocking",
          title: "Amounts are compared as text",
          expected: "numbers",
          found: 'a comparison of "10" and "9"',
          where: buildEvidence("src/months.js", 20, 22),
        },
        {
          severity: "warning",
          title: "The error says nothing about the month",
          expected: "",
          found: "",
          where: buildEvidence("src/months.js", 30),
        },
      ]),
    );
}

/** All four chunks have landed. */
export function tellAllLanded(options: StoryOptions = {}): Story {
  const story = tellProposal(options).approve();
  for (const chunk of FOUR_CHUNKS) {
    const id = chunkId(chunk.id);
    story.start(id).receive(id).commit(id).floor(id, passFloor());
    story.review(
      id,
      passReview(chunk, {
        findings: [
          {
            severity: "warning",
            title: `The error path of ${chunk.id} is thin`,
            expected: "a message",
            found: "none",
            where: buildEvidence(`src/${chunk.id}.js`, 9),
          },
        ],
      }),
    );
    story.land(id);
  }
  return story;
}

/** The whole feature is verified and its pull request is ready. */
export function tellReady(options: StoryOptions = {}): Story {
  const story = tellAllLanded(options).createAccept().floorAccept(passFloor()).reviewAccept(passReview(REPORT));
  const commit = fakeSha("accepted-1");
  return story
    .commitAccept()
    .record({
      kind: "CiGathered",
      n: 1,
      commit,
      state: "pass",
      rows: [{ name: "ci / test", state: "pass", detail: "success", url: "https://github.com/octo/tally/runs/1" }],
    })
    .record({ kind: "FeatureReady", effect: "feature-ready" });
}

export function tellMerged(options: StoryOptions = {}): Story {
  return tellReady(options).record({
    kind: "FeatureMerged",
    commit: fakeSha("accepted-1"),
    how: "fast-forward",
    verified: true,
  });
}
