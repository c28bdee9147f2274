/**
 * Commits, trees, blobs and the differences between commits never change, so each is asked for once, and
 * what we wrote ourselves not at all. Bounded by the number of entries; what is too large to keep is
 * asked for again.
 */
import { formatBlobName } from "../contracts/blob-name.ts";
import { isSha, type Sha } from "../contracts/ids.ts";
import { decodeText } from "../github/decode-text.ts";
import type { Commit, RepositoryPort, TreeChange, TreeEntry } from "../github/port.ts";
import { deriveTree } from "./derive-tree.ts";

const MAX_ENTRIES = 1_000;
const MAX_BLOB_BYTES = 256 * 1024;
const MAX_TREE_ENTRIES = 20_000;

type File = Awaited<ReturnType<RepositoryPort["loadFile"]>>;

/** Entries of all repositories together, the one used longest ago leaves first. */
export class ImmutableReads {
  readonly #entries = new Map<string, Promise<unknown>>();

  wrap(port: RepositoryPort): RepositoryPort {
    const { id } = port.ref;
    const loadBlob = (sha: Sha): Promise<Uint8Array> =>
      this.#once(
        `${id}/blob/${sha}`,
        () => port.loadBlob(sha),
        (bytes) => bytes.length <= MAX_BLOB_BYTES,
      );
    const keepBlob = (content: string | Uint8Array): void => {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      if (bytes.length <= MAX_BLOB_BYTES) this.#keep(`${id}/blob/${formatBlobName(bytes)}`, bytes);
    };
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
      loadBlob,
      loadComparison: (base, head) =>
        this.#once(
          `${id}/compare/${base}/${head}`,
          () => port.loadComparison(base, head),
          () => true,
        ),
      loadFile: async (path, ref) => {
        if (!isSha(ref)) return port.loadFile(path, ref);
        const known = await this.#findFile(id, path, ref);
        if (known !== undefined) return known;
        const file = await this.#once(
          `${id}/file/${ref}/${path}`,
          () => port.loadFile(path, ref),
          // One that is not there may be late.
          (one) => one !== null && one.text.length <= MAX_BLOB_BYTES,
        );
        // Other commits that hold the same file, too, need not be asked.
        if (file !== null) keepBlob(file.text);
        return file;
      },
      createBlob: async (content) => {
        // Read from there or written before: it is there, and several jobs may be handed the same text.
        const name = formatBlobName(content);
        if ((await this.#find(`${id}/blob/${name}`)) !== undefined) return name;
        const sha = await port.createBlob(content);
        keepBlob(content);
        return sha;
      },
      createTree: async (base, changes) => {
        const sha = await port.createTree(base, changes);
        for (const change of changes) if ("content" in change) keepBlob(change.content);
        await this.#keepTree(id, base, changes, sha);
        return sha;
      },
      createCommit: async (commit) => {
        const sha = await port.createCommit(commit);
        this.#keep(`${id}/commit/${sha}`, { ...commit, sha } satisfies Commit);
        return sha;
      },
    };
  }

  /** A file of a commit whose tree and content are known already; undefined = it has to be asked for. */
  async #findFile(id: number, path: string, ref: Sha): Promise<File | undefined> {
    const commit = await this.#find<Commit>(`${id}/commit/${ref}`);
    const tree = commit === undefined ? undefined : await this.#find<readonly TreeEntry[]>(`${id}/tree/${commit.tree}`);
    const entry = tree?.find((one) => one.path === path);
    if (entry?.type !== "blob" || entry.mode === "120000") return undefined;
    const bytes = await this.#find<Uint8Array>(`${id}/blob/${entry.sha}`);
    const text = bytes === undefined ? null : decodeText(bytes);
    return text === null ? undefined : { sha: entry.sha, text };
  }

  /** What we made of a tree that is known is known, too, when its name proves it. */
  async #keepTree(id: number, base: Sha | null, changes: readonly TreeChange[], made: Sha): Promise<void> {
    const before = base === null ? [] : await this.#find<readonly TreeEntry[] | null>(`${id}/tree/${base}`);
    if (before === undefined || before === null) return;
    const { name, entries } = deriveTree(before, changes);
    if (name === made && entries.length <= MAX_TREE_ENTRIES) this.#keep(`${id}/tree/${made}`, entries);
  }

  async #find<Value>(key: string): Promise<Value | undefined> {
    return await (this.#entries.get(key) as Promise<Value> | undefined)?.catch(() => undefined);
  }

  #keep(key: string, value: unknown): void {
    this.#entries.set(key, Promise.resolve(value));
    this.#shrink();
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
      this.#shrink();
    }
  }

  #shrink(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES) break;
      this.#entries.delete(oldest);
    }
  }
}
