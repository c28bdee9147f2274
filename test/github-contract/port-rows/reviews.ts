import { DOCS, REPORTS } from "../links.ts";
import { outcomeOf } from "../place.ts";
import { openPull } from "./open-pull.ts";
import { type PortRow, row } from "./port-row.ts";

export const reviewRows: readonly PortRow[] = [
  row(
    "Nobody approves a pull request of their own; a comment is fine.",
    ["terminal", [["COMMENTED", true, "PASS"]]],
    [REPORTS.ownApproval],
    async (place) => {
      const { head, pull } = await openPull(place, "taskfleet/review");
      const review = { sha: head, body: "PASS", comments: [] };
      const approved = await outcomeOf(place.repository.createReview(pull.number, { ...review, event: "APPROVE" }));
      await place.repository.createReview(pull.number, { ...review, event: "COMMENT" });
      const reviews = await place.repository.loadReviews(pull.number);
      return [approved, reviews.map(({ state, own, body }) => [state, own, body])];
    },
  ),
  row(
    "A second App approves what the first one opened, and takes it back.",
    [
      ["APPROVED", true, false],
      ["DISMISSED", true, false],
    ],
    [REPORTS.ownApproval, DOCS.dismissReview],
    async (place) => {
      const { head, pull } = await openPull(place, "taskfleet/judged");
      const review = { sha: head, body: "PASS", comments: [] };
      const { id } = await place.reviewer.createReview(pull.number, { ...review, event: "APPROVE" });
      const read = async (): Promise<unknown> => {
        const theirs = (await place.reviewer.loadReviews(pull.number)).find((one) => one.id === id);
        const ours = (await place.repository.loadReviews(pull.number)).find((one) => one.id === id);
        return [theirs?.state, theirs?.own, ours?.own];
      };
      const before = await read();
      await place.reviewer.dismissReview(pull.number, id, "Another head.");
      return [before, await read()];
    },
  ),
];
