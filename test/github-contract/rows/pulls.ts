import { answers, gives } from "../behaviour.ts";
import { type Area, everywhere, type Ground, inSandbox, type OpenedPull } from "../ground.ts";
import { DOCS, REPORTS } from "../links.ts";

async function read({ octokit, repo }: Ground, number: number) {
  return (await octokit.rest.pulls.get({ ...repo, pull_number: number })).data;
}

function change(
  { octokit, repo }: Ground,
  { number }: OpenedPull,
  fields: { state?: "open" | "closed"; base?: string },
) {
  return octokit.rest.pulls.update({ ...repo, pull_number: number, ...fields });
}

export const pulls: Area = {
  title: "Pull requests",
  rows: [
    everywhere("One open pull request per head and base.", {
      expected: answers(422, "A pull request already exists for"),
      sources: [REPORTS.pullExists, DOCS.createPull],
      ask: async (ground) => {
        const { name } = await ground.pull();
        return ground.octokit.rest.pulls.create({ ...ground.repo, head: name, base: ground.main.name, title: "Again" });
      },
    }),
    everywhere("None without a commit that the base lacks.", {
      expected: answers(422, "No commits between"),
      sources: [DOCS.createPull],
      ask: async ({ octokit, repo, main, name }) => {
        const head = name();
        await octokit.rest.git.createRef({ ...repo, ref: `refs/heads/${head}`, sha: main.sha });
        return octokit.rest.pulls.create({ ...repo, head, base: main.name, title: "Empty" });
      },
    }),
    everywhere("None from a branch that is not there.", {
      expected: answers(422, "head invalid"),
      sources: [DOCS.createPull],
      ask: ({ octokit, repo, main, name }) =>
        octokit.rest.pulls.create({ ...repo, head: name(), base: main.name, title: "Nowhere" }),
    }),
    everywhere("None into a branch that is not there.", {
      expected: answers(422, "base invalid"),
      sources: [DOCS.createPull],
      ask: async ({ octokit, repo, branch, name }) =>
        octokit.rest.pulls.create({ ...repo, head: (await branch()).name, base: name(), title: "Nowhere" }),
    }),
    everywhere("A title has 256 characters at most.", {
      expected: answers(422, "title is too long (maximum is 256 characters)"),
      sources: [REPORTS.longTitle],
      ask: async ({ octokit, repo, main, branch }) =>
        octokit.rest.pulls.create({
          ...repo,
          head: (await branch()).name,
          base: main.name,
          title: "x".repeat(257),
        }),
    }),
    everywhere("A pull request is an issue and has its number from the same row.", {
      expected: gives({ next: true, issue: true }),
      sources: [DOCS.issues],
      ask: async (ground) => {
        const before = await ground.issue();
        const { number } = await ground.pull();
        const { data } = await ground.octokit.rest.issues.get({ ...ground.repo, issue_number: number });
        return { next: number > before, issue: data.pull_request !== undefined };
      },
    }),
    everywhere("Whether it can be merged is not known at once.", {
      expected: gives([null, true]),
      sources: [DOCS.readPull],
      ask: async ({ octokit, repo, main, branch, eventually }) => {
        const { name } = await branch();
        const { data } = await octokit.rest.pulls.create({ ...repo, head: name, base: main.name, title: "Mergeable" });
        const later = await eventually(
          async () => (await octokit.rest.pulls.get({ ...repo, pull_number: data.number })).data.mergeable,
          (mergeable) => mergeable !== null,
        );
        return [data.mergeable, later];
      },
    }),
    everywhere("A base that comes to contain the head marks it merged, after a while.", {
      expected: gives({ state: "closed", merged: true }),
      sources: [DOCS.indirectMerges],
      ask: async (ground) => {
        const base = await ground.branch({ "base.txt": "x\n" });
        const pull = await ground.pull({ base });
        await ground.octokit.rest.git.updateRef({ ...ground.repo, ref: `heads/${base.name}`, sha: pull.sha });
        const { state, merged } = await ground.eventually(
          () => read(ground, pull.number),
          (data) => data.merged,
        );
        return { state, merged };
      },
    }),
    everywhere("A head that is deleted closes it, unmerged.", {
      expected: gives({ state: "closed", merged: false }),
      sources: [REPORTS.deletedTooEarly],
      ask: async (ground) => {
        const pull = await ground.pull();
        await ground.octokit.rest.git.deleteRef({ ...ground.repo, ref: `heads/${pull.name}` });
        const { state, merged } = await ground.eventually(
          () => read(ground, pull.number),
          (data) => data.state === "closed",
        );
        return { state, merged };
      },
    }),
    everywhere("It cannot be reopened then.", {
      expected: answers(422, "branch has been deleted"),
      sources: [REPORTS.headDeleted],
      ask: async (ground) => {
        const pull = await ground.pull();
        await ground.octokit.rest.git.deleteRef({ ...ground.repo, ref: `heads/${pull.name}` });
        await ground.eventually(
          () => read(ground, pull.number),
          (data) => data.state === "closed",
        );
        return change(ground, pull, { state: "open" });
      },
    }),
    everywhere("A head that is reset to its base closes it.", {
      expected: gives("closed"),
      sources: [REPORTS.resetToBase],
      ask: async (ground) => {
        const pull = await ground.pull();
        const ref = { ...ground.repo, ref: `heads/${pull.name}`, sha: ground.main.sha, force: true };
        await ground.octokit.rest.git.updateRef(ref);
        const { state } = await ground.eventually(
          () => read(ground, pull.number),
          (data) => data.state === "closed",
        );
        return state;
      },
    }),
    everywhere("A head that is rewritten in one step keeps it open.", {
      expected: gives({ state: "open", follows: true }),
      sources: [REPORTS.forcePushed],
      ask: async (ground) => {
        const pull = await ground.pull();
        const sha = await ground.commit(ground.main.sha, { "rewritten.txt": "x\n" });
        await ground.octokit.rest.git.updateRef({ ...ground.repo, ref: `heads/${pull.name}`, sha, force: true });
        const data = await ground.eventually(
          () => read(ground, pull.number),
          ({ head }) => head.sha === sha,
        );
        return { state: data.state, follows: data.head.sha === sha };
      },
    }),
    everywhere("A head that was rewritten while it was closed bars reopening.", {
      expected: answers(422, "was force-pushed or recreated"),
      sources: [REPORTS.forcePushed],
      ask: async (ground) => {
        const pull = await ground.pull();
        await change(ground, pull, { state: "closed" });
        const sha = await ground.commit(ground.main.sha, { "rewritten.txt": "x\n" });
        await ground.octokit.rest.git.updateRef({ ...ground.repo, ref: `heads/${pull.name}`, sha, force: true });
        return change(ground, pull, { state: "open" });
      },
    }),
    everywhere("The base of a closed one does not change.", {
      expected: answers(422, "Cannot change the base branch of a closed pull request"),
      sources: [REPORTS.baseOfClosed],
      ask: async (ground) => {
        const base = await ground.branch({ "base.txt": "x\n" });
        const pull = await ground.pull();
        await change(ground, pull, { state: "closed" });
        return change(ground, pull, { base: base.name });
      },
    }),
    everywhere("What was stacked on a merged branch moves on when that branch is deleted.", {
      expected: gives({ state: "open", moved: true }),
      sources: [REPORTS.retargeting],
      ask: async (ground) => {
        const target = await ground.branch({ "target.txt": "x\n" });
        const lower = await ground.pull({ base: target, files: { "lower.txt": "x\n" } });
        const upper = await ground.pull({ base: lower, files: { "upper.txt": "x\n" } });
        await ground.eventually(
          () => read(ground, lower.number),
          ({ mergeable }) => mergeable !== null,
        );
        await ground.octokit.rest.pulls.merge({ ...ground.repo, pull_number: lower.number });
        await ground.octokit.rest.git.deleteRef({ ...ground.repo, ref: `heads/${lower.name}` });
        const data = await ground.eventually(
          () => read(ground, upper.number),
          ({ base, state }) => base.ref === target.name || state === "closed",
        );
        return { state: data.state, moved: data.base.ref === target.name };
      },
    }),
    everywhere("Its files carry former names, and binary ones no patch.", {
      expected: gives([{ file: "picture.bin", status: "added", patch: false }]),
      sources: [DOCS.pullFiles, "https://github.com/BetaHuhn/repo-file-sync-action/pull/242"],
      ask: async (ground) => {
        const pull = await ground.pull({ files: { "picture.bin": "a\0b\0c" } });
        const { data } = await ground.octokit.rest.pulls.listFiles({ ...ground.repo, pull_number: pull.number });
        return data.map(({ filename, status, patch }) => ({ file: filename, status, patch: patch !== undefined }));
      },
    }),
    everywhere("Draft becomes ready through GraphQL only.", {
      expected: gives([true, true, false]),
      sources: [
        "https://docs.github.com/en/graphql/reference/mutations#markpullrequestreadyforreview",
        REPORTS.graphqlDraft,
      ],
      ask: async (ground) => {
        const pull = await ground.pull({ draft: "draft" });
        const before = (await read(ground, pull.number)).draft;
        await ground.octokit.request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", {
          ...ground.repo,
          pull_number: pull.number,
          draft: false,
        });
        const patched = (await read(ground, pull.number)).draft;
        await ground.octokit.graphql(
          "mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }",
          { id: pull.nodeId },
        );
        return [before, patched, (await read(ground, pull.number)).draft];
      },
    }),
    everywhere("GraphQL answers 200 when it refuses.", {
      expected: gives({ status: 200, type: "NOT_FOUND" }),
      sources: ["https://docs.github.com/en/graphql/guides/using-graphql-clients"],
      ask: async ({ octokit }) => {
        const { status, data } = await octokit.request("POST /graphql", {
          query:
            'mutation { markPullRequestReadyForReview(input: { pullRequestId: "PR_nothing" }) { pullRequest { isDraft } } }',
        });
        const { errors } = data as { readonly errors?: readonly { readonly type?: string }[] };
        return { status, type: errors?.[0]?.type };
      },
    }),
    inSandbox(
      "a change of the default branch would remain",
      "Merging into the default branch closes the issues its body names.",
      {
        expected: gives("closed"),
        sources: [
          "https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue",
        ],
        ask: async (ground) => {
          const there = await ground.elsewhere({});
          const issue = await there.issue();
          const pull = await there.pull();
          await there.octokit.rest.pulls.update({ ...there.repo, pull_number: pull.number, body: `Closes #${issue}` });
          await there.octokit.rest.pulls.merge({ ...there.repo, pull_number: pull.number });
          return (await there.octokit.rest.issues.get({ ...there.repo, issue_number: issue })).data.state;
        },
      },
    ),
  ],
};
