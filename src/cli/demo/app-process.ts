/** The real App, started as anybody starts it: `taskfleet serve` with its settings in the environment. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findFreePort } from "./find-free-port.ts";

export interface AppSettings {
  readonly appId: number;
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** `localhost:<port>` of the local GitHub. */
  readonly githubHost: string;
  readonly dataDir: string;
  /** How long the App takes a read to be possibly out of date, in milliseconds. */
  readonly staleReadMs: number;
  /** Further settings, as `taskfleet serve` names them. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface AppProcess {
  readonly webhookUrl: string;
  /** For signals. */
  readonly pid: number;
  /** The last lines of its log, for a failure's message. */
  readonly log: readonly string[];
  /** Resolves when the process has ended by itself or was ended: to its exit code, null after a signal. */
  readonly exited: Promise<number | null>;
  /** Asks it to end, and waits. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
}

/** A start takes a second or two; on a machine that is busy with much else, far longer. */
const readyWithinMs = 120_000;
const keptLines = 400;

/** @throws Error with the end of the App's log when it does not become ready. */
export async function startAppProcess(settings: AppSettings): Promise<AppProcess> {
  const port = await findFreePort();
  // In a package the program is compiled, in a checkout it runs as it stands.
  const program = import.meta.url.endsWith(".ts") ? "../main.ts" : "../main.js";
  const main = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "serve"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: buildEnvironment(settings, port),
  });
  const log: string[] = [];
  const keep = (line: string): void => {
    // One line per request says nothing about what went wrong.
    if (line.includes('"name":"http"')) return;
    log.push(line);
    if (log.length > keptLines) log.shift();
  };
  const listening = waitForAddress(child, keep);
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await exited;
  };
  try {
    const address = await Promise.race([
      listening,
      exited.then((code) => Promise.reject(new Error(`it ended with exit code ${code}`))),
      rejectAfter(readyWithinMs),
    ]);
    return {
      webhookUrl: new URL("/api/github/webhooks", address).href,
      pid: child.pid ?? 0,
      log,
      exited,
      stop: async () => {
        const forced = setTimeout(() => child.kill("SIGKILL"), 10_000);
        await end("SIGTERM");
        clearTimeout(forced);
      },
      kill: async () => await end("SIGKILL"),
    };
  } catch (error) {
    await end("SIGKILL");
    const reason = error instanceof Error ? error.message : "unknown";
    throw new Error(`the App could not be started: ${reason}\n${log.slice(-20).join("\n")}`, { cause: error });
  }
}

function buildEnvironment(settings: AppSettings, port: number): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  const { appId, privateKey, webhookSecret, githubHost, dataDir, staleReadMs } = settings;
  return {
    ...(PATH === undefined ? {} : { PATH }),
    ...(HOME === undefined ? {} : { HOME }),
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(LANG === undefined ? {} : { LANG }),
    APP_ID: String(appId),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecret,
    GHE_HOST: githubHost,
    GHE_PROTOCOL: "http",
    PORT: String(port),
    LOG_LEVEL: process.env["LOG_LEVEL"] ?? "info",
    TASKFLEET_DATA_DIR: dataDir,
    TASKFLEET_STALE_READ_MS: String(staleReadMs),
    ...settings.env,
  };
}

/** The App prints `{"listening": "http://…"}` when it is ready; all other lines are its log. */
async function waitForAddress(child: ChildProcess, keep: (line: string) => void): Promise<string> {
  if (child.stdout === null || child.stderr === null) throw new TypeError("the App's output is not read");
  createInterface({ input: child.stderr }).on("line", keep);
  const lines = createInterface({ input: child.stdout });
  return await new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      keep(line);
      const match = /"listening"\s*:\s*"(http:[^"]+)"/u.exec(line);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
  });
}

async function rejectAfter(ms: number): Promise<never> {
  return await new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("it did not become ready")), ms).unref();
  });
}
