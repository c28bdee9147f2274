import { LABEL } from "../contracts/names.ts";
import { formatMention } from "./blocks/mention.ts";

/** One polite answer to somebody who may not start or steer runs; nobody else is named. */
export function renderStrangerComment(login: string, what: "label" | "command"): string {
  const who = formatMention(login);
  switch (what) {
    case "label":
      return `Thank you, ${who}. Only people with write access to this repository can start a run, so the label \`${LABEL}\` did nothing this time. Somebody with write access can take it off and set it again.`;
    case "command":
      return `Thank you, ${who}. Only people with write access to this repository can steer this run, so your command did nothing. What you wrote stays here for them to read.`;
  }
}
