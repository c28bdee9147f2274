import { createHash } from "node:crypto";
import { formatSaying } from "../../contracts/saying.ts";
import type { Fact } from "../../engine/fact.ts";
import type { ButtonHint } from "../inbox/button-hint.ts";
import { mayCommand } from "../may-command.ts";
import type { RunSession } from "../run-session.ts";

/** A button pressed is the command it names, given by who pressed it. */
export async function observeButton(
  session: RunSession,
  { button, externalId, guid, by }: ButtonHint,
): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const on = state.run.issue;
  const comment = formatSaying({ kind: "press", id: createHash("sha256").update(guid).digest().readUInt32BE(0) });
  if (!mayCommand(await repository.loadRole(by))) return [{ kind: "StrangerRefused", login: by, on, comment }];
  // The revision the button was shown for is the one it approves.
  const rev = Number(/:plan:([0-9]+)$/u.exec(externalId)?.[1] ?? Number.NaN);
  const args =
    button === "approve" ? (state.revisions.find((revision) => revision.rev === rev)?.hash ?? "unknown") : "";
  return [{ kind: "CommandReceived", comment, line: 0, on, by, name: button, args }];
}
