/** Reads `.github/taskfleet.yml` and tells everything that is wrong with it, with place and reason. */
import { isMap, isNode, LineCounter, parseDocument, type Document } from "yaml";
import type { z } from "zod";
import { checkConfig, type Config, configFileSchema } from "./config.ts";
import type { Problem } from "./problem.ts";

export type ParsedConfig =
  | { readonly config: Config; readonly problems: readonly [] }
  | { readonly config: null; readonly problems: readonly Problem[] };

/** One of the files a configuration is made of. */
export interface ConfigLayer {
  /** Named in problems; null for the repository's own file, which needs no name. */
  readonly where: string | null;
  readonly text: string;
}

/** More than enough for a registry of hundreds of agents. */
const maxBytes = 256 * 1024;

/**
 * One file alone: what it extends is not looked at.
 * @param text the file's text; a byte order mark and CRLF are fine, an empty file means all defaults.
 */
export function parseConfig(text: string): ParsedConfig {
  return parseConfigLayers([{ where: null, text }]);
}

/**
 * Several files as one: a setting of the first level counts as it stands in the first file that has it, whole
 * (Probot's rule: github.com/probot/octokit-plugin-config#merging-configuration).
 * @param layers the repository's own file first.
 */
export function parseConfigLayers(layers: readonly ConfigLayer[]): ParsedConfig {
  const read = layers.map(readLayer);
  const unreadable = read.flatMap((layer) => ("problems" in layer ? layer.problems : []));
  if (unreadable.length > 0) return refuse(unreadable);
  const documents = read.filter((layer) => "document" in layer);
  // A file that is no mapping at all cannot be merged; the schema says so.
  const odd = documents.find(({ value }) => !isMapping(value));
  const parsed = configFileSchema.safeParse(odd?.value ?? mergeValues(documents));
  const layerOf = (path: readonly string[]): ReadLayer =>
    odd ?? documents.find(({ value }) => isMapping(value) && Object.hasOwn(value, path[0] ?? "")) ?? documents[0]!;
  if (!parsed.success) return refuse(parsed.error.issues.flatMap((issue) => formatIssue(issue, layerOf)));
  const { _extends: _, ...config } = parsed.data;
  const problems = checkConfig(config).map(({ pointer, message }) => {
    const path = parsePointer(pointer);
    return place({ pointer, rule: "config", message }, layerOf(path), path);
  });
  return problems.length > 0 ? refuse(problems) : { config, problems: [] };
}

/** The layers' settings as one text, JSON, for whoever must read the same configuration later. */
export function formatMergedConfig(layers: readonly ConfigLayer[]): string {
  const documents = layers.map(readLayer).filter((layer) => "document" in layer);
  const { _extends: _, ...merged } = mergeValues(documents);
  return `${JSON.stringify(merged, null, 2)}\n`;
}

/** The settings of the first level that a file gives, without what it extends; none when it cannot be read. */
export function listConfigKeys(text: string): readonly string[] {
  const layer = readLayer({ where: null, text });
  return "document" in layer && isMapping(layer.value)
    ? Object.keys(layer.value).filter((key) => key !== "_extends")
    : [];
}

/** `_extends` as it stands in a file, or null; what is no text is for {@link parseConfig} to refuse. */
export function readExtends(text: string): string | null {
  const layer = readLayer({ where: null, text });
  const value = "document" in layer && isMapping(layer.value) ? layer.value["_extends"] : undefined;
  return typeof value === "string" ? value : null;
}

interface ReadLayer {
  readonly where: string | null;
  readonly document: Document;
  readonly lines: LineCounter;
  readonly value: unknown;
}

function readLayer({ where, text }: ConfigLayer): ReadLayer | { readonly problems: readonly Problem[] } {
  const fail = (rule: string, message: string, at: { line?: number; column?: number } = {}): Problem =>
    name({ pointer: "", rule, message, ...at }, where);
  if (text.length > maxBytes) return { problems: [fail("too-long", `the file is longer than ${maxBytes} characters`)] };
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/u, ""), {
    uniqueKeys: true,
    lineCounter: lines,
    prettyErrors: false,
  });
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0)
    return {
      problems: broken.map((error) => {
        const { line, col } = lines.linePos(error.pos[0]);
        const rule = error.code === "DUPLICATE_KEY" ? "duplicate-key" : "yaml";
        return fail(rule, `line ${line}: ${error.message}`, { line, column: col });
      }),
    };
  try {
    // Aliases are counted by the library, so that a few lines cannot unfold into gigabytes.
    const value = document.toJS({ maxAliasCount: 100 }) as unknown;
    return { where, document, lines, value: value ?? {} };
  } catch (error) {
    return { problems: [fail("yaml", error instanceof Error ? error.message : "not readable")] };
  }
}

/** The first layer's settings win, and what it extends is its own business. */
function mergeValues(layers: readonly ReadLayer[]): Readonly<Record<string, unknown>> {
  // Not assigned: a key `__proto__` must stay a key.
  return Object.fromEntries(layers.toReversed().flatMap(({ value }) => Object.entries(value as object)));
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Of a file that is not the repository's own it is said which one it is. */
function name(problem: Problem, where: string | null): Problem {
  return where === null ? problem : { ...problem, message: `\`${where}\`: ${problem.message}` };
}

function place(problem: Problem, layer: ReadLayer, path: readonly string[]): Problem {
  return name({ ...problem, ...locate(layer.document, layer.lines, path) }, layer.where);
}

function refuse(problems: readonly Problem[]): ParsedConfig {
  return { config: null, problems };
}

function formatIssue(issue: z.core.$ZodIssue, layerOf: (path: readonly string[]) => ReadLayer): Problem[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => {
      const whole = [...path, key];
      const message = `there is no setting "${key}"${path.length > 0 ? ` in \`${path.join(".")}\`` : ""}`;
      return place({ pointer: formatPointer(whole), rule: "unknown-key", message }, layerOf(whole), whole);
    });
  const message = `${path.length > 0 ? `\`${path.join(".")}\`: ` : ""}${issue.message}`;
  return [place({ pointer: formatPointer(path), rule: issue.code.replaceAll("_", "-"), message }, layerOf(path), path)];
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
