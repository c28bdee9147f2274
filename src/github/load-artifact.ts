import { GitHubFailure } from "../contracts/errors.ts";
import { decodeText } from "./decode-text.ts";
import type { Download } from "./download.ts";
import { loadPages } from "./load-pages.ts";
import type { ArtifactDownload } from "./port.ts";
import type { RepositoryClient } from "./repository-client.ts";
import { unzipFile } from "./unzip-file.ts";

interface Wanted {
  readonly runId: number;
  readonly name: string;
  readonly file: string;
  readonly maxBytes: number;
}

/** A zip's own structures, beside the packed content. */
const zipOverhead = 64 * 1024;

/** One text file out of a run's artifact; everything about it is untrusted. */
export async function loadArtifact(
  client: RepositoryClient,
  download: Download,
  wanted: Wanted,
): Promise<ArtifactDownload> {
  const id = await findArtifact(client, wanted);
  if (id === null) return { outcome: "missing" };
  const url = await findStorage(client, id);
  if (url === null) return { outcome: "missing" };
  const packed = await download(url, wanted.maxBytes + zipOverhead);
  if ("refused" in packed) return refuse(wanted, packed.refused);
  const unpacked = await unzipFile(packed.bytes, wanted.file, wanted.maxBytes);
  if ("refused" in unpacked) return refuse(wanted, unpacked.refused);
  const text = decodeText(unpacked.bytes);
  return text === null ? refuse(wanted, "it is not UTF-8 text") : { outcome: "found", text };
}

/** The newest artifact of the name: a run that was attempted again may have several. */
async function findArtifact(client: RepositoryClient, { runId, name }: Wanted): Promise<number | null> {
  const pages = await loadPages(client, "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts", {
    run_id: runId,
    name,
  });
  const found = pages
    .flatMap((page) => page.data.artifacts)
    .filter((artifact) => artifact.name === name && !artifact.expired)
    .sort((a, b) => b.id - a.id);
  return found[0]?.id ?? null;
}

/** GitHub answers with a redirection to a signed address that lives a minute. */
async function findStorage(client: RepositoryClient, id: number): Promise<string | null> {
  try {
    const answer = await client.find(
      "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
      { artifact_id: id, archive_format: "zip" },
      { redirect: "manual", patience: "always" },
    );
    if (answer === null) return null;
    const { location } = answer.headers;
    if (location === undefined) throw new GitHubFailure("transient", "GitHub did not say where the artifact is.");
    return location;
  } catch (error) {
    // 410: it has expired since it was listed.
    if (error instanceof GitHubFailure && error.details.status === 410) return null;
    throw error;
  }
}

function refuse({ name }: Wanted, why: string): ArtifactDownload {
  return { outcome: "refused", reason: `artifact ${name}: ${why}` };
}
