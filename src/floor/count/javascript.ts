import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/javascript";
import type { Findings, FoundAssertion, FoundBlock, FoundCall, JudgedCall } from "./assertion-tally.ts";
import { findAncestor, listArguments, listChildren, textOf, visitNodes, type Source } from "./syntax.ts";

const typescript = parser.configure({ dialect: "ts" });
const jsx = parser.configure({ dialect: "jsx" });
const tsx = parser.configure({ dialect: "ts jsx" });

/** Parses JavaScript or TypeScript; the extension chooses the dialect, as compilers do. */
export function parseJavascript(path: string, text: string): Source {
  const dialect = /\.[cm]?ts$/u.test(path) ? typescript : path.endsWith(".tsx") ? tsx : jsx;
  return { text, tree: dialect.parse(text) };
}

const literals: ReadonlySet<string> = new Set(["Number", "String", "BooleanLiteral", "null", "RegExp"]);
const functions: ReadonlySet<string> = new Set(["ArrowFunction", "FunctionExpression"]);
/** `t.is`, `t.equal`, … of ava, tap and tape; `t.assert.…` is an assert like any other. */
const contextMethods =
  /^(?:is|not|equal|notEqual|deepEqual|notDeepEqual|same|strictSame|notSame|strictEqual|like|match|notMatch|regex|notRegex|throws|throwsAsync|notThrows|notThrowsAsync|doesNotThrow|rejects|resolves|ok|notOk|true|false|truthy|falsy|assert|snapshot|error|fail|has|hasStrict|type|emits)$/u;
const weakAssert =
  /^(?:|ok|notOk|truthy|falsy|assert|strict|fail|ifError|error|not.*|doesNot.*|exists|isDefined|isOk|isNot.*|isObject|isFunction|isString|isNumber|isArray|isBoolean|isAbove|isBelow|isAtLeast|isAtMost|called|type|typeOf|instanceOf|isInstanceOf)$/u;
const strongMatcher =
  /^(?:toBe|toEqual|toStrictEqual|toMatchObject|toMatch|toThrow|toThrowError|toHaveLength|toContain|toContainEqual|toHaveBeenCalledWith|toHaveBeenLastCalledWith|toHaveBeenNthCalledWith|toHaveBeenCalledTimes|toHaveReturnedWith|toBeCloseTo|toHaveProperty|toMatchSnapshot|toMatchInlineSnapshot|toThrowErrorMatchingSnapshot|toThrowErrorMatchingInlineSnapshot|toBeNull|toBeUndefined|toBeNaN|toBeTrue|toBeFalse|equal|equals|eq|eql|eqls|include|includes|contain|contains|members|ordered|keys|key|lengthOf|length|throw|throws|rejected|rejectedWith|match|matches|property|true|false|null|undefined|empty|calledWith|calledOnceWith|closeTo|within|toHaveText|toHaveValue)$/u;

export function findJavascriptAssertions(source: Source): Findings {
  const imported = listImportedAsserts(source);
  const assertions: FoundAssertion[] = [];
  const tests: FoundBlock[] = [];
  const helpers: FoundBlock[] = [];
  const calls: FoundCall[] = [];
  visitNodes(source, (node) => {
    if (node.name === "CallExpression") {
      const callee = readCallee(source, node);
      const assertion = judgeCall(source, node, callee, imported);
      if (assertion !== null && assertion !== "void" && !isDeadCode(source, node)) assertions.push(assertion);
      const test = readTest(node, callee);
      if (test !== null) tests.push(test);
      const last = callee.at(-1);
      if (assertion === null && last !== undefined) calls.push({ name: last, at: node.from });
    } else if (node.name === "MemberExpression" && isShould(source, node)) {
      assertions.push({ at: node.from, strong: listChain(source, node).some((name) => strongMatcher.test(name)) });
    } else {
      const helper = readHelper(source, node);
      if (helper !== null) helpers.push(helper);
    }
  });
  return { assertions, tests, helpers, calls };
}

/** The dotted names of what is called: `assert.strict.equal` -> those three; calls in between are passed through. */
function readCallee(source: Source, call: SyntaxNode): readonly string[] {
  const [callee] = listChildren(call);
  return callee === undefined ? [] : readPath(source, callee);
}

function readPath(source: Source, node: SyntaxNode): readonly string[] {
  switch (node.name) {
    case "VariableName":
    case "this":
      return [textOf(source, node)];
    case "MemberExpression":
    case "InstantiationExpression":
    case "CallExpression":
    case "ParenthesizedExpression":
    case "AwaitExpression": {
      const inner = listChildren(node).find((child) => /Expression$|^VariableName$|^this$/u.test(child.name));
      const property = node.getChild("PropertyName") ?? node.getChild("PrivatePropertyName");
      return [
        ...(inner === undefined ? [] : readPath(source, inner)),
        ...(property === null ? [] : [textOf(source, property)]),
      ];
    }
    default:
      return [];
  }
}

function judgeCall(
  source: Source,
  call: SyntaxNode,
  callee: readonly string[],
  imported: ReadonlyMap<string, string>,
): JudgedCall {
  const [root = ""] = callee;
  const last = callee.at(-1) ?? "";
  if (callee.length === 1 && (root === "expect" || root === "expectTypeOf")) return judgeExpect(source, call);
  if (callee.length === 2 && root === "expect" && (last === "soft" || last === "poll"))
    return judgeExpect(source, call);
  if (callee.includes("expect")) return "void";
  const original = imported.get(root);
  const isAssert = callee.some((name) => name === "assert" || name === "assertType") || original !== undefined;
  const isContext = callee.length === 2 && /^(?:t|tap|tc)$/u.test(root) && contextMethods.test(last);
  if (!isAssert && !isContext) return null;
  const method = callee.length > 1 ? last : (original ?? "");
  if (/^(?:plan|end|pass|comment|tearDown|teardown|before|after|test)$/u.test(method)) return "void";
  const values = listArguments(call.getChild("ArgList"));
  if (method !== "fail" && values.length > 0 && values.every((value) => literals.has(value.name))) return "void";
  if (weakAssert.test(method)) return { at: call.from, strong: isEquality(source, values[0]) };
  return { at: call.from, strong: true };
}

/** `expect(x)` counts with the matcher that follows; without one it asserts nothing. */
function judgeExpect(source: Source, call: SyntaxNode): JudgedCall {
  const chain = listChain(source, call);
  if (chain.length === 0) return "void";
  const end = findChainEnd(call);
  const own = listArguments(call.getChild("ArgList"));
  const expected = end.name === "CallExpression" ? listArguments(end.getChild("ArgList")) : [];
  if (own.length > 0 && [...own, ...expected].every((value) => literals.has(value.name))) return "void";
  const negated = chain.includes("not");
  return { at: call.from, strong: !negated && chain.some((name) => strongMatcher.test(name)) };
}

/** Property names that follow a call: `expect(x).not.toBe(1)` -> `not`, `toBe`. */
function listChain(source: Source, start: SyntaxNode): readonly string[] {
  const names: string[] = [];
  for (let node = start; isChained(node);) {
    const { parent } = node;
    if (parent === null) break;
    const property = parent.name === "MemberExpression" ? parent.getChild("PropertyName") : null;
    if (property !== null) names.push(textOf(source, property));
    node = parent;
  }
  return names;
}

function findChainEnd(start: SyntaxNode): SyntaxNode {
  let node = start;
  while (isChained(node) && node.parent !== null) node = node.parent;
  return node;
}

function isChained(node: SyntaxNode): boolean {
  const { parent } = node;
  return (
    parent !== null &&
    (parent.name === "MemberExpression" || parent.name === "CallExpression") &&
    parent.firstChild?.from === node.from &&
    parent.firstChild.to === node.to
  );
}

function isShould(source: Source, node: SyntaxNode): boolean {
  const property = node.getChild("PropertyName");
  return property !== null && textOf(source, property) === "should" && isChained(node);
}

/** `assert(a === b)` says as much as `assert.equal(a, b)`. */
function isEquality(source: Source, value: SyntaxNode | undefined): boolean {
  if (value?.name !== "BinaryExpression") return false;
  return listChildren(value).some((child) => child.name === "CompareOp" && /^===?$/u.test(textOf(source, child)));
}

/** Code after `return`, or under `if (false)`, asserts nothing. */
function isDeadCode(source: Source, node: SyntaxNode): boolean {
  const branch = findAncestor(node, (ancestor) => {
    if (ancestor.name !== "IfStatement") return false;
    const condition = ancestor.getChild("ParenthesizedExpression");
    return (
      condition !== null &&
      /^\(\s*(?:false|0|null|undefined|!1)\s*\)$/u.test(textOf(source, condition)) &&
      condition.to <= node.from
    );
  });
  if (branch !== null) return true;
  let inner = node;
  for (
    let parent = node.parent;
    parent !== null && !functions.has(inner.name);
    inner = parent, parent = parent.parent
  ) {
    if (parent.name !== "Block" && parent.name !== "Script") continue;
    for (let sibling = inner.prevSibling; sibling !== null; sibling = sibling.prevSibling)
      if (sibling.name === "ReturnStatement" || sibling.name === "ThrowStatement") return true;
  }
  return false;
}

function readTest(call: SyntaxNode, callee: readonly string[]): FoundBlock | null {
  const isTest = callee.some(
    (name, index) => /^(?:test|it|specify|fit|xit|xtest)$/u.test(name) && (index === 0 || callee.length === 2),
  );
  if (
    !isTest ||
    callee.some((name) =>
      /^(?:describe|todo|beforeEach|afterEach|before|after|beforeAll|afterAll|use|step)$/u.test(name),
    )
  )
    return null;
  const body = listArguments(call.getChild("ArgList")).find((argument) => functions.has(argument.name));
  return body === undefined ? null : { name: callee.join("."), from: body.from, to: body.to };
}

function readHelper(source: Source, node: SyntaxNode): FoundBlock | null {
  if (node.name === "FunctionDeclaration" || node.name === "MethodDeclaration") {
    const name = node.getChild("VariableDefinition") ?? node.getChild("PropertyDefinition");
    return name === null ? null : { name: textOf(source, name), from: node.from, to: node.to };
  }
  if (node.name !== "VariableDefinition") return null;
  for (
    let sibling = node.nextSibling;
    sibling !== null && sibling.name !== "VariableDefinition";
    sibling = sibling.nextSibling
  )
    if (functions.has(sibling.name)) return { name: textOf(source, node), from: sibling.from, to: sibling.to };
  return null;
}

/** Names bound from an assertion module: local name -> the module's name, "" for the module itself. */
function listImportedAsserts(source: Source): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  visitNodes(source, (node) => {
    if (node.name !== "ImportDeclaration" && node.name !== "VariableDeclaration") return;
    const text = textOf(source, node);
    const binding =
      /^(?:import\s+([\s\S]*?)\s+from\s*|(?:const|let|var)\s+([\s\S]*?)=\s*(?:await\s+import|require)\s*\(\s*)["'](?:node:)?(?:assert(?:\/strict)?|power-assert|chai|uvu\/assert|@std\/assert)["']/u.exec(
        text,
      );
    if (binding === null) return;
    const clause = binding[1] ?? binding[2] ?? "";
    const braces = /\{([\s\S]*)\}/u.exec(clause)?.[1] ?? "";
    for (const part of braces.split(",")) {
      const [original = "", local = original] = part.split(/\s+as\s+|\s*:\s*/u).map((name) => name.trim());
      if (local !== "" && local !== "expect" && local !== "should")
        names.set(local, original === "strict" ? "" : original);
    }
    const whole = /(?:^|\s)([A-Za-z_$][\w$]*)\s*$/u.exec(
      clause
        .replace(/\{[\s\S]*\}/u, "")
        .replaceAll(",", " ")
        .trim(),
    )?.[1];
    if (whole !== undefined) names.set(whole, "");
  });
  return names;
}
