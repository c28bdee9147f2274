/**
 * Where an agent reads that must not act: a folder outside the checkout with the commit's files under
 * `tree/`, so that no configuration of the repository is in its working directory.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { exportTree, writeDiff } from "../git/export-tree.ts";
import { type ObjectStore, openObjectStore } from "../git/object-store.ts";
import type { JobContext } from "./job-context.ts";

export interface ReadingRoom {
  readonly folder: string;
  readonly store: ObjectStore;
}

/** @param base when given, `diff.patch` holds the change from it to the commit. */
export async function openReadingRoom(context: JobContext, base: string | null): Promise<ReadingRoom> {
  const store = await openObjectStore(context.root, path.join(context.scratch, "objects"), "ignored");
  const folder = path.join(context.scratch, "room");
  await mkdir(folder, { recursive: true });
  await exportTree(store, context.request.commit, path.join(folder, "tree"), "text");
  if (base !== null) await writeDiff(store, base, context.request.commit, path.join(folder, "diff.patch"));
  return { folder, store };
}
