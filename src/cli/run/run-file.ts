/** A run as JSON lines: a heading, then every fact in its order. What `export` writes and `replay` reads. */
import { createHash } from "node:crypto";
import { UserError } from "../../contracts/errors.ts";
import { isRunKey } from "../../contracts/ids.ts";
import type { Timing } from "../../engine/decide.ts";
import type { RecordedFact } from "../../engine/fact.ts";
import type { RunAddress } from "../../store/port.ts";
import { isKnownKind } from "./fact-origin.ts";

const FORMAT = "taskfleet-run/1";

export interface RunFile {
  readonly run: RunAddress;
  readonly facts: readonly RecordedFact[];
  /** What the App went by; null in a file that does not say so. */
  readonly timing: Timing | null;
  /** SHA-256 over the facts' lines: a file that was cut or edited says so. */
  readonly sum: string;
}

interface Heading {
  readonly format: string;
  readonly run: string;
  readonly repositoryId: number;
  readonly facts: number;
  /** Milliseconds; absent in files of former versions. */
  readonly staleReadMs?: number;
  readonly sum: string;
}

export function formatRunFile(run: RunAddress, facts: readonly RecordedFact[], timing: Timing): string {
  const lines = facts.map(({ seq, at, fact }) => JSON.stringify({ seq, at, fact }));
  const heading: Heading = {
    format: FORMAT,
    run: run.runKey,
    repositoryId: run.repositoryId,
    facts: facts.length,
    staleReadMs: timing.staleReadMs,
    sum: sumLines(lines),
  };
  return `${[JSON.stringify(heading), ...lines].join("\n")}\n`;
}

/** @throws UserError that names the line which is wrong. */
export function parseRunFile(text: string): RunFile {
  if (text.includes("\0"))
    throw new UserError("This is no text in UTF-8: where a shell wrote it as UTF-16, convert it or export anew.");
  if (text.trim() === "") throw new UserError("The file is empty.");
  // A shell may have begun the file with a mark of its encoding, and have ended its lines in its own way.
  const [first = "", ...lines] = text
    .replace(/^\uFEFF/u, "")
    .trimEnd()
    .split(/\r?\n/u);
  const heading = parseHeading(first);
  if (heading.facts !== lines.length)
    throw new UserError(
      `The file announces ${heading.facts} facts and holds ${lines.length}: it was cut or edited. Export the run anew.`,
    );
  const facts = lines.map((line, index) => parseFact(line, index + 2));
  const sum = sumLines(lines);
  if (heading.sum !== sum) throw new UserError("The facts are not those that were exported: their sum differs.");
  const { run: runKey, repositoryId, staleReadMs } = heading;
  return {
    run: { runKey: runKey as RunAddress["runKey"], repositoryId },
    facts,
    timing: staleReadMs === undefined ? null : { staleReadMs },
    sum,
  };
}

function parseHeading(line: string): Heading {
  const heading = parseLine(line, 1) as Partial<Record<keyof Heading, unknown>>;
  const { format, run, facts, repositoryId, staleReadMs, sum } = heading;
  if (typeof format === "string" && format.startsWith("taskfleet-run/") && format !== FORMAT)
    throw new UserError(`The file is of another version of Taskfleet: its format is ${format}, not ${FORMAT}.`);
  if (format !== FORMAT)
    throw new UserError(
      `Line 1 does not begin a run: \`format\` is not ${FORMAT}. \`taskfleet export\` writes such files.`,
    );
  const isSound =
    typeof run === "string" &&
    isRunKey(run) &&
    Number.isSafeInteger(facts) &&
    Number(facts) > 0 &&
    Number.isSafeInteger(repositoryId) &&
    typeof sum === "string" &&
    (staleReadMs === undefined || (Number.isFinite(staleReadMs) && Number(staleReadMs) >= 0));
  if (!isSound) throw new UserError("Line 1 does not say which run it begins, or how many facts it has.");
  return heading as Heading;
}

function parseFact(line: string, number: number): RecordedFact {
  const entry = parseLine(line, number) as Partial<RecordedFact>;
  const { seq, at, fact } = entry;
  if (seq !== number - 1 || typeof at !== "number" || typeof fact?.kind !== "string")
    throw new UserError(`Line ${number} is not fact ${number - 1}.`);
  if (!isKnownKind(fact))
    throw new UserError(
      `Line ${number}: this version of Taskfleet knows no fact \`${fact.kind}\`: replay it with the one that wrote it.`,
    );
  if ((fact.kind === "RunStarted") !== (seq === 1))
    throw new UserError(
      seq === 1
        ? `Line ${number}: a run begins with RunStarted, not ${fact.kind}.`
        : `Line ${number}: a second beginning.`,
    );
  return { seq, at, fact };
}

function parseLine(line: string, number: number): unknown {
  try {
    const value = JSON.parse(line) as unknown;
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new UserError(`Line ${number} is no JSON object.`);
}

function sumLines(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
