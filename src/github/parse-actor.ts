import type { Actor } from "./port.ts";

/** An account as GitHub describes it; null for one that was deleted. */
export type Author = { readonly login: string; readonly id: number; readonly type: string } | null | undefined;

/** A deleted account shows as `ghost`; it has no rights and is not ours. */
export function parseActor(author: Author): Actor {
  if (author === null || author === undefined) return { login: "ghost", id: 0, bot: false };
  // `[bot]` cannot be part of a person's login.
  return { login: author.login, id: author.id, bot: author.type === "Bot" || author.login.endsWith("[bot]") };
}
