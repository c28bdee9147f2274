import { checkSafePath } from "../contracts/safe-path.ts";

/** Names with `*` or `?` cannot be planned, but a repository may have them. */
export function isSafeEvidencePath(path: string): boolean {
  return checkSafePath(path.replaceAll(/[*?]/gu, "_")) === null;
}
