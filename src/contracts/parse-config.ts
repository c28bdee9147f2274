/** Reads `.github/taskfleet.yml` and tells everything that is wrong with it, with place and reason. */
import { isMap, isNode, LineCounter, parseDocument, type Document } from "yaml";
import type { z } from "zod";
import { checkConfig, type Config, configSchema } from "./config.ts";
import type { Problem } from "./problem.ts";

export type ParsedConfig =
  | { readonly config: Config; readonly problems: readonly [] }
  | { readonly config: null; readonly problems: readonly Problem[] };

/** More than enough for a registry of hundreds of agents. */
const maxBytes = 256 * 1024;

/** @param text the file's text; a byte order mark and CRLF are fine, an empty file means all defaults. */
export function parseConfig(text: string): ParsedConfig {
  if (text.length > maxBytes)
    return refuse([{ pointer: "", rule: "too-long", message: `the file is longer than ${maxBytes} characters` }]);
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/u, ""), {
    uniqueKeys: true,
    lineCounter: lines,
    prettyErrors: false,
  });
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    return refuse(
      broken.map((error) => {
        const { line, col } = lines.linePos(error.pos[0]);
        const rule = error.code === "DUPLICATE_KEY" ? "duplicate-key" : "yaml";
        return { pointer: "", rule, message: `line ${line}: ${error.message}`, line, column: col };
      }),
    );
  }
  let value: unknown;
  try {
    // Aliases are counted by the library, so that a few lines cannot unfold into gigabytes.
    value = document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    return refuse([{ pointer: "", rule: "yaml", message: error instanceof Error ? error.message : "not readable" }]);
  }
  const parsed = configSchema.safeParse(value ?? {});
  if (!parsed.success) return refuse(parsed.error.issues.flatMap((issue) => formatIssue(issue, document, lines)));
  const problems = checkConfig(parsed.data).map((problem) => ({
    ...problem,
    rule: "config",
    ...locate(document, lines, parsePointer(problem.pointer)),
  }));
  return problems.length > 0 ? refuse(problems) : { config: parsed.data, problems: [] };
}

function refuse(problems: readonly Problem[]): ParsedConfig {
  return { config: null, problems };
}

function formatIssue(issue: z.core.$ZodIssue, document: Document, lines: LineCounter): Problem[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      pointer: formatPointer([...path, key]),
      rule: "unknown-key",
      message: `there is no setting "${key}"${path.length > 0 ? ` in \`${path.join(".")}\`` : ""}`,
      ...locate(document, lines, [...path, key]),
    }));
  const place = path.length > 0 ? `\`${path.join(".")}\`: ` : "";
  return [
    {
      pointer: formatPointer(path),
      rule: issue.code.replaceAll("_", "-"),
      message: `${place}${issue.message}`,
      ...locate(document, lines, path),
    },
  ];
}

function formatPointer(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function parsePointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Where a value stands, or the nearest thing around it that is there. */
function locate(document: Document, lines: LineCounter, path: readonly string[]): { line?: number; column?: number } {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = offsetOf(document, path.slice(0, length));
    if (offset !== null) {
      const { line, col } = lines.linePos(offset);
      return { line, column: col };
    }
  }
  return {};
}

function offsetOf(document: Document, path: readonly string[]): number | null {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  if (isMap(parent)) {
    const pair = parent.items.find((item) => isNode(item.key) && String(item.key) === last);
    return pair !== undefined && isNode(pair.key) ? (pair.key.range?.[0] ?? null) : null;
  }
  const node = document.getIn(path, true);
  return isNode(node) ? (node.range?.[0] ?? null) : null;
}
