/**
 * Commits, trees, blobs and the differences between commits never change, so each is asked for once.
 * Bounded by the number of entries; what is too large to keep is asked for again.
 */
import type { RepositoryPort } from "../github/port.ts";

const MAX_ENTRIES = 400;
const MAX_BLOB_BYTES = 256 * 1024;
const MAX_TREE_ENTRIES = 20_000;

/** Entries of all repositories together, the one used longest ago leaves first. */
export class ImmutableReads {
  readonly #entries = new Map<string, Promise<unknown>>();

  wrap(port: RepositoryPort): RepositoryPort {
    const { id } = port.ref;
    return {
      ...port,
      loadCommit: (sha) =>
        this.#once(
          `${id}/commit/${sha}`,
          () => port.loadCommit(sha),
          () => true,
        ),
      loadTree: (sha) =>
        this.#once(
          `${id}/tree/${sha}`,
          () => port.loadTree(sha),
          (tree) => tree !== null && tree.length <= MAX_TREE_ENTRIES,
        ),
      loadBlob: (sha) =>
        this.#once(
          `${id}/blob/${sha}`,
          () => port.loadBlob(sha),
          (bytes) => bytes.length <= MAX_BLOB_BYTES,
        ),
      loadComparison: (base, head) =>
        this.#once(
          `${id}/compare/${base}/${head}`,
          () => port.loadComparison(base, head),
          () => true,
        ),
    };
  }

  async #once<Value>(key: string, load: () => Promise<Value>, keep: (value: Value) => boolean): Promise<Value> {
    const known = this.#entries.get(key) as Promise<Value> | undefined;
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    const loading = load();
    this.#entries.set(key, loading);
    try {
      const value = await loading;
      if (!keep(value)) this.#entries.delete(key);
      return value;
    } catch (error) {
      this.#entries.delete(key);
      throw error;
    } finally {
      for (const oldest of this.#entries.keys()) {
        if (this.#entries.size <= MAX_ENTRIES) break;
        this.#entries.delete(oldest);
      }
    }
  }
}
