import type { ChunkGraph } from "./build-graph.ts";

/** Targets handled in one pass; 32 words a node keep 100,000 nodes within 13 MB. */
const blockBits = 1024;
const blockWords = blockBits / 32;

/** Who waits, directly or not, for one of this block's targets. */
export interface AncestorBlock {
  /** The targets in topological order. */
  readonly targets: Int32Array;
  /** Bits of node `n` are the words `n * blockWords …`; bit `i` of them is target `i`. */
  readonly bits: Uint32Array;
}

/**
 * Who waits for whom, for the given target nodes, block by block: the full table of a large DAG
 * would need memory in the square of its size. The same buffer serves every block, so a block must
 * be used before the next one is asked for.
 * @param order topological order of all nodes
 * @param isTarget 1 for each node that is a target
 */
export function* walkAncestorBlocks(
  graph: ChunkGraph,
  order: Int32Array,
  isTarget: Uint8Array,
): Generator<AncestorBlock, void, undefined> {
  const { depStarts, depTargets } = graph;
  const positions = Int32Array.from(order.keys()).filter((position) => isTarget[order[position]!] === 1);
  const bits = new Uint32Array(graph.ids.length * blockWords);
  const bitOf = new Int32Array(graph.ids.length);
  for (let first = 0; first < positions.length; first += blockBits) {
    const block = positions.subarray(first, first + blockBits);
    bits.fill(0);
    bitOf.fill(-1);
    for (let bit = 0; bit < block.length; bit += 1) bitOf[order[block[bit]!]!] = bit;
    // Nodes up to the first target wait for none of the block.
    for (let position = block[0]! + 1; position < order.length; position += 1) {
      const node = order[position]!;
      const base = node * blockWords;
      for (let edge = depStarts[node]!; edge < depStarts[node + 1]!; edge += 1) {
        const dep = depTargets[edge]!;
        const depBase = dep * blockWords;
        for (let word = 0; word < blockWords; word += 1) bits[base + word]! |= bits[depBase + word]!;
        const bit = bitOf[dep]!;
        if (bit >= 0) bits[base + (bit >> 5)]! |= 1 << (bit & 31);
      }
    }
    yield { targets: block.map((position) => order[position]!), bits };
  }
}

/** True when `node` waits for target number `bit` of the block. */
export function hasAncestor(block: AncestorBlock, node: number, bit: number): boolean {
  return (block.bits[node * blockWords + (bit >> 5)]! & (1 << (bit & 31))) !== 0;
}
