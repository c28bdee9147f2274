/**
 * The texts a request names by the hash of their git blob. They come from the clone, or from the
 * folder that mode `documents` filled; either way the bytes must have the name they were asked for by.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { isBlobName } from "../../contracts/blob-name.ts";
import { GitError, runGit } from "../git/run-git.ts";

/** More than any plan, feedback or intent may hold. */
export const DOCUMENT_MAX_BYTES = 16 * 1024 * 1024;

export function formatDocumentPath(folder: string, name: string): string {
  return path.join(folder, "documents", name);
}

/** @returns the bytes of a blob in the clone, or null. */
export async function loadBlobFromClone(root: string, name: string): Promise<Buffer | null> {
  try {
    return await runGit(["cat-file", "blob", name], { cwd: root, maxBytes: DOCUMENT_MAX_BYTES });
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

/** @returns the text, or null when it is nowhere, not what its name says, or not UTF-8. */
export async function loadDocument(root: string, folder: string, name: string): Promise<string | null> {
  const bytes = (await loadBlobFromClone(root, name)) ?? (await loadFile(formatDocumentPath(folder, name)));
  if (bytes === null || !isBlobName(name, bytes)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function loadFile(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch {
    return null;
  }
}
