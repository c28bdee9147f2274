/** Everything that stands twice on the local GitHub although it should be there once. */
import { spawnSync } from "node:child_process";
import { parseMarker } from "../../src/contracts/names.ts";
import type { Sandbox } from "../../src/sandbox/sandbox-options.ts";

/** @param fullName `owner/name`. @returns one sentence per double. */
export function findDoubles(sandbox: Sandbox, fullName: string): readonly string[] {
  const [owner = "", name = ""] = fullName.split("/");
  const repository = sandbox.world.findRepository(owner, name);
  if (repository === null) throw new Error(`there is no ${fullName}`);
  const app = sandbox.app.id;
  const things = [
    ...[...repository.comments.values()]
      .filter((comment) => comment.appId === app)
      .map((comment) => `comment ${parseMarker(comment.body)?.key ?? comment.body} on #${comment.issueNumber}`),
    ...[...repository.pulls.values()].map((pull) => `pull request of ${pull.headRef}`),
    ...[...repository.reviews.values()]
      .filter((review) => review.author.type === "Bot")
      .map((review) => `review of ${review.commitId} on #${review.pullNumber}`),
    ...[...repository.checkRuns.values()]
      .filter((check) => check.appId === app)
      .map((check) => `check ${check.name} ${check.externalId} on ${check.headSha}`),
    ...[...repository.runs.values()].map((run) => `workflow run ${run.displayTitle}`),
    ...listLandings(repository.git.dir, repository.defaultBranch).map((subject) => `landing ${subject}`),
  ];
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([thing, count]) => `${count} times: ${thing}`);
}

/** The landings in a branch, by the first line of their messages. */
export function listLandings(gitDir: string, branch: string): readonly string[] {
  const result = spawnSync("git", ["log", "--format=%s", branch], { cwd: gitDir, encoding: "utf8" });
  return result.stdout.split("\n").filter((line) => line.startsWith("feat("));
}
