import { formatCode } from "../../contracts/markdown.ts";

/** Names a person so that GitHub notifies them; anything that is no login is only shown. */
export function formatMention(login: string): string {
  return /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/u.test(login) ? `@${login}` : formatCode(login);
}
