import { allows } from "../auth/authorize.ts";
import { authorize } from "../auth/authorize.ts";
import { type ApiContext, type ApiRoutes, NEED, enter, readNumber, readParam } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { forbidden, notFound } from "../http-problem.ts";
import { readCommit } from "../git/commit-object.ts";
import { isValidRefName, listRefs, readBranch } from "../git/refs.ts";
import { serializeAccount } from "../serialize/serialize-account.ts";
import { encodePath, serializeCommit } from "../serialize/serialize-git.ts";
import {
  formatRepositoryPage,
  formatRepositoryUrl,
  serializeFullRepository,
} from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import { type Role, roleIncludes } from "../state/account.ts";
import { type BranchRule, ruleCovers } from "../state/branch-rule.ts";
import type { Repository } from "../state/repository.ts";

function deriveRole(services: Services, c: ApiContext, repository: Repository): Role | null {
  const actor = c.get("actor");
  if (actor.kind === "user") return services.world.roleOf(repository, actor.account);
  return allows(services.world, actor, repository, NEED.writeContents) ? "write" : "read";
}

/** The legacy word for a role. https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user */
function formatLegacyPermission(role: Role | null): string {
  switch (role) {
    case "admin":
      return "admin";
    case "maintain":
    case "write":
      return "write";
    case "triage":
    case "read":
      return "read";
    case null:
      return "none";
  }
}

function serializeRule(repository: Repository, rule: BranchRule) {
  const parameters = {
    pull_request: {
      required_approving_review_count: rule.requiredApprovals ?? 0,
      dismiss_stale_reviews_on_push: false,
      require_code_owner_review: false,
      require_last_push_approval: false,
      required_review_thread_resolution: false,
    },
    required_status_checks: {
      strict_required_status_checks_policy: false,
      required_status_checks: (rule.contexts ?? []).map(({ context, appId }) => ({
        context,
        ...(appId === null ? {} : { integration_id: appId }),
      })),
    },
  };
  return {
    type: rule.type,
    ...(rule.type === "pull_request" || rule.type === "required_status_checks"
      ? { parameters: parameters[rule.type] }
      : {}),
    ruleset_source_type: "Repository",
    ruleset_source: `${repository.owner.login}/${repository.name}`,
    ruleset_id: rule.rulesetId,
  };
}

/** https://docs.github.com/en/rest/repos/repos, …/collaborators, …/branches, …/rules */
export function addRepositoryRoutes(routes: ApiRoutes, services: Services): void {
  const { world, urls } = services;

  routes.get("/repos/:owner/:repo", (c) => {
    const repository = enter(services, c, NEED.readMetadata);
    return c.json(serializeFullRepository(urls, repository, deriveRole(services, c, repository)));
  });

  routes.get("/repositories/:id", (c) => {
    const repository = world.repositories.get(readNumber(c, "id"));
    if (repository === undefined) throw notFound();
    authorize(world, c.get("actor"), repository, NEED.readMetadata);
    return c.json(serializeFullRepository(urls, repository, deriveRole(services, c, repository)));
  });

  routes.get("/repos/:owner/:repo/collaborators/:username/permission", (c) => {
    const repository = enter(services, c, NEED.readMetadata);
    const actor = c.get("actor");
    // Of people only those who may push are told. https://github.com/yegor256/rultor/issues/1407
    const told =
      actor.kind === "user" ? allows(world, actor, repository, NEED.writeContents) : actor.kind !== "anonymous";
    if (!told) throw forbidden("Must have push access to view collaborator permission.");
    const account = world.findAccount(readParam(c, "username"));
    if (account === null) throw notFound(`${readParam(c, "username")} is not a user`);
    const role = account.type === "Bot" ? null : world.roleOf(repository, account);
    return c.json({
      permission: formatLegacyPermission(role),
      role_name: role ?? "none",
      user: {
        ...serializeAccount(urls, account),
        role_name: role ?? "none",
        permissions: {
          admin: roleIncludes(role, "admin"),
          maintain: roleIncludes(role, "maintain"),
          push: roleIncludes(role, "write"),
          triage: roleIncludes(role, "triage"),
          pull: roleIncludes(role, "read"),
        },
      },
    });
  });

  routes.get("/repos/:owner/:repo/branches", async (c) => {
    const repository = enter(services, c, NEED.readContents);
    const refs = await listRefs(repository.git, "refs/heads/");
    return c.json(
      paginate(c, refs).map((ref) => {
        const name = ref.name.slice("refs/heads/".length);
        return {
          name,
          commit: { sha: ref.sha, url: `${formatRepositoryUrl(urls, repository)}/commits/${ref.sha}` },
          protected: repository.rules.some((rule) => ruleCovers(rule, name)),
        };
      }),
    );
  });

  routes.get("/repos/:owner/:repo/branches/:branch{.+}", async (c) => {
    const repository = enter(services, c, NEED.readContents);
    const branch = readParam(c, "branch");
    const sha = await readBranch(repository.git, branch);
    const commit = sha === null ? null : await readCommit(repository.git, sha);
    if (commit === null) throw notFound("Branch not found");
    const url = `${formatRepositoryUrl(urls, repository)}/branches/${encodePath(branch)}`;
    const covering = repository.rules.filter((rule) => ruleCovers(rule, branch));
    const contexts = covering.flatMap((rule) => (rule.contexts ?? []).map(({ context }) => context));
    return c.json({
      name: branch,
      commit: serializeCommit(services, repository, commit),
      _links: { self: url, html: `${formatRepositoryPage(urls, repository)}/tree/${encodePath(branch)}` },
      protected: covering.length > 0,
      protection: {
        enabled: covering.length > 0,
        required_status_checks: { enforcement_level: contexts.length > 0 ? "everyone" : "off", contexts, checks: [] },
      },
      protection_url: `${url}/protection`,
    });
  });

  // Answers for branches that do not exist yet, too.
  routes.get("/repos/:owner/:repo/rules/branches/:branch{.+}", async (c) => {
    const repository = enter(services, c, NEED.readMetadata);
    const branch = readParam(c, "branch");
    if (!(await isValidRefName(repository.git, `refs/heads/${branch}`))) throw notFound();
    const rules = repository.rules.filter((rule) => ruleCovers(rule, branch));
    return c.json(paginate(c, rules).map((rule) => serializeRule(repository, rule)));
  });
}
