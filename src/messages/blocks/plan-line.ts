import { formatCode } from "../../contracts/markdown.ts";
import { formatEvidencePath } from "../../contracts/names.ts";
import type { RunState } from "../../engine/state.ts";
import type { Links } from "../links.ts";

/** The newest revision with a link to its very bytes, its hash and who approved it; "" before there is one. */
export function formatPlanLine(state: RunState, links: Links): string {
  const newest = state.revisions.at(-1);
  if (newest === undefined) return "";
  const { run } = state.run;
  const page = links.file(newest.commit, formatEvidencePath(run, { kind: "plan-page" }));
  const approved = state.approved;
  const approval =
    approved === null
      ? "not approved yet"
      : approved.rev === newest.rev
        ? `approved by ${approved.by === "policy" ? "policy" : formatCode(approved.by)}`
        : `not approved yet; revision ${approved.rev} is what was approved`;
  return `[revision ${newest.rev}](${page}) (${formatCode(newest.hash.slice(0, 12))}), ${approval}`;
}
