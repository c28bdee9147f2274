import { foldPath } from "../../contracts/safe-path.ts";
import { listFolders } from "../graph/scopes.ts";
import { orderNodes } from "../graph/topological-order.ts";
import { findRedundantDeps } from "../graph/transitive-reduction.ts";
import { answerOrderQuestions } from "../graph/waits-for.ts";
import { formatFound, type ProblemList } from "../problem-list.ts";
import type { LintContext } from "./lint-context.ts";

/**
 * Chunks that share a file but have no order. The chunks of a file, put in topological order, are
 * all ordered iff each neighbouring pair is, so one question a pair is enough.
 */
export function lintOverlap({ plan, graph }: LintContext, problems: ProblemList): void {
  const pairs: { readonly path: string; readonly first: number; readonly second: number }[] = [];
  const usersOf = new Map<string, { readonly path: string; readonly nodes: number[] }>();
  for (const node of orderNodes(graph)) {
    for (const path of plan.chunks[node]!.files_touched) {
      const key = foldPath(path);
      const users = usersOf.get(key);
      if (users === undefined) {
        usersOf.set(key, { path, nodes: [node] });
        continue;
      }
      pairs.push({ path: users.path, first: users.nodes[users.nodes.length - 1]!, second: node });
      users.nodes.push(node);
    }
  }
  const ordered = answerOrderQuestions(
    graph,
    pairs.map(({ first, second }) => ({ node: second, target: first })),
  );
  for (const [index, pair] of pairs.entries()) {
    if (ordered[index] === true) continue;
    const [a, b] = [graph.ids[pair.first]!, graph.ids[pair.second]!];
    problems.add(["chunks", pair.second, "files_touched"], "overlap-parallel", {
      message: `${formatFound(b)} and ${formatFound(a)} both touch ${formatFound(pair.path)} without an order between them; they will not run at the same time`,
      found: pair.path,
      allowed: "files of their own, or a dep between the two",
    });
  }
  lintFolders(usersOf, problems);
}

function lintFolders(
  usersOf: ReadonlyMap<string, { readonly path: string; readonly nodes: readonly number[] }>,
  problems: ProblemList,
): void {
  for (const [key, users] of usersOf) {
    for (const folder of listFolders(key)) {
      const other = usersOf.get(folder);
      if (other === undefined) continue;
      problems.add(["chunks", other.nodes[0]!, "files_touched"], "file-is-folder", {
        message: `${formatFound(other.path)} is a file here and a folder in chunks[${users.nodes[0]}] (${formatFound(users.path)})`,
        found: other.path,
        allowed: "files that are no folders, unless one chunk replaces the other's file",
      });
    }
  }
}

export function lintRedundantDeps({ plan, graph }: LintContext, problems: ProblemList): void {
  for (const { chunk, dep, through } of findRedundantDeps(graph)) {
    const node = graph.indexOf.get(chunk)!;
    const position = plan.chunks[node]!.deps!.indexOf(dep);
    problems.add(["chunks", node, "deps", position], "redundant-dep", {
      message: `${formatFound(chunk)} waits for ${formatFound(dep)} anyway, since it depends on ${formatFound(through)}`,
      found: dep,
      allowed: "deps that no other dep implies",
    });
  }
}
