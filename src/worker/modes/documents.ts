/**
 * Mode `documents`: fetches the texts of a request that are in no branch (feedback, drafts). It is a step of
 * its own so that the token ends with it: the environment of a process can be read by its children.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { DOCUMENT_MAX_BYTES, formatDocumentPath, loadBlobFromClone } from "../documents/document-source.ts";
import { isBlobName } from "../../contracts/blob-name.ts";
import type { WorkerEnvironment } from "../environment.ts";
import { log, logWarning } from "../log.ts";
import { parseRequest } from "../parse-request.ts";
import { createRestClient, type RestClient } from "../rest-client.ts";

/** A text that cannot be had is only reported here; mode `run` then says which one was missing. */
export async function loadDocuments(environment: WorkerEnvironment): Promise<void> {
  const request = parseRequest(environment);
  if (environment.token === null) return logWarning("no token was given, so only texts in the clone can be read");
  const client = createRestClient(environment.apiUrl, environment.token);
  for (const [title, name] of Object.entries(request.documents)) {
    if (name === undefined || (await loadBlobFromClone(environment.root, name)) !== null) continue;
    try {
      const bytes = await fetchBlob(client, environment.repository, name);
      const file = formatDocumentPath(environment.folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, bytes);
      log(`Loaded the document \`${title}\` (${bytes.length} bytes).`);
    } catch (error) {
      logWarning(
        `the document \`${title}\` cannot be read: ${error instanceof Error ? error.message : "unknown failure"}`,
      );
    }
  }
}

/** docs.github.com/en/rest/git/blobs#get-a-blob: base64, broken into lines. */
async function fetchBlob(client: RestClient, repository: string, name: string): Promise<Buffer> {
  const response = await client.get(`/repos/${repository}/git/blobs/${name}`, "application/vnd.github+json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  const body = (await response.json()) as { content?: string; encoding?: string };
  const bytes = Buffer.from(body.content ?? "", body.encoding === "utf-8" ? "utf8" : "base64");
  if (bytes.length > DOCUMENT_MAX_BYTES) throw new Error(`${bytes.length} bytes are too many`);
  if (!isBlobName(name, bytes)) throw new Error("the answer is not the blob that was asked for");
  return bytes;
}
