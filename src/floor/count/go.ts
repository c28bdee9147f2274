import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/go";
import type { Findings, FoundAssertion, FoundBlock, FoundCall, JudgedCall } from "./assertion-tally.ts";
import { listChildren, textOf, visitNodes, type Source } from "./syntax.ts";

export function parseGo(text: string): Source {
  return { text, tree: parser.parse(text) };
}

const failing = /^(?:t|tb|b|tt|s\.T\(\)|c)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/u;
const weakTestify =
  /^(?:NotNil|NotEmpty|Not[A-Z].*|True|False|Condition|Implements|IsType|Greater.*|Less.*|Positive|Negative|NoError|NotPanics)f?$/u;
const exactGomega =
  /\b(?:Equal|BeEquivalentTo|BeIdenticalTo|MatchError|MatchRegexp|ConsistOf|ContainElement|HaveLen|BeNil|Panic)\(/u;

export function findGoAssertions(source: Source): Findings {
  const assertions: FoundAssertion[] = [];
  const tests: FoundBlock[] = [];
  const helpers: FoundBlock[] = [];
  const calls: FoundCall[] = [];
  visitNodes(source, (node) => {
    if (node.name === "CallExpr") {
      const [callee] = listChildren(node);
      const name = callee === undefined ? "" : textOf(source, callee);
      const assertion = judgeCall(source, node, name);
      if (assertion === null) calls.push({ name: name.split(".").at(-1) ?? "", at: node.from });
      else if (assertion !== "void") assertions.push(assertion);
    } else if (node.name === "FunctionDecl" || node.name === "MethodDecl") {
      const defined = node.getChild("DefName") ?? node.getChild("FieldName");
      const block = { name: defined === null ? "" : textOf(source, defined), from: node.from, to: node.to };
      (/^(?:Test|Fuzz)(?![a-z])/u.test(block.name) ? tests : helpers).push(block);
    }
  });
  return { assertions, tests, helpers, calls };
}

function judgeCall(source: Source, call: SyntaxNode, name: string): JudgedCall {
  if (failing.test(name)) return { at: call.from, strong: true };
  const testify = /^(?:assert|require|s|suite|is|r|a)\.(?:Require\(\)\.|Assert\(\)\.)?([A-Z]\w*)$/u.exec(name);
  if (testify?.[1] !== undefined && /^(?:assert|require)\b/u.test(name))
    return { at: call.from, strong: !weakTestify.test(testify[1]) };
  if (/^(?:Expect|Ω|Eventually|Consistently)$/u.test(name)) {
    const statement = source.text.slice(call.from, call.from + 300).split("\n", 1)[0] ?? "";
    return { at: call.from, strong: exactGomega.test(statement) && !/\.(?:NotTo|ToNot|ShouldNot)\(/u.test(statement) };
  }
  return null;
}
