/** What both grounds do alike, through the API alone. */
import type { Octokit } from "@octokit/rest";
import type { Ground } from "./ground.ts";

type Given = Pick<Ground, "octokit" | "repo" | "main" | "workflow" | "eventually"> & {
  /** All names begin with it, so that what is left can be found. */
  readonly prefix: string;
};

export function buildGround({ octokit, repo, main, workflow, eventually, prefix }: Given): Ground {
  let names = 0;
  const name = (): string => `${prefix}/${(names += 1)}`;

  const commit: Ground["commit"] = (parent, files) => commitFiles(octokit, repo, parent, files);

  const branch: Ground["branch"] = async (files = {}, from = main.sha) => {
    const fresh = name();
    const sha = await commit(from, Object.keys(files).length === 0 ? { [`${fresh}.txt`]: "x\n" } : files);
    await octokit.rest.git.createRef({ ...repo, ref: `refs/heads/${fresh}`, sha });
    return { name: fresh, sha };
  };

  return {
    octokit,
    repo,
    main,
    workflow,
    eventually,
    name,
    commit,
    branch,
    async pull({ base = main, files = {}, draft, title = "Contract" } = {}) {
      const head = await branch(files, base.sha);
      const { data } = await octokit.rest.pulls.create({
        ...repo,
        head: head.name,
        base: base.name,
        title,
        draft: draft !== undefined,
      });
      return { ...head, number: data.number, nodeId: data.node_id };
    },
    async issue(title = `Contract ${prefix}`) {
      return (await octokit.rest.issues.create({ ...repo, title, body: "Of the contract suite." })).data.number;
    },
  };
}

async function commitFiles(
  octokit: Octokit,
  repo: Ground["repo"],
  parent: string,
  files: Readonly<Record<string, string | null>>,
): Promise<string> {
  const tree = Object.entries(files).map(([path, content]) => ({
    path,
    mode: "100644" as const,
    type: "blob" as const,
    ...(content === null ? { sha: null } : { content }),
  }));
  const created = await octokit.rest.git.createTree({ ...repo, base_tree: parent, tree });
  const { data } = await octokit.rest.git.createCommit({
    ...repo,
    message: "Change files for the contract suite",
    tree: created.data.sha,
    parents: [parent],
  });
  return data.sha;
}
