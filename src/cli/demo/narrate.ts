/** Turns sightings into lines for a person; each thing is told once. Pure but for the memory it is given. */
import { parseBranch, parseMarker, parseRunName } from "../../contracts/names.ts";
import { formatOneLine, shortenTitle } from "./one-line.ts";
import type { Sighting } from "./sighting.ts";

/** - step: something began; good, bad: how it ended; ask: people are asked; say: somebody wrote; land: something is in. */
export type Mark = "step" | "good" | "bad" | "ask" | "say" | "land";

export interface Line {
  readonly at: number;
  /** A chunk, or the part of the run it is about. */
  readonly who: string;
  readonly mark: Mark;
  readonly text: string;
  readonly url: string;
}

/** What has been told, and what waits to be told in its turn. */
export class Told {
  readonly #keys = new Set<string>();
  /** By what must be told first: the App acts before it explains, people want it the other way round. */
  readonly waiting = new Map<string, Line>();

  /** Whether this is new. */
  add(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    return true;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }
}

interface Content {
  readonly who: string;
  readonly mark: Mark;
  readonly text: string;
  /** What must be told before this. */
  readonly after?: string;
  /** What is told with this. */
  readonly tells?: string;
}

/** @returns nothing when there is nothing new to say yet. */
export function narrate(sighting: Sighting, told: Told): readonly Line[] {
  const content = narrateContent(sighting, told);
  const lines: Line[] = [];
  if (content !== null) {
    const { who, mark, text, after, tells } = content;
    const line = { at: sighting.at, who, mark, text, url: sighting.url };
    if (after !== undefined && !told.has(after)) told.waiting.set(after, line);
    else lines.push(line);
    if (tells !== undefined) told.add(tells);
  }
  return [...lines, ...release(sighting, told)];
}

/** What waited and has its turn now. */
function release(sighting: Sighting, told: Told): readonly Line[] {
  const done = readFinishedTry(sighting);
  const over = sighting.kind === "issue" && sighting.action === "closed";
  const lines: Line[] = [];
  for (const [key, line] of told.waiting) {
    if (told.has(key)) lines.push({ ...line, at: sighting.at });
    else if (key === done)
      lines.push({ ...line, at: sighting.at, text: `nothing usable came of the last try; ${line.text}` });
    else if (over) lines.push({ ...line, at: sighting.at });
    else continue;
    told.waiting.delete(key);
  }
  return lines;
}

/** When a new try has ended and nobody has said what was wrong with the one before, nothing ever was. */
function readFinishedTry(sighting: Sighting): string | null {
  if (sighting.kind !== "run" || sighting.status !== "completed") return null;
  const match = /\/implement:([^/]+)\/(\d+)$/u.exec(sighting.title);
  return match?.[1] === undefined ? null : formatVerdictKey(match[1], Number(match[2]) - 1);
}

/** A floor or a review has said what is wrong with an attempt. */
function formatVerdictKey(chunk: string, attempt: number): string {
  return `verdict ${chunk} ${attempt}`;
}

/** A reviewer has passed a chunk. */
function formatPassedKey(chunk: string): string {
  return `passed ${chunk}`;
}

function narrateContent(sighting: Sighting, told: Told): Content | null {
  switch (sighting.kind) {
    case "issue": {
      if (!told.add(`issue ${sighting.number} ${sighting.action}`)) return null;
      const text = `${sighting.by} ${sighting.action === "opened" ? "opens" : "closes"} issue #${sighting.number}: ${sighting.title}`;
      return { who: "issue", mark: sighting.action === "opened" ? "say" : "land", text };
    }
    case "label":
      return {
        who: "issue",
        mark: "say",
        text: `${sighting.by} labels issue #${sighting.number} \`${sighting.label}\``,
      };
    case "comment":
      return narrateComment(sighting, told);
    case "pull":
      return told.add(`pull ${sighting.number} ${sighting.action}`) ? narratePull(sighting) : null;
    case "review":
      // Its check says the same.
      return null;
    case "check":
      return narrateCheck(sighting, told);
    case "run":
      return told.add(`run ${sighting.id} ${sighting.status}`) ? narrateRun(sighting) : null;
    case "push":
      return null;
  }
}

function narrateComment(comment: Extract<Sighting, { kind: "comment" }>, told: Told): Content | null {
  if (comment.action === "edited" || !told.add(comment.url)) return null;
  if (!comment.bot)
    return { who: "people", mark: "say", text: `${comment.by} writes: ${formatOneLine(comment.body, 100)}` };
  const key = parseMarker(comment.body)?.key ?? "";
  const text = formatOneLine(comment.body, 140);
  if (key === "status")
    return { who: "issue", mark: "step", text: "the status comment appears; it is edited from now on" };
  if (key.startsWith("approval:")) return { who: "plan", mark: "ask", text: `waits for a person: ${text}` };
  if (key.startsWith("need:")) return { who: readChunk(key) ?? "people", mark: "ask", text: `asks people: ${text}` };
  if (key.startsWith("stranger:")) return { who: "people", mark: "say", text: `refused: ${text}` };
  if (key === "report") return { who: "report", mark: "good", text };
  return { who: "people", mark: "say", text: `answer: ${text}` };
}

/** `need:escalation:rounding:3` is about `rounding`. */
function readChunk(key: string): string | null {
  return /^need:escalation:([^:]+):/u.exec(key)?.[1] ?? null;
}

function narratePull(pull: Extract<Sighting, { kind: "pull" }>): Content | null {
  const branch = parseBranch(pull.head);
  if (branch?.kind === "chunk") {
    const who: string = branch.chunk;
    if (pull.action === "opened") return { who, mark: "step", text: `pull request #${pull.number} shows the change` };
    if (pull.action === "merged")
      return { who, mark: "land", text: `landed: #${pull.number} is merged`, after: formatPassedKey(who) };
    if (pull.action === "closed") return { who, mark: "bad", text: `#${pull.number} is closed unmerged` };
    return null;
  }
  const texts = {
    opened: `pull request #${pull.number} shows the plan: ${pull.title}`,
    ready: `#${pull.number} is ready: accepted as a whole`,
    merged: `#${pull.number} is merged into ${pull.base}`,
    closed: `#${pull.number} is closed unmerged`,
  };
  const mark: Mark = pull.action === "merged" ? "land" : pull.action === "closed" ? "bad" : "good";
  return { who: "feature", mark, text: texts[pull.action] };
}

function narrateCheck(check: Extract<Sighting, { kind: "check" }>, told: Told): Content | null {
  if (!check.name.startsWith("taskfleet") || !told.add(`${check.id} ${check.conclusion} ${check.title}`)) return null;
  const { who, attempt } = parseCheckSubject(check.externalId);
  const name = check.name === "taskfleet" ? "run" : check.name.slice("taskfleet/".length);
  const good = check.conclusion === "success";
  const failed = !good && check.conclusion !== "action_required" && check.conclusion !== "neutral";
  const passed = name === "review" && good;
  const tells = attempt > 0 && failed ? formatVerdictKey(who, attempt) : passed ? formatPassedKey(who) : undefined;
  const title = shortenTitle(formatOneLine(check.title, 140));
  const why = failed && check.detail !== "" ? `${title}. First: ${formatOneLine(check.detail, 160)}` : title;
  const text = attempt > 1 || (attempt > 0 && failed) ? `${name} of try ${attempt}: ${why}` : `${name}: ${why}`;
  return { who, mark: good ? "good" : failed ? "bad" : "ask", text, ...(tells === undefined ? {} : { tells }) };
}

/** `<run>:floor:<chunk>:<attempt>` and its like say what a check is about; `attempt` 0 = of no attempt. */
function parseCheckSubject(externalId: string): { readonly who: string; readonly attempt: number } {
  const [, kind = "", subject = "", attempt = "0"] = externalId.split(":");
  if (kind === "floor" || kind === "review") return { who: subject, attempt: Number(attempt) };
  if (kind === "candidate") return { who: "candidate", attempt: 0 };
  return { who: kind === "run" || kind === "accept" ? "feature" : kind, attempt: 0 };
}

function narrateRun(run: Extract<Sighting, { kind: "run" }>): Content | null {
  const job = parseRunName(run.title);
  if (job === null) {
    if (run.status === "started") return null;
    const good = run.conclusion === "success";
    return { who: "own CI", mark: good ? "good" : "bad", text: `${run.title} on ${run.event}: ${run.conclusion}` };
  }
  const [, subject = "", n = ""] = job.split("/");
  const [role = "", name = ""] = subject.split(":");
  const about = name.replace(/^chunk-/u, "");
  if (run.status === "completed") {
    if (run.conclusion === "success") return null;
    return { who: about === "" ? role : about, mark: "bad", text: `${role} ended as ${run.conclusion}` };
  }
  switch (role) {
    case "baseline":
      return { who: "plan", mark: "step", text: "the tests are run as they are now: the baseline" };
    case "plan":
      return {
        who: "plan",
        mark: "step",
        text: n === "1" ? "the planner reads the issue" : `the planner works again (${n})`,
      };
    case "plan-review":
      return { who: "plan", mark: "step", text: `a fresh reviewer reads the plan for ${about}` };
    case "implement":
      return n === "1"
        ? { who: about, mark: "step", text: "an agent implements it" }
        : {
            who: about,
            mark: "step",
            text: `an agent tries again (${n})`,
            after: formatVerdictKey(about, Number(n) - 1),
          };
    case "floor":
      return null;
    case "review":
      return { who: about, mark: "step", text: "the floor holds; a fresh reviewer reads the change" };
    case "final-review":
      return { who: "feature", mark: "step", text: "a fresh reviewer reads the feature as a whole" };
    default:
      return null;
  }
}
