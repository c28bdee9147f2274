import { answers, gives } from "../behaviour.ts";
import { type Area, asApp, everywhere } from "../ground.ts";
import { DOCS, REPORTS } from "../links.ts";

const missing = "1".repeat(40);

export const gitData: Area = {
  title: "Git objects and files",
  rows: [
    everywhere("A commit that does not exist is 404 among git's objects.", {
      expected: answers(404),
      sources: [DOCS.commits],
      ask: ({ octokit, repo }) => octokit.rest.git.getCommit({ ...repo, commit_sha: missing }),
    }),
    everywhere("The same commit is 422 among the repository's commits.", {
      expected: answers(422, "No commit found for SHA"),
      sources: [DOCS.commit],
      ask: ({ octokit, repo }) => octokit.rest.repos.getCommit({ ...repo, ref: missing }),
    }),
    everywhere("A commit is made of a tree that exists.", {
      expected: answers(422),
      sources: [DOCS.commits],
      ask: ({ octokit, repo }) => octokit.rest.git.createCommit({ ...repo, message: "x", tree: missing, parents: [] }),
    }),
    everywhere("A commit's parents exist.", {
      expected: answers(422, "Parent SHA does not exist or is not a commit object"),
      sources: [DOCS.commits],
      ask: async ({ octokit, repo, main }) => {
        const { data } = await octokit.rest.git.getCommit({ ...repo, commit_sha: main.sha });
        return octokit.rest.git.createCommit({ ...repo, message: "x", tree: data.tree.sha, parents: [missing] });
      },
    }),
    asApp("An App's commit without author and committer is signed.", {
      expected: gives({ verified: true, reason: "valid" }),
      sources: [`${DOCS.commits}#create-a-commit`, DOCS.botSignatures],
      ask: async ({ octokit, repo, main, commit }) => {
        const sha = await commit(main.sha, { "signed.txt": "x\n" });
        const { data } = await octokit.rest.git.getCommit({ ...repo, commit_sha: sha });
        return { verified: data.verification.verified, reason: data.verification.reason };
      },
    }),
    everywhere("A tree that deletes a file which is not there is refused.", {
      expected: answers(422),
      sources: [DOCS.trees, REPORTS.deletedTree],
      ask: ({ octokit, repo, main }) =>
        octokit.rest.git.createTree({
          ...repo,
          base_tree: main.sha,
          tree: [{ path: "not/there.txt", mode: "100644", type: "blob", sha: null }],
        }),
    }),
    everywhere("An entry of a tree has a SHA or a content, not both.", {
      expected: answers(422),
      sources: [DOCS.trees],
      ask: async ({ octokit, repo, main }) => {
        const blob = await octokit.rest.git.createBlob({ ...repo, content: "x" });
        return octokit.rest.git.createTree({
          ...repo,
          base_tree: main.sha,
          tree: [{ path: "x.txt", mode: "100644", type: "blob", sha: blob.data.sha, content: "y" }],
        });
      },
    }),
    everywhere("A path does not leave the tree.", {
      expected: answers(422, "malformed path component"),
      sources: [REPORTS.malformedPath],
      ask: ({ octokit, repo, main }) =>
        octokit.rest.git.createTree({
          ...repo,
          base_tree: main.sha,
          tree: [{ path: "../x.txt", mode: "100644", type: "blob", content: "x" }],
        }),
    }),
    everywhere("A blob comes in base64, in lines of 60 characters.", {
      expected: gives({ encoding: "base64", line: 60 }),
      sources: [DOCS.blobs],
      ask: async ({ octokit, repo }) => {
        const { data } = await octokit.rest.git.createBlob({ ...repo, content: "x".repeat(300) });
        const blob = await octokit.rest.git.getBlob({ ...repo, file_sha: data.sha });
        return { encoding: blob.data.encoding, line: blob.data.content.split("\n")[0]?.length };
      },
    }),
    everywhere("A file that is not there is 404.", {
      expected: answers(404),
      sources: [DOCS.contents],
      ask: ({ octokit, repo }) => octokit.rest.repos.getContent({ ...repo, path: "not/there.txt" }),
    }),
    everywhere("A file on a branch that is not there is 404 and says so.", {
      expected: answers(404, "No commit found for the ref"),
      sources: [DOCS.contents],
      ask: ({ octokit, repo, name }) => octokit.rest.repos.getContent({ ...repo, path: "README.md", ref: name() }),
    }),
    everywhere("A file of more than a megabyte comes without its content.", {
      expected: gives({ encoding: "none", content: "" }),
      sources: [DOCS.contents],
      ask: async ({ octokit, repo, branch }) => {
        const { name } = await branch({ "large.txt": "0123456789abcdef".repeat(70_000) });
        const { data } = await octokit.rest.repos.getContent({ ...repo, path: "large.txt", ref: name });
        return "encoding" in data ? { encoding: data.encoding, content: data.content } : data;
      },
    }),
    everywhere("A comparison begins where the two have parted.", {
      expected: gives({ status: "diverged", ahead: 1, behind: 1, files: ["right.txt"] }),
      sources: [DOCS.compare],
      ask: async ({ octokit, repo, branch }) => {
        const left = await branch({ "left.txt": "x\n" });
        const right = await branch({ "right.txt": "x\n" });
        const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
          ...repo,
          basehead: `${left.sha}...${right.sha}`,
        });
        const files = (data.files ?? []).map(({ filename }) => filename);
        return { status: data.status, ahead: data.ahead_by, behind: data.behind_by, files };
      },
    }),
    everywhere("A comparison lists 300 files at most, without a word about the others.", {
      expected: gives(300),
      sources: [DOCS.compare],
      ask: async ({ octokit, repo, main, branch }) => {
        const files = Object.fromEntries(Array.from({ length: 301 }, (_, n) => [`many/${n}.txt`, `${n}\n`]));
        const { sha } = await branch(files);
        const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
          ...repo,
          basehead: `${main.sha}...${sha}`,
        });
        return data.files?.length;
      },
    }),
    everywhere("A renamed file carries its former name.", {
      expected: gives([{ status: "renamed", from: "README.md", to: "docs/README.md" }]),
      sources: [DOCS.compare],
      ask: async ({ octokit, repo, main, branch }) => {
        const readme = await octokit.rest.repos.getContent({ ...repo, path: "README.md", ref: main.sha });
        const text = "content" in readme.data ? Buffer.from(readme.data.content, "base64").toString() : "";
        const { sha } = await branch({ "README.md": null, "docs/README.md": text });
        const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
          ...repo,
          basehead: `${main.sha}...${sha}`,
        });
        return data.files?.map((file) => ({ status: file.status, from: file.previous_filename, to: file.filename }));
      },
    }),
    everywhere("A branch is merged into another one once.", {
      expected: gives([201, 204]),
      sources: [DOCS.mergeBranch],
      ask: async ({ octokit, repo, branch }) => {
        const base = await branch({ "base.txt": "x\n" });
        const head = await branch({ "head.txt": "x\n" });
        const merge = async (): Promise<number> =>
          (await octokit.rest.repos.merge({ ...repo, base: base.name, head: head.name })).status;
        return [await merge(), await merge()];
      },
    }),
    everywhere("A merge that conflicts is 409.", {
      expected: answers(409, "Merge conflict"),
      sources: [DOCS.mergeBranch],
      ask: async ({ octokit, repo, branch }) => {
        const base = await branch({ "README.md": "one\n" });
        const head = await branch({ "README.md": "two\n" });
        return octokit.rest.repos.merge({ ...repo, base: base.name, head: head.name });
      },
    }),
    everywhere("A merge into a branch that is not there is 404.", {
      expected: answers(404, "Base does not exist"),
      sources: [DOCS.mergeBranch],
      ask: ({ octokit, repo, main, name }) => octokit.rest.repos.merge({ ...repo, base: name(), head: main.sha }),
    }),
    everywhere("A merge of what is not there is 404.", {
      expected: answers(404, "Head does not exist"),
      sources: [DOCS.mergeBranch],
      ask: async ({ octokit, repo, branch, name }) =>
        octokit.rest.repos.merge({ ...repo, base: (await branch()).name, head: name() }),
    }),
  ],
};
