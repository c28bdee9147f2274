import { answers, gives } from "../behaviour.ts";
import { type Area, everywhere, type Ground, inSandbox, type OpenedPull } from "../ground.ts";
import { DOCS, REPORTS } from "../links.ts";

interface Comment {
  readonly path: string;
  readonly body: string;
  readonly line: number;
  readonly start_line?: number;
  readonly side?: "LEFT" | "RIGHT";
}

interface Review {
  readonly event?: "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
  readonly body?: string;
  readonly comments?: Comment[];
  readonly commit_id?: string;
}

function review({ octokit, repo }: Pick<Ground, "octokit" | "repo">, { number }: OpenedPull, content: Review) {
  return octokit.rest.pulls.createReview({ ...repo, pull_number: number, ...content });
}

async function count({ octokit, repo }: Ground, { number }: OpenedPull): Promise<number> {
  return (await octokit.rest.pulls.listReviews({ ...repo, pull_number: number })).data.length;
}

const far = Array.from({ length: 60 }, (_, n) => `line ${n + 1}`);

export const reviews: Area = {
  title: "Reviews",
  rows: [
    everywhere("Nobody approves a pull request of their own.", {
      expected: answers(422, "an not approve your own pull request"),
      sources: [REPORTS.ownApproval, REPORTS.ownApprovals],
      ask: async (ground) => review(ground, await ground.pull(), { event: "APPROVE", body: "Fine" }),
    }),
    everywhere("Nor do they request changes on it.", {
      expected: answers(422, "an not request changes on your own pull request"),
      sources: [REPORTS.ownApprovals],
      ask: async (ground) => review(ground, await ground.pull(), { event: "REQUEST_CHANGES", body: "No" }),
    }),
    everywhere("A comment on one's own is fine.", {
      expected: gives("COMMENTED"),
      sources: [REPORTS.ownApprovals],
      ask: async (ground) => (await review(ground, await ground.pull(), { event: "COMMENT", body: "PASS" })).data.state,
    }),
    everywhere("A commenting review says something.", {
      expected: answers(422),
      sources: [DOCS.createReview],
      ask: async (ground) => review(ground, await ground.pull(), { event: "COMMENT" }),
    }),
    everywhere("One comment outside the diff refuses the review whole.", {
      expected: gives({ status: 422, left: 0 }),
      sources: [REPORTS.lineOutside],
      ask: async (ground) => {
        const pull = await ground.pull({ files: { "new.txt": "1\n2\n3\n" } });
        const status = await review(ground, pull, {
          event: "COMMENT",
          body: "Two",
          comments: [
            { path: "new.txt", line: 2, body: "inside" },
            { path: "new.txt", line: 9, body: "outside" },
          ],
        }).then(
          (answer) => answer.status,
          (error: { status: number }) => error.status,
        );
        return { status, left: await count(ground, pull) };
      },
    }),
    everywhere("A comment on a file that did not change refuses it, too.", {
      expected: answers(422),
      sources: [DOCS.createReview],
      ask: async (ground) =>
        review(ground, await ground.pull(), {
          event: "COMMENT",
          body: "x",
          comments: [{ path: "not/there.txt", line: 1, body: "x" }],
        }),
    }),
    everywhere("A comment on several lines stays within one hunk.", {
      expected: answers(422, "same hunk"),
      sources: [REPORTS.sameHunk],
      ask: async (ground) => {
        const base = await ground.branch({ "far.txt": `${far.join("\n")}\n` });
        const changed = far.map((line, n) => (n === 1 || n === 55 ? `${line}!` : line));
        const pull = await ground.pull({ base, files: { "far.txt": `${changed.join("\n")}\n` } });
        return review(ground, pull, {
          event: "COMMENT",
          body: "x",
          comments: [{ path: "far.txt", start_line: 2, line: 56, body: "both" }],
        });
      },
    }),
    everywhere("A comment may stand at a line that was removed.", {
      expected: gives(["-1"]),
      sources: [DOCS.createReview],
      ask: async (ground) => {
        const base = await ground.branch({ "old.txt": "1\n2\n" });
        const pull = await ground.pull({ base, files: { "old.txt": "2\n" } });
        const { data } = await review(ground, pull, {
          event: "COMMENT",
          body: "x",
          comments: [{ path: "old.txt", line: 1, side: "LEFT", body: "why" }],
        });
        const comments = await ground.octokit.rest.pulls.listCommentsForReview({
          ...ground.repo,
          pull_number: pull.number,
          review_id: data.id,
        });
        return comments.data.map(({ diff_hunk: hunk }) => hunk.split("\n").at(-1));
      },
    }),
    everywhere("A review names the commit it was made at.", {
      expected: gives(true),
      sources: [DOCS.createReview],
      ask: async (ground) => {
        const pull = await ground.pull();
        const { data } = await review(ground, pull, { event: "COMMENT", body: "x", commit_id: pull.sha });
        return data.commit_id === pull.sha;
      },
    }),
    everywhere("A review at a commit that is not there is refused.", {
      expected: answers(422),
      sources: [DOCS.createReview],
      ask: async (ground) =>
        review(ground, await ground.pull(), { event: "COMMENT", body: "x", commit_id: "1".repeat(40) }),
    }),
    everywhere("Without an event a review is pending, and there is one at most.", {
      expected: answers(422, "User can only have one pending review per pull request"),
      sources: [REPORTS.onePending, DOCS.createReview],
      ask: async (ground) => {
        const pull = await ground.pull();
        await review(ground, pull, { body: "Not yet" });
        return review(ground, pull, { event: "COMMENT", body: "x" });
      },
    }),
    everywhere("A comment is not dismissed.", {
      expected: answers(422, "an not dismiss a commented pull request review"),
      sources: [REPORTS.twiceDismissed, "https://github.com/MorrisonCole/pr-lint-action/pull/161"],
      ask: async (ground) => {
        const pull = await ground.pull();
        const { data } = await review(ground, pull, { event: "COMMENT", body: "x" });
        return ground.octokit.rest.pulls.dismissReview({
          ...ground.repo,
          pull_number: pull.number,
          review_id: data.id,
          message: "Stale",
        });
      },
    }),
    inSandbox("it takes two people", "A dismissed review is not dismissed again.", {
      expected: answers(422, "an not dismiss a dismissed pull request review"),
      sources: [REPORTS.twiceDismissed],
      ask: async (ground) => {
        const pull = await ground.pull();
        const { data } = await review({ octokit: ground.as("writer"), repo: ground.repo }, pull, { event: "APPROVE" });
        const dismiss = () =>
          ground.octokit.rest.pulls.dismissReview({
            ...ground.repo,
            pull_number: pull.number,
            review_id: data.id,
            message: "Stale",
          });
        await dismiss();
        return dismiss();
      },
    }),
    inSandbox("it takes two people", "A later comment takes no approval back.", {
      expected: gives(["APPROVED", "COMMENTED"]),
      sources: ["https://docs.github.com/en/rest/pulls/reviews#list-reviews-for-a-pull-request"],
      ask: async (ground) => {
        const pull = await ground.pull();
        const writer = { octokit: ground.as("writer"), repo: ground.repo };
        await review(writer, pull, { event: "APPROVE" });
        await review(writer, pull, { event: "COMMENT", body: "By the way" });
        const { data } = await ground.octokit.rest.pulls.listReviews({ ...ground.repo, pull_number: pull.number });
        return data.map(({ state }) => state);
      },
    }),
    inSandbox("it takes two people", "Who cannot write dismisses nothing.", {
      expected: answers(403),
      sources: [DOCS.dismissReview],
      ask: async (ground) => {
        const pull = await ground.pull();
        const { data } = await review({ octokit: ground.as("reader"), repo: ground.repo }, pull, {
          event: "REQUEST_CHANGES",
          body: "No",
        });
        return ground.as("reader").rest.pulls.dismissReview({
          ...ground.repo,
          pull_number: pull.number,
          review_id: data.id,
          message: "Stale",
        });
      },
    }),
  ],
};
