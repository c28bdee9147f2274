/** Tells from a program's error text whether something outside failed, which is nobody's try. */
import { ASK_A_PERSON, type Remedy } from "../../contracts/job.ts";

export interface OutsideFailure {
  /** What happened, and the smallest next step. */
  readonly cause: string;
  /** Absent where it may be over at the next try, and may not. */
  readonly remedy?: Remedy;
}

interface Rule {
  readonly pattern: RegExp;
  /** The smallest next step, for people. */
  readonly step: string;
  readonly ends?: Remedy["kind"];
}

/** First match wins. */
const rules: readonly Rule[] = [
  {
    pattern:
      /invalid (?:x-)?api[ -]?key|incorrect api key|api key not valid|authentication[_ ]error|unauthori[sz]ed|\b401\b|not logged in|please run .*login|bad credentials|access tokens? .{0,20}not supported/iu,
    step: "the model key was refused: renew the repository secret",
    ends: "person",
  },
  {
    pattern: /credit balance|insufficient[_ ]quota|billing|payment required|\b402\b/iu,
    step: "the account of the model key has no credit left",
    ends: "person",
  },
  {
    pattern: /rate[_ -]?limit|usage limit|quota|too many requests|resource[_ ]exhausted|\b429\b/iu,
    step: "the model's usage limit is reached: wait until it is reset",
    ends: "wait",
  },
  {
    pattern:
      /overloaded|service unavailable|internal server error|bad gateway|gateway time-?out|\b(?:500|502|503|504|529)\b/iu,
    step: "the model's provider is overloaded or down: wait",
    ends: "wait",
  },
  {
    // A runner without a network has it back at the next try, or never.
    pattern:
      /\b(?:ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|UND_ERR_\w+)\b|getaddrinfo|network error|fetch failed|[Ff]ailed to get response from the AI model|connection (?:refused|reset|error)/u,
    step: "the runner does not reach the model's provider",
  },
  {
    pattern:
      /require an explicit model|model .{0,80}(?:not found|does not exist|not supported|not available)|not_found_error|unknown model|\b403\b|permission[_ ]denied/iu,
    step: "the model is not available for this key: mend `tiers` in the configuration",
    ends: "person",
  },
];

/** @returns null when it looks like the agent's own failure. */
export function classifyFailure(text: string): OutsideFailure | null {
  const rule = rules.find((one) => one.pattern.test(text));
  if (rule === undefined) return null;
  const said = text.replaceAll(/\s+/gu, " ").trim().slice(-300);
  const cause = `${rule.step} (${said})`;
  if (rule.ends === undefined) return { cause };
  if (rule.ends === "person") return { cause, remedy: ASK_A_PERSON };
  const until = readReset(text, Date.now());
  return { cause, remedy: { kind: "wait", ...(until === null ? {} : { until }) } };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** When the provider says it takes requests again (ms since 1970), or null: as a time in seconds, or as a pause. */
function readReset(text: string, now: number): number | null {
  const at = /limit reached\|(\d{10})\b/u.exec(text)?.[1];
  if (at !== undefined) return Number(at) * 1000;
  const pause = /(?:try again|retry(?:[ -]after)?|resets?)\D{0,10}?((?:\d+(?:\.\d+)?\s?(?:ms|s|m|h)[a-z]*\s?)+)/iu.exec(
    text,
  )?.[1];
  if (pause === undefined) return null;
  let ms = 0;
  for (const [, count, unit] of pause.matchAll(/(\d+(?:\.\d+)?)\s?(ms|s|m|h)/giu))
    ms += Number(count) * (units[(unit ?? "").toLowerCase()] ?? 0);
  return now + Math.ceil(ms);
}
