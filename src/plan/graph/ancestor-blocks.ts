import type { ChunkGraph } from "./build-graph.ts";

/** Targets handled in one pass; 32 words a node keep 100,000 nodes within 13 MB. */
const blockBits = 1024;
const blockWords = blockBits / 32;

/** Answers whether a node waits, directly or not, for the block's target number `bit`. */
export interface AncestorBlock {
  /** Number of the first target of this block in the list of targets. */
  readonly first: number;
  readonly size: number;
  /** Bits of node `n` are the words `n * words … n * words + words - 1`. */
  readonly bits: Uint32Array;
  readonly words: number;
}

/**
 * Who waits for whom, for the given target nodes, block by block: the full table of a large DAG
 * would need memory in the square of its size. The same buffer serves every block.
 * @param order topological order of all nodes
 */
export function* walkAncestorBlocks(
  graph: ChunkGraph,
  order: Int32Array,
  targets: Int32Array,
): Generator<AncestorBlock, void, undefined> {
  const bits = new Uint32Array(graph.ids.length * blockWords);
  const bitOf = new Int32Array(graph.ids.length);
  for (let first = 0; first < targets.length; first += blockBits) {
    const size = Math.min(blockBits, targets.length - first);
    bits.fill(0);
    bitOf.fill(-1);
    for (let offset = 0; offset < size; offset += 1) bitOf[targets[first + offset]!] = offset;
    for (const node of order) {
      const base = node * blockWords;
      for (let edge = graph.depStarts[node]!; edge < graph.depStarts[node + 1]!; edge += 1) {
        const dep = graph.depTargets[edge]!;
        const depBase = dep * blockWords;
        for (let word = 0; word < blockWords; word += 1) bits[base + word]! |= bits[depBase + word]!;
        const bit = bitOf[dep]!;
        if (bit >= 0) bits[base + (bit >> 5)]! |= 1 << (bit & 31);
      }
    }
    yield { first, size, bits, words: blockWords };
  }
}

/** True when `node` waits for target number `first + offset` of the block. */
export function hasAncestor(block: AncestorBlock, node: number, offset: number): boolean {
  return (block.bits[node * block.words + (offset >> 5)]! & (1 << (offset & 31))) !== 0;
}
