/** Tells from a program's error text whether something outside failed, which is nobody's try. */

interface Rule {
  readonly pattern: RegExp;
  /** The smallest next step, for people. */
  readonly step: string;
}

/** First match wins. */
const rules: readonly Rule[] = [
  {
    pattern:
      /invalid (?:x-)?api[ -]?key|incorrect api key|api key not valid|authentication[_ ]error|unauthori[sz]ed|\b401\b|not logged in|please run .*login|bad credentials|access tokens? .{0,20}not supported/iu,
    step: "the model key was refused: renew the repository secret",
  },
  {
    pattern: /credit balance|insufficient[_ ]quota|billing|payment required|\b402\b/iu,
    step: "the account of the model key has no credit left",
  },
  {
    pattern: /rate[_ -]?limit|usage limit|quota|too many requests|resource[_ ]exhausted|\b429\b/iu,
    step: "the model's usage limit is reached: wait until it is reset",
  },
  {
    pattern:
      /overloaded|service unavailable|internal server error|bad gateway|gateway time-?out|\b(?:500|502|503|504|529)\b/iu,
    step: "the model's provider is overloaded or down: wait",
  },
  {
    pattern:
      /\b(?:ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|UND_ERR_\w+)\b|getaddrinfo|network error|fetch failed|[Ff]ailed to get response from the AI model|connection (?:refused|reset|error)/u,
    step: "the runner does not reach the model's provider",
  },
  {
    pattern:
      /require an explicit model|model .{0,80}(?:not found|does not exist|not supported|not available)|not_found_error|unknown model|\b403\b|permission[_ ]denied/iu,
    step: "the model is not available for this key: mend `tiers` in the configuration",
  },
];

/** @returns what happened and what to do, or null when it looks like the agent's own failure. */
export function classifyFailure(text: string): string | null {
  const rule = rules.find((one) => one.pattern.test(text));
  if (rule === undefined) return null;
  const said = text.replaceAll(/\s+/gu, " ").trim().slice(-300);
  return `${rule.step} (${said})`;
}
