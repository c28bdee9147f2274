import type { Account } from "../state/account.ts";
import type { Signature } from "./commit-object.ts";

/** How GitHub names an account in commits made on its behalf. */
export function buildSignature(account: Account, at: number): Signature {
  return { name: account.login, email: `${account.id}+${account.login}@users.noreply.github.com`, at };
}

/** What GitHub commits with when it makes or merges commits itself. */
export const WEB_FLOW = { name: "GitHub", email: "noreply@github.com" } as const;
