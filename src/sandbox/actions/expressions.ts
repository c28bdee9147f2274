/** Expressions, evaluated by GitHub's own package. */
import { Evaluator, Lexer, Parser, data } from "@actions/expressions";
import { type Token, TokenType } from "@actions/expressions/lexer";
import type { FunctionDefinition } from "@actions/expressions/funcs/info";
import type { Template } from "./template.ts";

/** What the status functions answer. https://docs.github.com/en/actions/reference/workflows-and-actions/expressions#status-check-functions */
export interface Status {
  readonly success: boolean;
  readonly failure: boolean;
  readonly cancelled: boolean;
}

export interface Scope {
  /** JSON values by context name: `github`, `env`, … */
  readonly contexts: Readonly<Record<string, unknown>>;
  /** Null where GitHub offers no status functions (`run-name`, `with`, …). */
  readonly status: Status | null;
  /** `hashFiles` over the job's workspace; null outside of steps. */
  readonly hashFiles: ((patterns: readonly string[]) => string) | null;
}

export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

const statusFunctions: ReadonlySet<string> = new Set(["success", "failure", "cancelled", "always"]);

/**
 * Evaluates one expression (without the `${{ }}`).
 * @throws when the expression is malformed or names an unknown context or function
 */
export function evaluateExpression(source: string, scope: Scope): Value {
  return toPlain(evaluate(source, scope));
}

/** Evaluates every expression in a template. Mappings lose entries whose key evaluates to nothing. */
export function evaluateTemplate(template: Template, scope: Scope): Value {
  switch (template.kind) {
    case "literal":
      return template.value;
    case "expression":
      return evaluateExpression(template.source, scope);
    case "sequence":
      return template.items.map((item) => evaluateTemplate(item, scope));
    case "mapping":
      return Object.fromEntries(
        template.entries.map(({ key, value }) => [evaluateText(key, scope), evaluateTemplate(value, scope)]),
      );
  }
}

/** Evaluates a template to the text GitHub would put in its place; null is the empty text. */
export function evaluateText(template: Template, scope: Scope): string {
  if (template.kind === "expression") return evaluate(template.source, scope).coerceString();
  return toData(evaluateTemplate(template, scope)).coerceString();
}

/** A mapping such as `env` or `with` as texts. */
export function evaluateTexts(template: Template | null, scope: Scope): Record<string, string> {
  if (template === null) return {};
  const value = evaluateTemplate(template, scope);
  if (!isMapping(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, formatValue(entry)]));
}

/**
 * Evaluates an `if`. A condition that calls no status function is `success() && (condition)`.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/expressions#status-check-functions
 */
export function evaluateCondition(condition: string, scope: Scope): boolean {
  const trimmed = condition.trim();
  const wrapped = trimmed === "" ? "success()" : callsStatusFunction(trimmed) ? trimmed : `success() && (${trimmed})`;
  return isTruthy(evaluateExpression(wrapped, scope));
}

/** A value as GitHub writes it into a text. */
export function formatValue(value: Value): string {
  return toData(value).coerceString();
}

export function isMapping(value: Value): value is { readonly [key: string]: Value } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** GitHub's truthiness: false, 0, -0, "", null and NaN are false. */
export function isTruthy(value: Value): boolean {
  return Boolean(value);
}

function callsStatusFunction(condition: string): boolean {
  const tokens = readTokens(condition);
  return tokens.some(
    (token, index) => statusFunctions.has(token.lexeme.toLowerCase()) && tokens[index + 1]?.lexeme === "(",
  );
}

function evaluate(source: string, scope: Scope): data.ExpressionData {
  const functions = extraFunctions(scope);
  const names = Object.keys(scope.contexts);
  const expression = new Parser(readTokens(source), names, functions).parse();
  const contexts = new data.Dictionary(
    ...Object.entries(scope.contexts).map(([key, value]) => ({ key, value: toData(value) })),
  );
  return new Evaluator(
    expression,
    contexts,
    new Map(functions.map((item) => [item.name.toLowerCase(), item])),
  ).evaluate();
}

/** The package's lexer turns only the first `''` of a text into a quote; GitHub does all. */
function readTokens(source: string): Token[] {
  return new Lexer(source)
    .lex()
    .tokens.map((token) =>
      token.type === TokenType.STRING ? { ...token, value: token.lexeme.slice(1, -1).replaceAll("''", "'") } : token,
    );
}

function extraFunctions(scope: Scope): FunctionDefinition[] {
  const functions: FunctionDefinition[] = [];
  const { status, hashFiles } = scope;
  if (status !== null) {
    const answers = { ...status, always: true };
    for (const [name, answer] of Object.entries(answers))
      functions.push({ name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(answer) });
  }
  if (hashFiles !== null)
    functions.push({
      name: "hashFiles",
      minArgs: 1,
      maxArgs: 255,
      call: (...patterns) => new data.StringData(hashFiles(patterns.map((pattern) => pattern.coerceString()))),
    });
  return functions;
}

function toData(value: unknown): data.ExpressionData {
  return JSON.parse(JSON.stringify(value ?? null), data.reviver) as data.ExpressionData;
}

function toPlain(value: data.ExpressionData): Value {
  return JSON.parse(JSON.stringify(value, data.replacer)) as Value;
}
