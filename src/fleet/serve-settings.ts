/** The App's settings from the environment, named as Probot names them where it has a name. */
import { readFileSync } from "node:fs";
import { UserError } from "../contracts/errors.ts";

export interface ServeSettings {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** A second App in whose name verdicts approve or request changes; GitHub lets nobody judge their own pull request. */
  readonly reviewer: { readonly appId: number; readonly privateKey: string } | undefined;
  readonly baseUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** How long GitHub's reads may lag behind its writes. */
  readonly staleReadMs: number;
  readonly logLevel: string;
}

const DEFAULT_PORT = 3000;
export const DEFAULT_STALE_READ_MS = 2 * 60_000;
const LOG_LEVELS: readonly string[] = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** @throws UserError that names every setting that is missing or wrong. Values are never shown: they are secrets. */
export function readServeSettings(env: Readonly<Record<string, string | undefined>>): ServeSettings {
  const problems: string[] = [];
  const appId = Number(env["APP_ID"]);
  if (!Number.isSafeInteger(appId) || appId <= 0)
    problems.push("APP_ID: the App's numeric id is missing (the App's settings page shows it)");
  const privateKey = readPrivateKey(env, "", problems);
  const reviewer = readReviewer(env, appId, problems);
  const webhookSecret = env["WEBHOOK_SECRET"] ?? "";
  if (webhookSecret === "") problems.push("WEBHOOK_SECRET: missing; set the secret the App's webhook was given");
  // Probot's default: everybody knows it.
  if (webhookSecret === "development")
    problems.push('WEBHOOK_SECRET: "development" is everybody\'s; choose a random one');
  const port = env["PORT"] === undefined ? DEFAULT_PORT : Number(env["PORT"]);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) problems.push("PORT: must be a number from 1 to 65535");
  const staleReadMs =
    env["TASKFLEET_STALE_READ_MS"] === undefined ? DEFAULT_STALE_READ_MS : Number(env["TASKFLEET_STALE_READ_MS"]);
  if (!Number.isFinite(staleReadMs) || staleReadMs < 0)
    problems.push("TASKFLEET_STALE_READ_MS: must be a number of milliseconds");
  const logLevel = env["LOG_LEVEL"] ?? "info";
  if (!LOG_LEVELS.includes(logLevel)) problems.push(`LOG_LEVEL: must be one of ${LOG_LEVELS.join(", ")}`);
  const { baseUrl } = readServer(env, problems);
  if (problems.length > 0)
    throw new UserError(`The App cannot start:\n${problems.map((problem) => `- ${problem}`).join("\n")}`);
  return {
    appId,
    privateKey,
    webhookSecret,
    reviewer,
    baseUrl,
    host: env["HOST"] ?? "localhost",
    port,
    dataDir: env["TASKFLEET_DATA_DIR"] ?? "data",
    databaseUrl: env["DATABASE_URL"] === "" ? undefined : env["DATABASE_URL"],
    staleReadMs,
    logLevel,
  };
}

/** Which GitHub: github.com, or the server that GHE_HOST names. */
export interface GitHubServer {
  readonly host: string | undefined;
  readonly protocol: string;
  /** Root of its API; undefined = github.com's. */
  readonly baseUrl: string | undefined;
}

/** @param problems is added to */
export function readServer(env: Readonly<Record<string, string | undefined>>, problems: string[]): GitHubServer {
  const protocol = env["GHE_PROTOCOL"] === undefined || env["GHE_PROTOCOL"] === "" ? "https" : env["GHE_PROTOCOL"];
  if (protocol !== "https" && protocol !== "http") problems.push("GHE_PROTOCOL: must be https or http");
  const host = env["GHE_HOST"];
  if (host === undefined || host === "" || host === "github.com")
    return { host: undefined, protocol, baseUrl: undefined };
  if (!/^[a-z0-9.-]+(?::\d+)?$/iu.test(host))
    problems.push("GHE_HOST: must be the server's name alone, without https:// and without a path");
  return { host, protocol, baseUrl: `${protocol}://${host}/api/v3` };
}

const REVIEWER = "TASKFLEET_REVIEWER_";

function readReviewer(
  env: Readonly<Record<string, string | undefined>>,
  own: number,
  problems: string[],
): ServeSettings["reviewer"] {
  const name = `${REVIEWER}APP_ID`;
  const given = env[name];
  if (given === undefined || given === "") return undefined;
  const appId = Number(given);
  if (!Number.isSafeInteger(appId) || appId <= 0) problems.push(`${name}: must be the numeric id of the second App`);
  if (appId === own)
    problems.push(`${name}: is our own App, which cannot judge its own pull requests; name another one`);
  return { appId, privateKey: readPrivateKey(env, REVIEWER, problems) };
}

/** @param prefix of the names of the variables */
function readPrivateKey(
  env: Readonly<Record<string, string | undefined>>,
  prefix: "" | typeof REVIEWER,
  problems: string[],
): string {
  const name = `${prefix}PRIVATE_KEY`;
  const given = env[name];
  if (given !== undefined && given !== "") {
    const text = given.includes("-----BEGIN")
      ? given.replaceAll(String.raw`\n`, "\n")
      : Buffer.from(given, "base64").toString("utf8");
    if (text.includes("-----BEGIN") && text.includes("PRIVATE KEY-----")) return text;
    problems.push(`${name}: is no PEM key (nor a base64 of one)`);
    return "";
  }
  const file = env[`${name}_PATH`];
  if (file === undefined || file === "") {
    problems.push(`${name} or ${name}_PATH: missing`);
    return "";
  }
  try {
    return readFileSync(file, "utf8");
  } catch {
    problems.push(`${name}_PATH: ${file} cannot be read`);
    return "";
  }
}

/** Every value that must never be shown. */
export function listSecrets(settings: ServeSettings): readonly string[] {
  const password =
    settings.databaseUrl !== undefined && URL.canParse(settings.databaseUrl)
      ? new URL(settings.databaseUrl).password
      : "";
  // A key's lines are secrets each: a part of it may stand in an error.
  const keys = [settings.privateKey, settings.reviewer?.privateKey ?? ""].filter((key) => key !== "");
  const lines = keys.flatMap((key) => key.split(/\r?\n/u)).filter((line) => line.length >= 32);
  return [settings.webhookSecret, password, decodePassword(password), ...keys, ...lines];
}

function decodePassword(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    // A percent sign that begins no code: the password stands there as it is.
    return password;
  }
}
