import { commitFiles } from "../../sandbox/make-commits.ts";
import { answers, gives } from "../behaviour.ts";
import { type Area, everywhere, inSandbox } from "../ground.ts";
import { DOCS, REPORTS } from "../links.ts";

export const branches: Area = {
  title: "Branches",
  rows: [
    everywhere("A branch is created at a commit.", {
      expected: answers(201),
      sources: [DOCS.refs],
      ask: ({ octokit, repo, main, name }) =>
        octokit.rest.git.createRef({ ...repo, ref: `refs/heads/${name()}`, sha: main.sha }),
    }),
    everywhere("A branch that exists is not created again, not even at the same commit.", {
      expected: answers(422, "Reference already exists"),
      sources: [REPORTS.refExists, DOCS.refs],
      ask: async ({ octokit, repo, branch }) => {
        const { name, sha } = await branch();
        return octokit.rest.git.createRef({ ...repo, ref: `refs/heads/${name}`, sha });
      },
    }),
    everywhere("A new branch needs its full name.", {
      expected: answers(422, "Reference name must start with 'refs/'"),
      sources: [DOCS.refs],
      ask: ({ octokit, repo, main, name }) => octokit.rest.git.createRef({ ...repo, ref: name(), sha: main.sha }),
    }),
    everywhere("A branch's name follows git's rules.", {
      expected: answers(422),
      sources: [DOCS.refs, "https://git-scm.com/docs/git-check-ref-format"],
      ask: ({ octokit, repo, main, name }) =>
        octokit.rest.git.createRef({ ...repo, ref: `refs/heads/${name()}..x`, sha: main.sha }),
    }),
    everywhere("A branch cannot be made below one that exists.", {
      expected: answers(422),
      sources: [REPORTS.refFailed, "https://git-scm.com/docs/git-check-ref-format"],
      ask: async ({ octokit, repo, main, branch }) => {
        const { name } = await branch();
        return octokit.rest.git.createRef({ ...repo, ref: `refs/heads/${name}/below`, sha: main.sha });
      },
    }),
    everywhere("A branch is made at an object that exists.", {
      expected: answers(422, "Object does not exist"),
      sources: [DOCS.refs],
      ask: ({ octokit, repo, name }) =>
        octokit.rest.git.createRef({ ...repo, ref: `refs/heads/${name()}`, sha: "1".repeat(40) }),
    }),
    everywhere("A branch is made at a full SHA.", {
      expected: answers(422, "must be exactly 40 characters"),
      sources: [DOCS.refs],
      ask: ({ octokit, repo, main, name }) =>
        octokit.rest.git.createRef({ ...repo, ref: `refs/heads/${name()}`, sha: main.sha.slice(0, 12) }),
    }),
    everywhere("A branch moves forward.", {
      expected: answers(200),
      sources: [DOCS.refs],
      ask: async ({ octokit, repo, branch, commit }) => {
        const { name, sha } = await branch();
        return octokit.rest.git.updateRef({
          ...repo,
          ref: `heads/${name}`,
          sha: await commit(sha, { "b.txt": "b\n" }),
        });
      },
    }),
    everywhere("A branch does not move to what does not contain its tip.", {
      expected: answers(422, "Update is not a fast forward"),
      sources: [DOCS.refs],
      ask: async ({ octokit, repo, main, branch }) => {
        const { name } = await branch();
        return octokit.rest.git.updateRef({ ...repo, ref: `heads/${name}`, sha: main.sha });
      },
    }),
    everywhere("Only by force it does.", {
      expected: answers(200),
      sources: [DOCS.refs],
      ask: async ({ octokit, repo, main, branch }) => {
        const { name } = await branch();
        return octokit.rest.git.updateRef({ ...repo, ref: `heads/${name}`, sha: main.sha, force: true });
      },
    }),
    everywhere("A branch that does not exist is not moved: 422, not 404.", {
      expected: answers(422, "Reference does not exist"),
      sources: [REPORTS.updateMissingRef, DOCS.refs],
      ask: ({ octokit, repo, main, name }) =>
        octokit.rest.git.updateRef({ ...repo, ref: `heads/${name()}`, sha: main.sha }),
    }),
    everywhere("Reading one that does not exist is 404.", {
      expected: answers(404),
      sources: [REPORTS.updateMissingRef, DOCS.refs],
      ask: ({ octokit, repo, name }) => octokit.rest.git.getRef({ ...repo, ref: `heads/${name()}` }),
    }),
    everywhere("A branch is deleted once.", {
      expected: gives([204, 422]),
      sources: [DOCS.refs],
      ask: async ({ octokit, repo, branch }) => {
        const { name } = await branch();
        const remove = (): Promise<number> =>
          octokit.rest.git.deleteRef({ ...repo, ref: `heads/${name}` }).then(
            ({ status }) => status,
            (error: { status: number }) => error.status,
          );
        return [await remove(), await remove()];
      },
    }),
    everywhere("Branches are listed by the beginning of their names; none is an empty list.", {
      expected: gives([1, 0]),
      sources: [`${DOCS.refs}#list-matching-references`],
      ask: async ({ octokit, repo, branch, name: fresh }) => {
        const { name } = await branch();
        const count = async (ref: string): Promise<number> =>
          (await octokit.rest.git.listMatchingRefs({ ...repo, ref })).data.length;
        return [await count(`heads/${name}`), await count(`heads/${fresh()}`)];
      },
    }),
    everywhere("Rules are told also for a branch that does not exist yet.", {
      expected: answers(200),
      sources: [DOCS.rules],
      ask: ({ octokit, repo, name }) =>
        octokit.request("GET /repos/{owner}/{repo}/rules/branches/{branch}", { ...repo, branch: name() }),
    }),
    inSandbox("a ruleset has to be made", "A ruleset can forbid creating a branch, also to Apps.", {
      expected: answers(422, "Repository rule violations found"),
      sources: [DOCS.creationRule],
      ask: async ({ octokit, repo, main, sandbox, name }) => {
        const branch = name();
        sandbox.world
          .findRepository(repo.owner, repo.repo)
          ?.rules.push({ branches: branch, type: "creation", rulesetId: 1 });
        return octokit.rest.git.createRef({ ...repo, ref: `refs/heads/${branch}`, sha: main.sha });
      },
    }),
    inSandbox(
      "a ruleset has to be made",
      "A ruleset that demands signatures lets an App's commits pass, which GitHub signs.",
      {
        expected: gives([201, 422]),
        sources: [DOCS.signaturesRule, DOCS.botSignatures],
        ask: async (ground) => {
          const there = await ground.elsewhere({});
          there.sandbox.world
            .findRepository(there.repo.owner, there.repo.repo)
            ?.rules.push({ branches: "**", type: "required_signatures", rulesetId: 1 });
          const create = (sha: string): Promise<number> =>
            there.octokit.rest.git.createRef({ ...there.repo, ref: `refs/heads/${there.name()}`, sha }).then(
              ({ status }) => status,
              (error: { status: number }) => error.status,
            );
          const byApp = await there.commit(there.main.sha, { "app.txt": "x\n" });
          const byPerson = await commitFiles(there.as("writer"), there.main.sha, { "person.txt": "x\n" });
          return [await create(byApp), await create(byPerson)];
        },
      },
    ),
    inSandbox("the default branch would be at risk", "The default branch is not deleted.", {
      expected: answers(422),
      sources: [DOCS.deletingBranches],
      ask: ({ octokit, repo, main }) => octokit.rest.git.deleteRef({ ...repo, ref: `heads/${main.name}` }),
    }),
    inSandbox(
      "the token's permissions are not ours to choose",
      "A branch that brings in a workflow needs `workflows`.",
      {
        expected: answers(403, "workflow"),
        sources: [REPORTS.workflowsScope, DOCS.permissions],
        ask: async ({ octokit, repo, main, as, name }) => {
          const sha = await commitFiles(as("writer"), main.sha, { ".github/workflows/new.yml": "on: push\n" });
          return octokit.rest.git.createRef({ ...repo, ref: `refs/heads/${name()}`, sha });
        },
      },
    ),
  ],
};
