/** A run as JSON lines: a heading, then every fact in its order. What `export` writes and `replay` reads. */
import { createHash } from "node:crypto";
import { UserError } from "../../contracts/errors.ts";
import type { Fact, RecordedFact } from "../../engine/fact.ts";
import type { RunAddress, StoredFact } from "../../store/port.ts";

const FORMAT = "taskfleet-run/1";

export interface RunFile {
  readonly run: RunAddress;
  readonly facts: readonly RecordedFact[];
  /** SHA-256 over the facts' lines: a file that was cut or edited says so. */
  readonly sum: string;
}

export function formatRunFile(run: RunAddress, facts: readonly StoredFact[]): string {
  const lines = facts.map(({ seq, at, fact }) => JSON.stringify({ seq, at, fact: JSON.parse(fact) as Fact }));
  const heading = {
    format: FORMAT,
    run: run.runKey,
    repositoryId: run.repositoryId,
    facts: facts.length,
    sum: sumLines(lines),
  };
  return `${[JSON.stringify(heading), ...lines].join("\n")}\n`;
}

/** @throws UserError that names the line which is wrong. */
export function parseRunFile(text: string): RunFile {
  const [first = "", ...lines] = text.trimEnd().split("\n");
  const heading = parseLine(first, 1) as Partial<{
    format: string;
    run: string;
    repositoryId: number;
    facts: number;
    sum: string;
  }>;
  if (heading.format !== FORMAT) throw new UserError(`Line 1 does not begin a run: \`format\` is not ${FORMAT}.`);
  if (heading.facts !== lines.length)
    throw new UserError(`The file announces ${heading.facts ?? "no"} facts and holds ${lines.length}.`);
  const facts = lines.map((line, index) => {
    const entry = parseLine(line, index + 2) as RecordedFact;
    if (entry.seq !== index + 1 || typeof entry.at !== "number" || typeof entry.fact?.kind !== "string")
      throw new UserError(`Line ${index + 2} is not fact ${index + 1}.`);
    return entry;
  });
  const sum = sumLines(lines);
  if (heading.sum !== sum) throw new UserError("The facts are not those that were exported: their sum differs.");
  return { run: { runKey: heading.run as RunAddress["runKey"], repositoryId: heading.repositoryId ?? 0 }, facts, sum };
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
