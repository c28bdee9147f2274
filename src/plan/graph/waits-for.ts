import { hasAncestor, walkAncestorBlocks } from "./ancestor-blocks.ts";
import type { ChunkGraph } from "./build-graph.ts";
import { orderNodes } from "./topological-order.ts";

/** "Does `node` wait, directly or not, for `target`?" */
export interface OrderQuestion {
  readonly node: number;
  readonly target: number;
}

/** Answers many questions at once, in their order. The graph must be acyclic. */
export function answerOrderQuestions(graph: ChunkGraph, questions: readonly OrderQuestion[]): readonly boolean[] {
  const asked = new Map<number, number[]>();
  const isTarget = new Uint8Array(graph.ids.length);
  for (const [index, { target }] of questions.entries()) {
    const list = asked.get(target);
    if (list === undefined) asked.set(target, [index]);
    else list.push(index);
    isTarget[target] = 1;
  }
  const answers = questions.map(() => false);
  for (const block of walkAncestorBlocks(graph, orderNodes(graph), isTarget)) {
    for (const [bit, target] of block.targets.entries()) {
      for (const index of asked.get(target)!) answers[index] = hasAncestor(block, questions[index]!.node, bit);
    }
  }
  return answers;
}
