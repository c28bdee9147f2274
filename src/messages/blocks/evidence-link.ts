import { formatCode, formatTableCode } from "../../contracts/markdown.ts";
import type { Evidence } from "../../contracts/verdict.ts";
import type { Links } from "../links.ts";

type Place = Pick<Evidence, "path" | "start" | "end">;

/** `path:12-14` as a link to exactly these lines of the commit. */
export function formatEvidenceLink(place: Place, links: Links, commit: string): string {
  return `[${formatCode(formatPlace(place))}](${links.lines(commit, place.path, place.start, place.end)})`;
}

/** The same, for a cell of a table. */
export function formatEvidenceCell(place: Place, links: Links, commit: string): string {
  return `[${formatTableCode(formatPlace(place))}](${links.lines(commit, place.path, place.start, place.end)})`;
}

function formatPlace({ path, start, end }: Place): string {
  return `${path}:${start}${end > start ? `-${end}` : ""}`;
}
