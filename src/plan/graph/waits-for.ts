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
  for (const [index, { target }] of questions.entries()) {
    const list = asked.get(target);
    if (list === undefined) asked.set(target, [index]);
    else list.push(index);
  }
  const answers = questions.map(() => false);
  const targets = Int32Array.from(asked.keys());
  for (const block of walkAncestorBlocks(graph, orderNodes(graph), targets)) {
    for (let offset = 0; offset < block.size; offset += 1) {
      for (const index of asked.get(targets[block.first + offset]!)!) {
        answers[index] = hasAncestor(block, questions[index]!.node, offset);
      }
    }
  }
  return answers;
}
