import { DOCS } from "../links.ts";
import { type PortRow, row } from "./port-row.ts";

export const accessRows: readonly PortRow[] = [
  row("An App knows the repositories it is installed on.", true, [DOCS.installations], async ({ port, repository }) =>
    (await port.loadRepositoryRefs()).some((ref) => JSON.stringify(ref) === JSON.stringify(repository.ref)),
  ),
  row("Nobody has no role.", "none", [DOCS.collaborators], ({ repository }) =>
    repository.loadRole("x-nobody-has-this-name-x"),
  ),
];
