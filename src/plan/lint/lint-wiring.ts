import type { Chunk } from "../../contracts/plan.ts";
import type { ProblemList } from "../problem-list.ts";
import type { LintContext } from "./lint-context.ts";

const minModules = 3;
const joiningWords =
  /\b(?:assembl|bootstrap|compos|connect|entry ?point|export(?:s|ed)? from|glue|hook(?:s|ed)? up|integrat|join|mount|plug|regist|rout(?:e|es|ing)\b|wir(?:e|es|ed|ing)\b)/i;
const noModule = /(?:^|\/)(?:README|CHANGELOG|LICENSE)|\.(?:md|txt|rst|adoc|ya?ml|toml|ini|cfg|lock|svg|png)$/i;

/** Parts that are built side by side need a chunk that makes them one thing. */
export function lintWiring({ plan, isTestFile }: LintContext, problems: ProblemList): void {
  const modules = plan.chunks.filter((chunk) => createsModule(chunk, isTestFile)).length;
  if (modules < minModules || plan.chunks.some(joinsOthers)) return;
  problems.add(["chunks"], "no-wiring", {
    message: `${modules} chunks create modules, but none joins them: no chunk depends on two others or says that it connects parts`,
    found: `${modules} separate parts`,
    allowed: "a chunk that wires the parts together",
  });
}

function createsModule(chunk: Chunk, isTestFile: (path: string) => boolean): boolean {
  return chunk.files_touched.some((path) => !isTestFile(path) && !noModule.test(path));
}

function joinsOthers(chunk: Chunk): boolean {
  const deps = chunk.deps?.length ?? 0;
  return deps >= 2 || (deps === 1 && (joiningWords.test(chunk.title) || joiningWords.test(chunk.brief)));
}
