import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { ProcessFailure, StepFailure, runStepProcess } from "../step-execution.ts";
import { type BuiltinAction, type BuiltinCall, isTrue, refuseInputs, warnUnexpectedInputs } from "./builtin-call.ts";
import { type CheckoutCandidate, type CheckoutSource, deriveCheckoutSource } from "./checkout-source.ts";

const valid = [
  "allow-unsafe-pr-checkout",
  "clean",
  "fetch-depth",
  "fetch-tags",
  "filter",
  "github-server-url",
  "lfs",
  "path",
  "persist-credentials",
  "ref",
  "repository",
  "set-safe-directory",
  "show-progress",
  "sparse-checkout",
  "sparse-checkout-cone-mode",
  "ssh-key",
  "ssh-known-hosts",
  "ssh-strict",
  "ssh-user",
  "submodules",
  "token",
];

const shaPattern = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** `actions/checkout`: a real fetch with the job's token. https://github.com/actions/checkout#usage */
export const checkOut: BuiltinAction = async (call) => {
  warnUnexpectedInputs(call, valid);
  refuseInputs(call, ["filter", "github-server-url", "sparse-checkout", "ssh-key"]);
  const { inputs, execution } = call;
  const { request } = execution.session;
  if ((inputs["submodules"] ?? "false") !== "false" || isTrue(call, "lfs", "false"))
    throw new StepFailure("The sandbox checks out neither submodules nor LFS files.");
  const { repository } = request;
  if ((inputs["repository"] ?? "") !== "" && inputs["repository"]?.toLowerCase() !== repository.fullName.toLowerCase())
    throw new StepFailure(`The sandbox can check out '${repository.fullName}' only, not '${inputs["repository"]}'.`);
  const folder = resolveFolder(call);
  await prepareFolder(call, folder);
  const source = deriveCheckoutSource(inputs["ref"] ?? "", request);
  await fetchSource(call, folder, source);
  const found = await run(call, folder, ["rev-parse", "HEAD"]);
  return { ref: source.ref, commit: found.find((line) => shaPattern.test(line)) ?? "" };
};

/** `path`, which must stay below the workspace. */
function resolveFolder({ inputs, execution }: BuiltinCall): string {
  const { workspace } = execution.session.folders;
  const folder = path.resolve(workspace, inputs["path"] ?? "");
  if (folder !== workspace && !folder.startsWith(workspace + path.sep))
    throw new StepFailure(`Repository path '${folder}' is not under '${workspace}'`);
  return folder;
}

/** Keeps a former checkout (cleaned unless told otherwise), removes anything else. */
async function prepareFolder(call: BuiltinCall, folder: string): Promise<void> {
  const { cloneUrl } = call.execution.session.request.repository;
  const entries: readonly string[] = await readdir(folder).catch(() => []);
  if (entries.includes(".git")) {
    if (isTrue(call, "clean", "true")) {
      await run(call, folder, ["clean", "-ffdx"]);
      await run(call, folder, ["reset", "--hard", "--quiet"]);
    }
    return;
  }
  for (const entry of entries) await rm(path.join(folder, entry), { recursive: true, force: true });
  await run(call, call.execution.session.folders.workspace, ["init", "--quiet", "--initial-branch=main", folder]);
  await run(call, folder, ["remote", "add", "origin", cloneUrl]);
}

async function fetchSource(call: BuiltinCall, folder: string, source: CheckoutSource): Promise<void> {
  const depth = readDepth(call);
  const header = buildCredential(call);
  // In the environment of git alone: neither on a command line nor, yet, in a file.
  const credential: Record<string, string> =
    header === null ? {} : { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: header.key, GIT_CONFIG_VALUE_0: header.value };
  const fetch = async (args: readonly string[]): Promise<void> => {
    await run(call, folder, ["fetch", "--quiet", "--prune", "--no-recurse-submodules", ...args], credential);
  };
  if (depth === 0)
    await fetch(["--no-tags", "origin", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"]);
  if (depth > 0 || !(await isFetched(call, folder, source))) {
    const limits = depth === 0 ? [] : [`--depth=${depth}`];
    const tags = isTrue(call, "fetch-tags", "false") ? [] : ["--no-tags"];
    await fetch([...tags, ...limits, "origin", ...source.refspecs]);
  }
  const candidate = await findCandidate(call, folder, source);
  const checkout =
    candidate.branch === null ? ["--detach", candidate.start] : ["-B", candidate.branch, candidate.start];
  await run(call, folder, ["checkout", "--quiet", "--force", ...checkout]);
  if (header !== null && isTrue(call, "persist-credentials", "true"))
    await run(call, folder, ["config", "--local", header.key, header.value], {}, "quiet");
}

/** After a fetch of everything: is the wanted commit where it is looked for? */
async function isFetched(call: BuiltinCall, folder: string, source: CheckoutSource): Promise<boolean> {
  const [first] = source.candidates;
  const found = first === undefined ? null : await resolve(call, folder, first.start);
  return found !== null && (source.commit === null || source.commit === found);
}

async function findCandidate(call: BuiltinCall, folder: string, source: CheckoutSource): Promise<CheckoutCandidate> {
  for (const candidate of source.candidates)
    if ((await resolve(call, folder, candidate.start)) !== null) return candidate;
  throw new StepFailure(`A branch or tag with the name '${source.ref}' could not be found`);
}

/** The commit a revision names; null when there is none. */
async function resolve(call: BuiltinCall, folder: string, revision: string): Promise<string | null> {
  try {
    const lines = await run(call, folder, ["rev-parse", "--quiet", "--verify", `${revision}^{commit}`]);
    return lines.find((line) => shaPattern.test(line)) ?? null;
  } catch (error) {
    if (error instanceof ProcessFailure) return null;
    throw error;
  }
}

function readDepth({ inputs }: BuiltinCall): number {
  const depth = Number((inputs["fetch-depth"] ?? "") === "" ? "1" : inputs["fetch-depth"]);
  // The action itself takes anything that is no number for 0.
  return Number.isInteger(depth) && depth >= 0 ? depth : 0;
}

/** The header git sends to the repository's server; null where there is no HTTP. */
function buildCredential({ execution, inputs }: BuiltinCall): { key: string; value: string } | null {
  const { session } = execution;
  const url = new URL(session.request.repository.cloneUrl);
  const token = (inputs["token"] ?? "") === "" ? session.token : (inputs["token"] ?? "");
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  session.log.mask(basic);
  return { key: `http.${url.origin}/.extraheader`, value: `AUTHORIZATION: basic ${basic}` };
}

/** Runs git for the job; its output goes to the log and is returned. */
async function run(
  { execution }: BuiltinCall,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  mode: "logged" | "quiet" = "logged",
): Promise<readonly string[]> {
  const { log } = execution.session;
  const lines: string[] = [];
  if (mode === "logged") log.write(`[command]git ${args.join(" ")}`);
  const captured: typeof log = {
    ...log,
    write(line) {
      lines.push(line);
      log.write(line);
    },
  };
  const session = { ...execution.session, log: captured };
  await runStepProcess(
    { ...execution, session },
    { command: "git", args, cwd, env: { GIT_TERMINAL_PROMPT: "0", ...env } },
  );
  return lines;
}
