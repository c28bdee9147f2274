import type { Chunk } from "../../contracts/plan.ts";
import type { ProblemList } from "../problem-list.ts";
import type { LintContext } from "./lint-context.ts";

const minModules = 3;
const joiningWords =
  /\b(?:assembl|bootstrap|compos|connect|entry ?point|export(?:s|ed)? from|glue|hook(?:s|ed)? up|integrat|join|mount|plug|regist|rout(?:e|es|ing)\b|wir(?:e|es|ed|ing)\b)/i;
const noModule = /(?:^|\/)(?:README|CHANGELOG|LICENSE)|\.(?:md|txt|rst|adoc|ya?ml|toml|ini|cfg|lock|svg|png)$/i;

/** Parts that are built side by side need a chunk that makes them one thing. */
export function lintWiring({ plan, graph, isTestFile }: LintContext, problems: ProblemList): void {
  const modules = plan.chunks.filter((chunk) => createsModule(chunk, isTestFile)).length;
  const buildsOnOthers = (id: string): boolean => (plan.chunks[graph.indexOf.get(id)!]!.deps ?? []).length > 0;
  if (modules < minModules || plan.chunks.some((chunk) => joinsOthers(chunk, buildsOnOthers))) return;
  problems.add(["chunks"], "no-wiring", {
    message: `${modules} chunks create modules, but none joins them: no chunk waits for two others or says that it connects parts`,
    found: `${modules} separate parts`,
    allowed: "a chunk that wires the parts together",
  });
}

function createsModule(chunk: Chunk, isTestFile: (path: string) => boolean): boolean {
  return chunk.files_touched.some((path) => !isTestFile(path) && !noModule.test(path));
}

/** Waits for two others, be it in a chain, or for one and says that it connects. */
function joinsOthers(chunk: Chunk, buildsOnOthers: (id: string) => boolean): boolean {
  const [first, second] = chunk.deps ?? [];
  if (first === undefined) return false;
  return (
    second !== undefined || buildsOnOthers(first) || joiningWords.test(chunk.title) || joiningWords.test(chunk.brief)
  );
}
