import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/java";
import type { Findings, FoundAssertion, FoundBlock, FoundCall, JudgedCall } from "./assertion-tally.ts";
import { listArguments, listChildren, textOf, visitNodes, type Source } from "./syntax.ts";

export function parseJava(text: string): Source {
  return { text, tree: parser.parse(text) };
}

const literals: ReadonlySet<string> = new Set([
  "IntegerLiteral",
  "FloatingPointLiteral",
  "StringLiteral",
  "BooleanLiteral",
  "CharacterLiteral",
  "null",
]);
const weakMethod =
  /^(?:assertTrue|assertFalse|assertNotNull|assertNot\w+|assertInstanceOf|assertDoesNotThrow|assertTimeout\w*|assertAll|fail|verify)$/u;
const exactFluent =
  /\.(?:isEqualTo|isEqualByComparingTo|isSameAs|isIn|isNull|isTrue|isFalse|isEmpty|hasSize|hasLength|contains\w*|startsWith|endsWith|matches|hasMessage\w*|is|equalTo|isZero|isOne|satisfies)\(/u;

export function findJavaAssertions(source: Source): Findings {
  const assertions: FoundAssertion[] = [];
  const tests: FoundBlock[] = [];
  const helpers: FoundBlock[] = [];
  const calls: FoundCall[] = [];
  visitNodes(source, (node) => {
    if (node.name === "MethodInvocation") {
      const named = node.getChild("MethodName");
      const name = named === null ? "" : textOf(source, named);
      const assertion = judgeCall(source, node, name);
      if (assertion === null) calls.push({ name, at: node.from });
      else if (assertion !== "void") assertions.push(assertion);
    } else if (node.name === "AssertStatement")
      assertions.push({ at: node.from, strong: textOf(source, node).includes("==") });
    else if (node.name === "MethodDeclaration") {
      const defined = node.getChild("Definition");
      const block = { name: defined === null ? "" : textOf(source, defined), from: node.from, to: node.to };
      const modifiers = node.getChild("Modifiers");
      const annotations = modifiers === null ? "" : textOf(source, modifiers);
      const isTest =
        /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b/u.test(annotations) ||
        /^test[A-Z]/u.test(block.name);
      (isTest ? tests : helpers).push(block);
      if (/@Test\s*\([^)]*\bexpected\b/u.test(annotations)) assertions.push({ at: node.from, strong: true });
    }
  });
  return { assertions, tests, helpers, calls };
}

function judgeCall(source: Source, call: SyntaxNode, name: string): JudgedCall {
  if (!/^(?:assert[A-Z]\w*|fail|verify)$/u.test(name)) return null;
  const values = listArguments(call.getChild("ArgumentList"));
  if (name !== "fail" && values.length > 0 && values.every((value) => literals.has(value.name))) return "void";
  if (name !== "assertThat" && name !== "assertThatThrownBy")
    return { at: call.from, strong: !weakMethod.test(name) || isEquality(source, values[0]) };
  let end = call;
  while (end.parent?.name === "MethodInvocation" && end.parent.firstChild?.from === end.from) end = end.parent;
  const chain = source.text.slice(call.to, end.to);
  // Hamcrest: assertThat(actual, is(expected)).
  return {
    at: call.from,
    strong: exactFluent.test(chain) || (values.length > 1 && !/\bnot(?:NullValue)?\(/u.test(textOf(source, call))),
  };
}

function isEquality(source: Source, value: SyntaxNode | undefined): boolean {
  if (value === undefined) return false;
  if (value.name === "BinaryExpression")
    return listChildren(value).some((child) => child.name === "CompareOp" && textOf(source, child) === "==");
  return value.name === "MethodInvocation" && /\.equals\(/u.test(textOf(source, value));
}
