/** Finds the plan a person wrote into an issue: marked blocks of code, or the fields of our issue form. */
import { fromMarkdown } from "mdast-util-from-markdown";
import { FORM_LABELS } from "./form-labels.ts";
import { type GivenReading, parseGivenText } from "./parse-given-text.ts";

type Block = ReturnType<typeof fromMarkdown>["children"][number];

type Sections = ReadonlyMap<string, readonly Block[]>;

/** The word after the three backticks. */
const BLOCK_LANGUAGE = "taskfleet";

/**
 * @param intent the sanitised issue: what no person sees in the issue is in no plan either. Blocks count only at
 *   the outermost level: what is quoted is somebody else's.
 */
export function readIssuePlan(intent: string): GivenReading {
  const { children } = fromMarkdown(intent);
  const blocks = children.flatMap((node) => (node.type === "code" && node.lang === BLOCK_LANGUAGE ? [node.value] : []));
  if (blocks.length > 0) return mergeBlocks(blocks.map((block) => parseGivenText(block)));
  const sections = splitSections(children);
  const plan = readField(sections, FORM_LABELS.plan);
  if (plan !== "") return parseGivenText(plan);
  return readForm(sections);
}

/** One block may hold the whole plan, others single chunks or lists of them. */
function mergeBlocks(readings: readonly GivenReading[]): GivenReading {
  const chunks: unknown[] = [];
  const rest: Record<string, unknown> = {};
  for (const [index, reading] of readings.entries()) {
    if (reading.kind !== "found") return reading;
    const { chunks: own, ...others } = reading.value;
    if (Array.isArray(own)) chunks.push(...(own as unknown[]));
    for (const [key, value] of Object.entries(others)) {
      if (Object.hasOwn(rest, key))
        return { kind: "broken", why: `block ${index + 1} says \`${key}\` again: say it in one block` };
      rest[key] = value;
    }
  }
  return { kind: "found", value: { ...rest, chunks } };
}

/** The form without a plan of its own describes one chunk. */
function readForm(sections: Sections): GivenReading {
  const lines = (label: string): string[] =>
    readField(sections, label)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  const files = lines(FORM_LABELS.files);
  const checks = lines(FORM_LABELS.checks);
  if (files.length === 0 && checks.length === 0) return { kind: "none" };
  const assertions = lines(FORM_LABELS.assertions);
  const untouched = readField(sections, FORM_LABELS.untouched);
  const brief = readField(sections, FORM_LABELS.brief);
  const chunk = {
    id: "work",
    tier: "mid",
    brief: untouched === "" ? brief : `${brief}\n\nWhat must stay as it is: ${untouched}`,
    files_touched: files,
    checks: checks.map((run) => ({ desc: `\`${run}\` passes`, run })),
    ...(assertions.length === 0 ? {} : { assertions }),
  };
  return { kind: "found", value: { chunks: [chunk] } };
}

/** GitHub writes a form as `### Label`, then the answer (docs.github.com/en/communities, "Syntax for issue forms"). */
function splitSections(children: readonly Block[]): Sections {
  const sections = new Map<string, Block[]>();
  let current: Block[] | null = null;
  for (const node of children) {
    if (node.type === "heading" && node.depth <= 3) {
      const label = readText(node);
      // The first field of a label is the form's; a later heading alike is part of somebody's answer.
      current = sections.has(label) ? null : [];
      if (current !== null) sections.set(label, current);
    } else current?.push(node);
  }
  return sections;
}

function readField(sections: Sections, label: string): string {
  const text = (sections.get(label) ?? [])
    .map((node) => readText(node))
    .join("\n\n")
    .trim();
  // What GitHub writes for a field that was left empty.
  return text === "No response" ? "" : text;
}

function readText(node: Block): string {
  if ("value" in node) return node.value;
  if (node.type === "break") return "\n";
  const join = node.type === "list" ? "\n" : "";
  return "children" in node ? node.children.map((child) => readText(child)).join(join) : "";
}
