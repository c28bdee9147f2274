/**
 * Reads workflow and action files with GitHub's own reader and schema, so that what GitHub refuses
 * (unknown keys, unknown contexts, malformed expressions) is refused here with the same words.
 *
 * The package's entry point imports its schema as JSON without an import attribute, which Node
 * refuses (ERR_IMPORT_ATTRIBUTE_MISSING). The modules below do not touch that entry point: the
 * schema file is read from the package's folder instead.
 */
import { readFileSync } from "node:fs";
import { convertJobs } from "@actions/workflow-parser/model/converter/jobs";
import { JSONObjectReader } from "@actions/workflow-parser/templates/json-object-reader";
import { TemplateSchema } from "@actions/workflow-parser/templates/schema/index";
import { TemplateContext, TemplateValidationErrors } from "@actions/workflow-parser/templates/template-context";
import { readTemplate } from "@actions/workflow-parser/templates/template-reader";
import type { LiteralToken } from "@actions/workflow-parser/templates/tokens/literal-token";
import { StringToken } from "@actions/workflow-parser/templates/tokens/string-token";
import type { TemplateToken } from "@actions/workflow-parser/templates/tokens/template-token";
import {
  isBasicExpression,
  isBoolean,
  isMapping,
  isNumber,
  isSequence,
  isString,
} from "@actions/workflow-parser/templates/tokens/type-guards";
import { NoOperationTraceWriter } from "@actions/workflow-parser/templates/trace-writer";
import { YamlObjectReader } from "@actions/workflow-parser/workflows/yaml-object-reader";
import { type Template, findEntry } from "./template.ts";

export interface ParsedTemplate {
  /** Null where the text is no YAML or has no root mapping. */
  readonly root: Template | null;
  /** `<path> (Line: 3, Col: 5): …` */
  readonly errors: readonly string[];
}

/**
 * The package serves editors: it takes texts over several lines as they stand in the file, with
 * indentation, quotes and folds, when they hold an expression. Without the source it takes the value,
 * which is what GitHub runs.
 */
class ValueReader extends YamlObjectReader {
  override allowLiteral(): LiteralToken | undefined {
    const token = super.allowLiteral();
    if (token === undefined || !isString(token)) return token;
    return new StringToken(token.file, token.range, token.value, token.definitionInfo);
  }
}

type FileKind = "workflow" | "action";
const schemas = new Map<FileKind, TemplateSchema>();

/** Reads a `.github/workflows` file; `errors` holds everything for which GitHub would not run it. */
export function parseWorkflowTemplate(path: string, text: string): ParsedTemplate {
  return parseTemplate("workflow", path, text);
}

/** Reads an `action.yml`. */
export function parseActionTemplate(path: string, text: string): ParsedTemplate {
  return parseTemplate("action", path, text);
}

function parseTemplate(kind: FileKind, path: string, text: string): ParsedTemplate {
  const context = new TemplateContext(new TemplateValidationErrors(), loadSchema(kind), new NoOperationTraceWriter());
  const file = context.getFileId(path);
  const reader = new ValueReader(file, text);
  for (const error of reader.errors) context.error(file, error.message, error.range);
  let root: Template | null = null;
  if (reader.errors.length === 0) {
    const token = readTemplate(context, `${kind}-root-strict`, reader, file);
    if (token !== undefined) {
      if (kind === "workflow" && context.errors.count === 0) checkJobs(context, token);
      root = readToken(token);
    }
  }
  if (kind === "workflow" && root !== null && findEntry(root, "jobs") === null && context.errors.count === 0)
    context.error(file, "Required property is missing: jobs");
  return { root, errors: context.errors.getErrors().map((error) => error.message) };
}

/** The converter's findings: needs that do not exist or form a cycle, step ids, conditions. */
function checkJobs(context: TemplateContext, root: TemplateToken): void {
  if (!isMapping(root)) return;
  const jobs = root.find("jobs");
  if (jobs !== undefined) convertJobs(context, jobs);
}

function readToken(token: TemplateToken): Template {
  if (isBasicExpression(token)) return { kind: "expression", source: token.expression };
  if (isSequence(token)) return { kind: "sequence", items: [...token].map(readToken) };
  if (isMapping(token))
    return {
      kind: "mapping",
      entries: [...token].map(({ key, value }) => ({ key: readToken(key), value: readToken(value) })),
    };
  if (isString(token) || isNumber(token) || isBoolean(token)) return { kind: "literal", value: token.value };
  return { kind: "literal", value: null };
}

function loadSchema(kind: FileKind): TemplateSchema {
  let schema = schemas.get(kind);
  if (schema === undefined) {
    const reader = import.meta.resolve("@actions/workflow-parser/templates/template-reader");
    const text = readFileSync(new URL(`../${kind}-v1.0.min.json`, reader), "utf8");
    schema = TemplateSchema.load(new JSONObjectReader(undefined, text));
    schemas.set(kind, schema);
  }
  return schema;
}
