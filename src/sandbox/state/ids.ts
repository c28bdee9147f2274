/**
 * Ids as large as GitHub's own: comment, check and run ids have outgrown 31 bits long ago, and a
 * client that keeps them in an int must fail here too.
 */
const FIRST = {
  account: 210_000_001,
  app: 1_900_001,
  installation: 90_000_001,
  repository: 1_100_000_001,
  issue: 3_600_000_001,
  comment: 3_900_000_001,
  label: 9_000_000_001,
  pull: 2_900_000_001,
  review: 3_500_000_001,
  reviewComment: 2_500_000_001,
  checkSuite: 51_000_000_001,
  checkRun: 57_000_000_001,
  status: 42_000_000_001,
  workflow: 210_000_001,
  run: 20_000_000_001,
  artifact: 4_700_000_001,
  event: 21_000_000_001,
  delivery: 180_000_000_001,
  hook: 560_000_001,
} as const;

export type IdKind = keyof typeof FIRST;

/** Hands out ids per kind, rising by one. */
export class IdCounter {
  readonly #next = new Map<IdKind, number>();

  take(kind: IdKind): number {
    const id = this.#next.get(kind) ?? FIRST[kind];
    this.#next.set(kind, id + 1);
    return id;
  }
}

/** GitHub's opaque GraphQL ids: a kind prefix and an encoded number. */
export function formatNodeId(prefix: string, id: number | string): string {
  return `${prefix}_${Buffer.from(String(id)).toString("base64url")}`;
}
