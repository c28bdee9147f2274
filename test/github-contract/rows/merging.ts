import { answers, gives } from "../behaviour.ts";
import { type Area, everywhere, type Ground, inSandbox, type OpenedPull } from "../ground.ts";
import { DOCS, REPORTS } from "../links.ts";

/** A pull request into a branch of its own, so that the default branch stays as it is. */
async function open(ground: Ground, draft?: "draft"): Promise<OpenedPull> {
  const base = await ground.branch({ "base.txt": "x\n" });
  const pull = await ground.pull({ base, files: { "change.txt": "x\n" }, ...(draft === undefined ? {} : { draft }) });
  await settle(ground, pull);
  return pull;
}

async function settle({ octokit, repo, eventually }: Ground, { number }: OpenedPull): Promise<void> {
  await eventually(
    async () => (await octokit.rest.pulls.get({ ...repo, pull_number: number })).data.mergeable,
    (mergeable) => mergeable !== null,
  );
}

function merge({ octokit, repo }: Ground, { number }: OpenedPull, options: object = {}) {
  return octokit.rest.pulls.merge({ ...repo, pull_number: number, ...options });
}

export const merging: Area = {
  title: "Merging pull requests",
  rows: [
    everywhere("A pull request is merged at the head that was seen.", {
      expected: answers(200),
      sources: [DOCS.mergePull],
      ask: async (ground) => {
        const pull = await open(ground);
        return merge(ground, pull, { sha: pull.sha });
      },
    }),
    everywhere("It is not when the head is another one by now.", {
      expected: answers(409, "Head branch was modified"),
      sources: [DOCS.mergePull],
      ask: async (ground) => merge(ground, await open(ground), { sha: ground.main.sha }),
    }),
    everywhere("A draft is not merged.", {
      expected: answers(405, "draft"),
      sources: [DOCS.mergePull],
      ask: async (ground) => merge(ground, await open(ground, "draft")),
    }),
    everywhere("A conflict is 405, like a policy.", {
      expected: answers(405, "not mergeable"),
      sources: [DOCS.mergePull],
      ask: async (ground) => {
        const base = await ground.branch({ "README.md": "one\n" });
        const pull = await ground.pull({ base: { ...base, sha: ground.main.sha }, files: { "README.md": "two\n" } });
        await settle(ground, pull);
        return merge(ground, pull);
      },
    }),
    inSandbox("GitHub is not slow at will", "Before GitHub knows whether it can be merged, it is 405 as well.", {
      expected: answers(405, "not mergeable"),
      sources: ["https://github.com/bobvanderlinden/probot-auto-merge/pull/256"],
      ask: async (ground) => {
        const release = ground.sandbox.faults.hold("mergeability");
        try {
          return await merge(ground, await ground.pull({ base: await ground.branch({ "base.txt": "x\n" }) }));
        } finally {
          release();
        }
      },
    }),
    everywhere("One that is closed is not merged.", {
      expected: answers(405),
      sources: [DOCS.mergePull],
      ask: async (ground) => {
        const pull = await open(ground);
        await ground.octokit.rest.pulls.update({ ...ground.repo, pull_number: pull.number, state: "closed" });
        return merge(ground, pull);
      },
    }),
    everywhere("One that is merged is not merged again.", {
      expected: answers(405),
      sources: [DOCS.mergePull],
      ask: async (ground) => {
        const pull = await open(ground);
        await merge(ground, pull);
        return merge(ground, pull);
      },
    }),
    everywhere("One that is merged is not reopened.", {
      expected: answers(422),
      sources: ["https://github.com/waffleio/waffle.io/issues/2194"],
      ask: async (ground) => {
        const pull = await open(ground);
        await merge(ground, pull);
        return ground.octokit.rest.pulls.update({ ...ground.repo, pull_number: pull.number, state: "open" });
      },
    }),
    everywhere("A merge commit has the base first and the head second.", {
      expected: gives({ parents: 2, second: true }),
      sources: [
        "https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/incorporating-changes-from-a-pull-request/about-pull-request-merges",
      ],
      ask: async (ground) => {
        const pull = await open(ground);
        const { data } = await merge(ground, pull);
        const commit = await ground.octokit.rest.git.getCommit({ ...ground.repo, commit_sha: data.sha });
        const parents = commit.data.parents.map(({ sha }) => sha);
        return { parents: parents.length, second: parents[1] === pull.sha };
      },
    }),
    everywhere("A squash has one parent, and the head is not in the base.", {
      expected: gives({ parents: 1, contains: false }),
      sources: [
        "https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/incorporating-changes-from-a-pull-request/about-pull-request-merges#squash-and-merge-your-commits",
      ],
      ask: async (ground) => {
        const pull = await open(ground);
        const { data } = await merge(ground, pull, { merge_method: "squash" });
        const commit = await ground.octokit.rest.git.getCommit({ ...ground.repo, commit_sha: data.sha });
        const compared = await ground.octokit.rest.repos.compareCommitsWithBasehead({
          ...ground.repo,
          basehead: `${data.sha}...${pull.sha}`,
        });
        return { parents: commit.data.parents.length, contains: compared.data.ahead_by === 0 };
      },
    }),
    inSandbox("the repository's settings are not ours to change", "A method the repository does not allow is 405.", {
      expected: answers(405, "not allowed on this repository"),
      sources: [DOCS.mergePull],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        there.sandbox.world.findRepository(there.repo.owner, there.repo.repo)?.allowedMergeMethods.delete("squash");
        return merge(there, await open(there), { merge_method: "squash" });
      },
    }),
    inSandbox("a ruleset has to be made", "A required check that was not seen yet is 405.", {
      expected: answers(405, 'Required status check "gate" is expected'),
      sources: [
        DOCS.mergePull,
        "https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/troubleshooting-required-status-checks",
      ],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const pull = await open(there);
        const { data } = await there.octokit.rest.pulls.get({ ...there.repo, pull_number: pull.number });
        there.sandbox.world.findRepository(there.repo.owner, there.repo.repo)?.rules.push({
          branches: data.base.ref,
          type: "required_status_checks",
          rulesetId: 1,
          contexts: [{ context: "gate", appId: null }],
        });
        return merge(there, pull);
      },
    }),
    inSandbox("a ruleset has to be made", "A check of a dispatched run does not satisfy a required one.", {
      expected: answers(405, 'Required status check "work" is expected'),
      sources: [REPORTS.dispatchedChecks],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const pull = await open(there);
        const { data } = await there.octokit.rest.pulls.get({ ...there.repo, pull_number: pull.number });
        there.sandbox.world.findRepository(there.repo.owner, there.repo.repo)?.rules.push({
          branches: data.base.ref,
          type: "required_status_checks",
          rulesetId: 1,
          contexts: [{ context: "work", appId: null }],
        });
        await there.octokit.rest.actions.createWorkflowDispatch({
          ...there.repo,
          workflow_id: there.workflow,
          ref: pull.name,
          inputs: { role: "plan", request: "1" },
        });
        await there.sandbox.idle();
        return merge(there, pull);
      },
    }),
    inSandbox("the token's permissions are not ours to choose", "An App without `workflows` merges no workflow file.", {
      expected: answers(403, "workflows"),
      sources: [REPORTS.workflowsScope, DOCS.permissions],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const writer = there.as("writer");
        const text = "on: push\njobs: {}\n";
        const tree = await writer.rest.git.createTree({
          ...there.repo,
          base_tree: there.main.sha,
          tree: [{ path: ".github/workflows/more.yml", mode: "100644", type: "blob", content: text }],
        });
        const commit = await writer.rest.git.createCommit({
          ...there.repo,
          message: "Add a workflow",
          tree: tree.data.sha,
          parents: [there.main.sha],
        });
        const head = there.name();
        await writer.rest.git.createRef({ ...there.repo, ref: `refs/heads/${head}`, sha: commit.data.sha });
        const { data } = await writer.rest.pulls.create({ ...there.repo, head, base: there.main.name, title: "More" });
        await there.sandbox.idle();
        return there.octokit.rest.pulls.merge({ ...there.repo, pull_number: data.number });
      },
    }),
  ],
};
