import { GitHubFailure } from "../contracts/errors.ts";
import { parseSha } from "../contracts/ids.ts";
import { describeBlockingRules } from "./blocking-rules.ts";
import { decodeText } from "./decode-text.ts";
import { loadPages } from "./load-pages.ts";
import type { Repository, RepositoryPort, RepositoryRole } from "./port.ts";
import type { RepositoryClient } from "./repository-client.ts";

type Reads = Pick<RepositoryPort, "loadRepository" | "loadRole" | "loadFile" | "loadBranchRules">;

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
        // Nobody gains a right by an error of ours or GitHub's.
        if (error instanceof GitHubFailure) return "none";
        throw error;
      }
    },
    loadFile: (path, ref) => loadFile(client, path, ref),
    async loadBranchRules(branch) {
      try {
        const pages = await loadPages(client, "GET /repos/{owner}/{repo}/rules/branches/{branch}", { branch });
        return describeBlockingRules(pages.flatMap((page) => page.data));
      } catch (error) {
        // Plans without rulesets refuse to list them: then there are none.
        if (error instanceof GitHubFailure && [403, 404].includes(error.details.status ?? 0)) return [];
        throw error;
      }
    },
  };
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

async function loadFile(client: RepositoryClient, path: string, ref: string): ReturnType<RepositoryPort["loadFile"]> {
  const answer = await client.find("GET /repos/{owner}/{repo}/contents/{path}", { path, ref });
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
