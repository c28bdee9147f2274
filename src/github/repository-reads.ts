import { GitHubFailure } from "../contracts/errors.ts";
import { parseSha } from "../contracts/ids.ts";
import { describeBlockingRules, listRequiredChecks } from "./blocking-rules.ts";
import type { Answer } from "./installation-client.ts";
import { decodeText } from "./decode-text.ts";
import { loadPages } from "./load-pages.ts";
import type { Repository, RepositoryPort, RepositoryRole } from "./port.ts";
import type { RepositoryClient } from "./repository-client.ts";

type Reads = Pick<
  RepositoryPort,
  "loadRepository" | "loadRole" | "loadFile" | "loadSharedFile" | "loadBranchRules" | "loadRequiredChecks"
>;

export function createRepositoryReads(client: RepositoryClient): Reads {
  return {
    loadRepository: () => loadRepository(client),
    async loadRole(login) {
      try {
        const { data } = await client.send("GET /repos/{owner}/{repo}/collaborators/{username}/permission", {
          username: login,
        });
        return parseRole(data.role_name, data.permission);
      } catch (error) {
        // Nobody gains a right by an error of ours or GitHub's. Nor does anybody lose one by an outage: whoever
        // is refused is refused for good, so the question is asked again.
        if (error instanceof GitHubFailure && error.kind !== "transient" && error.kind !== "dormant") return "none";
        throw error;
      }
    },
    loadFile: (path, ref) => loadFile(client, { path, ref }),
    async loadSharedFile(repository, path) {
      const { owner } = client.address();
      const about = await findShared(client, repository);
      // A request for what was transferred is redirected to its new owner, whose word is not this owner's.
      if (about === null || about.data.owner.login.toLowerCase() !== owner.toLowerCase()) return null;
      const file = await loadFile(client, { repo: about.data.name, path });
      return file === null ? null : { ...file, private: about.data.private };
    },
    loadBranchRules: async (branch) => describeBlockingRules(await loadRules(client, branch)),
    loadRequiredChecks: async (branch) => listRequiredChecks(await loadRules(client, branch)),
  };
}

async function loadRules(
  client: RepositoryClient,
  branch: string,
): Promise<ReadonlyArray<Answer<"GET /repos/{owner}/{repo}/rules/branches/{branch}">["data"][number]>> {
  try {
    const pages = await loadPages(
      client,
      "GET /repos/{owner}/{repo}/rules/branches/{branch}",
      { branch },
      { conditional: true },
    );
    return pages.flatMap((page) => page.data);
  } catch (error) {
    // Plans without rulesets refuse to list them: then there are none. A limit answers 403 too, and says nothing.
    const refused = error instanceof GitHubFailure && [403, 404].includes(error.details.status ?? 0);
    if (refused && error.kind !== "transient") return [];
    throw error;
  }
}

async function loadRepository(client: RepositoryClient): Promise<Repository> {
  const found = await client.find("GET /repos/{owner}/{repo}", {});
  // A name may be taken by another repository after a rename: the id decides.
  const { data } = found !== null && found.data.id === client.ref.id ? found : await client.loadById();
  return {
    id: data.id,
    owner: data.owner.login,
    name: data.name,
    url: data.html_url,
    defaultBranch: data.default_branch,
    archived: data.archived,
    private: data.private,
  };
}

/**
 * `role_name` tells maintain from write and triage from read; for a custom role it holds that role's
 * name, and `permission` the role it is built on (docs.github.com/en/rest/collaborators/collaborators).
 */
function parseRole(roleName: string | undefined, permission: string): RepositoryRole {
  switch (roleName) {
    case "admin":
    case "maintain":
    case "write":
    case "triage":
    case "read":
      return roleName;
    default:
      return permission === "admin" || permission === "write" || permission === "read" ? permission : "none";
  }
}

/** A private repository outside of the installation answers 404, a blocked one 403. */
async function findShared(
  client: RepositoryClient,
  repository: string,
): Promise<Answer<"GET /repos/{owner}/{repo}"> | null> {
  try {
    return await client.find("GET /repos/{owner}/{repo}", { repo: repository });
  } catch (error) {
    if (error instanceof GitHubFailure && error.details.status === 403 && error.kind !== "transient") return null;
    throw error;
  }
}

async function loadFile(
  client: RepositoryClient,
  where: { readonly path: string; readonly ref?: string; readonly repo?: string },
): ReturnType<RepositoryPort["loadFile"]> {
  const { path } = where;
  const answer = await client.find("GET /repos/{owner}/{repo}/contents/{path}", where);
  if (answer === null) return null;
  const { data } = answer;
  if (Array.isArray(data) || data.type !== "file") throw unusable(path, "it is no file");
  // Above 1 MB the content is left out (docs.github.com/en/rest/repos/contents).
  if (data.encoding !== "base64") throw unusable(path, "it is larger than 1 MB");
  const text = decodeText(Buffer.from(data.content, "base64"));
  if (text === null) throw unusable(path, "it is not UTF-8 text");
  return { sha: parseSha(data.sha), text };
}

function unusable(path: string, why: string): GitHubFailure {
  return new GitHubFailure("misconfigured", `\`${path.replaceAll("`", "'")}\` cannot be read: ${why}.`);
}
