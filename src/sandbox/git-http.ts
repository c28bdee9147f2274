import { basename, dirname } from "node:path";
import type { Context, Hono } from "hono";
import { authenticate } from "./auth/authenticate.ts";
import { allows, canSee } from "./auth/authorize.ts";
import { parsePushCommands } from "./git/parse-push-commands.ts";
import { type Ref, listRefs } from "./git/refs.ts";
import { runBackend } from "./git/run-backend.ts";
import { NEED } from "./http/api-context.ts";
import { HttpProblem } from "./http-problem.ts";
import type { RefChange } from "./refs/change-ref.ts";
import { findViolatedRule, lacksWorkflows } from "./refs/check-ref-rules.ts";
import { followRefChange } from "./refs/follow-ref-change.ts";
import type { Services } from "./services.ts";
import type { Actor, NamedActor } from "./state/actor.ts";
import type { Repository } from "./state/repository.ts";

function refuse(c: Context, status: 401 | 403 | 404, text: string): Response {
  if (status === 401) c.header("www-authenticate", 'Basic realm="GitHub"');
  return c.text(text, status);
}

/** Who may fetch or push; the answer is the refusal, or null. */
function checkAccess(
  services: Services,
  c: Context,
  actor: Actor,
  { repository, service }: { readonly repository: Repository | null; readonly service: "fetch" | "push" },
): Response | null {
  const { world } = services;
  if (repository === null || !canSee(world, actor, repository)) {
    return actor.kind === "anonymous"
      ? refuse(c, 401, "Authentication required.")
      : refuse(c, 404, "Repository not found.");
  }
  if (service === "fetch") {
    return allows(world, actor, repository, NEED.readContents)
      ? null
      : refuse(c, 403, "Read access to repository not granted.");
  }
  if (actor.kind === "anonymous") return refuse(c, 401, "Authentication required.");
  if (repository.archived) return refuse(c, 403, "This repository was archived so it is read-only.");
  if (allows(world, actor, repository, NEED.writeContents)) return null;
  const name = "account" in actor ? actor.account.login : "the App";
  return actor.kind === "user"
    ? refuse(c, 403, `Permission to ${repository.owner.login}/${repository.name}.git denied to ${name}.`)
    : refuse(c, 403, "Write access to repository not granted.");
}

async function listPushable(repository: Repository): Promise<Map<string, string>> {
  const refs: Ref[] = await listRefs(repository.git, "refs/");
  return new Map(refs.filter(({ name }) => !name.startsWith("refs/pull/")).map(({ name, sha }) => [name, sha]));
}

/** What a push has changed, found by looking at the refs before and after it. */
function diffRefs(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): RefChange[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .map((name) => ({ name, before: before.get(name) ?? null, after: after.get(name) ?? null }))
    .filter((change) => change.before !== change.after);
}

async function findLockedRefs(repository: Repository, body: Uint8Array): Promise<string[]> {
  const locked: string[] = [];
  for (const command of parsePushCommands(body)) {
    const rules = repository.rules.filter(
      ({ type }) => type !== "non_fast_forward" && type !== "required_status_checks",
    );
    if ((await findViolatedRule({ ...repository, rules }, command)) !== null) locked.push(command.name);
  }
  return locked;
}

/** git over HTTP: `/{owner}/{repo}(.git)/info/refs`, `/git-upload-pack`, `/git-receive-pack`. */
export function addGitRoutes(site: Hono, services: Services): void {
  const handle = async (c: Context): Promise<Response> => {
    const [owner, name] = [c.req.param("owner") ?? "", (c.req.param("repo") ?? "").replace(/\.git$/, "")];
    const { world } = services;
    const repository = world.findRepository(owner, name) ?? world.findRenamed(owner, name);
    const path = new URL(c.req.url).pathname;
    const operation = path.endsWith("/info/refs") ? "/info/refs" : `/${basename(path)}`;
    const push = operation === "/git-receive-pack" || c.req.query("service") === "git-receive-pack";
    let actor: Actor;
    try {
      actor = authenticate(services.world, c.req.header("authorization"));
    } catch (error) {
      if (error instanceof HttpProblem)
        return refuse(c, error.status === 403 ? 403 : 401, "Invalid username or token.");
      throw error;
    }
    const refusal = checkAccess(services, c, actor, {
      repository,
      service: push ? "push" : "fetch",
    });
    if (refusal !== null || repository === null) return refusal ?? refuse(c, 404, "Repository not found.");
    const body = new Uint8Array(await c.req.arrayBuffer());
    const environment = await buildHookEnvironment(repository, actor, operation === "/git-receive-pack" ? body : null);
    const call = () =>
      runBackend({
        projectRoot: dirname(repository.git.dir),
        pathInfo: `/${basename(repository.git.dir)}${operation}`,
        method: c.req.method,
        query: new URL(c.req.url).search.slice(1),
        contentType: c.req.header("content-type") ?? "",
        contentEncoding: c.req.header("content-encoding") ?? "",
        gitProtocol: c.req.header("git-protocol") ?? "",
        remoteUser: "account" in actor ? actor.account.login : "",
        body,
        environment,
      });
    if (operation !== "/git-receive-pack" || !("account" in actor)) return (await call()).response;
    return receivePush(services, repository, actor, call);
  };
  site.get("/:owner/:repo/info/refs", handle);
  site.post("/:owner/:repo/git-upload-pack", handle);
  site.post("/:owner/:repo/git-receive-pack", handle);
}

async function buildHookEnvironment(
  repository: Repository,
  actor: Actor,
  push: Uint8Array | null,
): Promise<Record<string, string>> {
  if (push === null || !("account" in actor)) return {};
  return {
    SANDBOX_WORKFLOWS: lacksWorkflows(actor) ? "deny" : "allow",
    SANDBOX_LOCKED: (await findLockedRefs(repository, push)).join("\n"),
  };
}

async function receivePush(
  services: Services,
  repository: Repository,
  actor: NamedActor,
  call: () => ReturnType<typeof runBackend>,
): Promise<Response> {
  return services.locks.run(repository.id, async () => {
    const before = await listPushable(repository);
    const { response, ended } = await call();
    const answer = new Uint8Array(await response.arrayBuffer());
    await ended;
    for (const change of diffRefs(before, await listPushable(repository))) {
      await followRefChange(services, repository, actor, change);
    }
    return new Response(answer, { status: response.status, headers: response.headers });
  });
}
