/**
 * The configuration of a repository, from at most two files: its own, and the one that extends it, which Probot's
 * users know (github.com/probot/octokit-plugin-config). Narrower than there: the same owner only, one level only,
 * since whoever writes the shared file decides what agents may do here; and no private file for a public repository,
 * since what the two come to is committed there.
 */
import { createHash } from "node:crypto";
import { formatBlobName } from "../../contracts/blob-name.ts";
import { type Config, defaultConfig } from "../../contracts/config.ts";
import { GitHubFailure } from "../../contracts/errors.ts";
import type { Sha } from "../../contracts/ids.ts";
import { CONFIG_PATH } from "../../contracts/names.ts";
import { formatMergedConfig, listConfigKeys, parseConfigLayers, readExtends } from "../../contracts/parse-config.ts";
import type { Problem } from "../../contracts/problem.ts";
import type { Repository, RepositoryPort, SharedFile } from "../../github/port.ts";
import { parseExtends } from "./parse-extends.ts";

/** The repository an owner keeps shared files in. */
const SHARED_REPOSITORY = ".github";

/** A file that was read, and the settings that come from it. */
export interface ConfigSource {
  /** `owner/repository:path`. */
  readonly where: string;
  readonly keys: readonly string[];
}

export type LoadedConfig =
  | {
      readonly outcome: "read";
      readonly config: Config;
      /** The file jobs read it from, once `text` is committed; null = all defaults. */
      readonly blob: Sha | null;
      /** What is to be committed for the jobs; null where a file of the repository says it all. */
      readonly text: string | null;
      readonly layers: readonly ConfigSource[];
      /** `owner/repository:path` of the owner's file that does not count here, since it is private and ours is not. */
      readonly passedOver: string | null;
    }
  /** `hash` names this content: people are told once per content, not once per label. */
  | { readonly outcome: "problems"; readonly problems: readonly Problem[]; readonly hash: string };

type About = Pick<Repository, "owner" | "name" | "defaultBranch" | "private">;

interface File {
  readonly sha: Sha;
  readonly text: string;
}

/**
 * `.github/taskfleet.yml` of the default branch, with what it extends; where it is absent, the same file of the
 * owner's `.github` repository; where that is absent too (or private, and ours is not), all defaults.
 */
export async function loadConfig(repository: RepositoryPort, about: About): Promise<LoadedConfig> {
  const own = await repository.loadFile(CONFIG_PATH, about.defaultBranch);
  const place = `${about.owner}/${about.name}:${CONFIG_PATH}`;
  if (own === null) return loadFallback(repository, about);
  const extended = readExtends(own.text);
  if (extended === null) return build([{ where: null, place, file: own }]);
  const target = parseExtends(extended, about);
  if (target.outcome === "problem") return refuse(own.text, [extendsProblem(target.why)]);
  const where = `${about.owner}/${target.repository}:${target.path}`;
  const shared = await loadShared(repository, target.repository, target.path);
  if (typeof shared === "string") return refuse(own.text, [extendsProblem(`\`${where}\`: ${shared}`)]);
  if (shared !== null && isSecret(shared, about))
    return refuse(own.text, [
      extendsProblem(`\`${where}\` is in a private repository and this one is public: what is set there would be too`),
    ]);
  if (shared === null)
    return refuse(own.text, [
      extendsProblem(`\`${where}\` is not there, or the App is not installed where it could read it`),
    ]);
  if (readExtends(shared.text) !== null)
    return refuse(own.text + shared.text, [
      extendsProblem(`\`${where}\` extends another file itself; only one level is read`),
    ]);
  return build([
    { where: null, place, file: own },
    { where, place: where, file: shared },
  ]);
}

async function loadFallback(repository: RepositoryPort, about: About): Promise<LoadedConfig> {
  const nothing: LoadedConfig = {
    outcome: "read",
    config: defaultConfig(),
    blob: null,
    text: null,
    layers: [],
    passedOver: null,
  };
  if (about.name.toLowerCase() === SHARED_REPOSITORY) return nothing;
  const where = `${about.owner}/${SHARED_REPOSITORY}:${CONFIG_PATH}`;
  const shared = await loadShared(repository, SHARED_REPOSITORY, CONFIG_PATH);
  if (typeof shared === "string")
    return refuse(shared, [{ pointer: "", rule: "extends", message: `\`${where}\`: ${shared}` }]);
  if (shared === null) return nothing;
  if (isSecret(shared, about)) return { ...nothing, passedOver: where };
  if (readExtends(shared.text) !== null)
    return refuse(shared.text, [
      {
        pointer: "/_extends",
        rule: "extends",
        message: `\`${where}\` stands in for all repositories and may extend no other file`,
      },
    ]);
  return build([{ where, place: where, file: shared }]);
}

/** Text instead of a file: why it cannot be used. */
async function loadShared(repository: RepositoryPort, name: string, path: string): Promise<SharedFile | string | null> {
  try {
    return await repository.loadSharedFile(name, path);
  } catch (error) {
    if (error instanceof GitHubFailure && error.kind === "misconfigured") return error.message;
    throw error;
  }
}

/** The merged text is committed where everybody who reads our repository can read it. */
function isSecret(shared: SharedFile, about: About): boolean {
  return shared.private && !about.private;
}

interface Layer {
  /** How problems name it; null for the repository's own file. */
  readonly where: string | null;
  readonly place: string;
  readonly file: File;
}

function build(files: readonly Layer[]): LoadedConfig {
  const layers = files.map(({ where, file }) => ({ where, text: file.text }));
  const parsed = parseConfigLayers(layers);
  if (parsed.config === null) return refuse(layers.map(({ text }) => text).join("\n"), parsed.problems);
  const [first] = files;
  const own = files.length === 1 && first !== undefined && first.where === null ? first.file.sha : null;
  const text = own === null ? formatMergedConfig(layers) : null;
  const taken = new Set<string>();
  const sources = files.map(({ place, file }) => {
    const keys = listConfigKeys(file.text).filter((key) => !taken.has(key));
    for (const key of keys) taken.add(key);
    return { where: place, keys };
  });
  return {
    outcome: "read",
    config: parsed.config,
    blob: text === null ? own : formatBlobName(text),
    text,
    layers: sources,
    passedOver: null,
  };
}

function extendsProblem(message: string): Problem {
  return { pointer: "/_extends", rule: "extends", message };
}

function refuse(content: string, problems: readonly Problem[]): LoadedConfig {
  const hash = createHash("sha256").update(content).update(JSON.stringify(problems)).digest("hex").slice(0, 12);
  return { outcome: "problems", problems, hash };
}
