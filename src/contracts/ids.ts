/** Branded identifiers: a string that went through the constructor beside its type. */

declare const brand: unique symbol;
export type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** A git object id: 40 (SHA-1) or 64 (SHA-256) lower-case hex digits. */
export type Sha = Branded<string, "Sha">;
/** `<issue>-<slug>`, or `<issue>.<n>-<slug>` for the n-th run of an issue; unique in its repository. */
export type RunKey = Branded<string, "RunKey">;
/** `YYYY-MM-DD-NNN`, the execution plan's identifier of a run. */
export type RunId = Branded<string, "RunId">;
/** A chunk's id, as the plan schema allows it. */
export type ChunkId = Branded<string, "ChunkId">;
/** A job's correlation id: deterministic, carried in the workflow run's name. */
export type JobId = Branded<string, "JobId">;

const shaPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;
const runKeyPattern = /^[1-9][0-9]*(?:\.[1-9][0-9]*)?-[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const runIdPattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{3,}$/u;
const chunkIdPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/u;

export function isSha(text: string): text is Sha {
  return shaPattern.test(text);
}

/** @throws TypeError when the text is no object id. */
export function parseSha(text: string): Sha {
  if (!isSha(text)) throw new TypeError(`not a git object id: ${JSON.stringify(text.slice(0, 80))}`);
  return text;
}

export function isRunKey(text: string): text is RunKey {
  return text.length <= 80 && runKeyPattern.test(text);
}

/** @throws TypeError when the text is no run key. */
export function parseRunKey(text: string): RunKey {
  if (!isRunKey(text)) throw new TypeError(`not a run key: ${JSON.stringify(text.slice(0, 80))}`);
  return text;
}

/** The slug of a title: ASCII words joined by `-`, at most 40 characters, `task` when nothing is left. */
export function formatSlug(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-");
  const cut = words.replace(/^-+/u, "").slice(0, 40).replace(/-+$/u, "");
  return cut === "" ? "task" : cut;
}

/** @param sequence 1 for an issue's first run. */
export function formatRunKey(issue: number, sequence: number, title: string): RunKey {
  const number = sequence <= 1 ? `${issue}` : `${issue}.${sequence}`;
  return parseRunKey(`${number}-${formatSlug(title)}`);
}

/** The issue number and the sequence a run key names. */
export function readRunKey(key: RunKey): { readonly issue: number; readonly sequence: number } {
  const [issue, sequence] = key.slice(0, key.indexOf("-")).split(".");
  return { issue: Number(issue), sequence: sequence === undefined ? 1 : Number(sequence) };
}

export function isRunId(text: string): text is RunId {
  return runIdPattern.test(text);
}

/** @param day `YYYY-MM-DD`; @param number counts from 1 within the day. */
export function formatRunId(day: string, number: number): RunId {
  const text = `${day}-${String(number).padStart(3, "0")}`;
  if (!isRunId(text)) throw new TypeError(`not a run id: ${text}`);
  return text;
}

export function isChunkId(text: string): text is ChunkId {
  return text.length <= 100 && chunkIdPattern.test(text) && !text.includes("..") && !/(?:\.|\.lock)$/u.test(text);
}
