/**
 * A burst of webhooks through HTTP, as it comes after an outage: most once, some twice, some of 5 MB, some with a
 * wrong signature. What was acknowledged must be stored once, and the process must not grow with the burst.
 */
import { createHmac, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { Agent, request } from "node:http";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AppProcess } from "../../src/cli/demo/app-process.ts";
import { formatBranch } from "../../src/contracts/names.ts";
import { formatRunKey } from "../../src/contracts/ids.ts";
import type { FleetStage } from "./fleet-stage.ts";

export interface Burst {
  /** All that is sent; a fifth of it was sent before. */
  readonly deliveries: number;
  /** Of 5 MB. */
  readonly large: number;
  /** With a wrong signature, beside the others. */
  readonly forged: number;
}

export interface BurstResult {
  readonly seconds: number;
  /** Of those with a right signature: how many were not acknowledged. */
  readonly refused: number;
  /** Of those with a wrong one: how many were. */
  readonly believed: number;
  readonly unique: number;
  /** Rows of the inbox, and how many GUIDs they have. */
  readonly stored: number;
  readonly guids: number;
  /** Not routed when everything was quiet again. */
  readonly waiting: number;
  /** Acknowledged, and not in the inbox. */
  readonly lost: number;
  /** Most memory the process had at any look, and what it had before, in MB. */
  readonly peakMb: number;
  readonly beforeMb: number;
  readonly slowestMs: number;
}

const TOGETHER = 64;
const LARGE_BYTES = 5 * 1024 * 1024;
const SMALL_BYTES = [2_000, 6_000, 8_000, 15_000, 40_000];

interface Prepared {
  readonly body: Buffer;
  readonly signature: string;
}

export async function runBurst(stage: FleetStage, app: AppProcess, burst: Burst): Promise<BurstResult> {
  const secret = stage.sandbox.app.webhookSecret;
  const small = SMALL_BYTES.map((bytes) => prepare(bytes, secret));
  const large = prepare(LARGE_BYTES, secret);
  const forged = SMALL_BYTES.map((bytes) => prepare(bytes, "not-the-secret"));
  const agent = new Agent({ keepAlive: true, maxSockets: TOGETHER });
  const plan = planBurst(burst);
  const acknowledged = new Set<string>();
  const memory = watchMemory(app);
  const beforeMb = await readMemoryMb(app);
  let refused = 0;
  let believed = 0;
  let slowestMs = 0;
  const begun = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: TOGETHER }, async () => {
      for (let index = next++; index < plan.length; index = next++) {
        const { guid, kind } = plan[index] ?? { guid: "", kind: "small" };
        const pool = kind === "forged" ? forged : small;
        const prepared = kind === "large" ? large : (pool[index % pool.length] ?? large);
        const sentAt = performance.now();
        const status = await post(app.webhookUrl, agent, guid, prepared);
        slowestMs = Math.max(slowestMs, performance.now() - sentAt);
        if (kind === "forged") believed += status < 400 ? 1 : 0;
        else if (status === 200) acknowledged.add(guid);
        else refused += 1;
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  await waitUntilRouted(app);
  const peakMb = await memory.stop();
  agent.destroy();
  // The file belongs to the process as long as it lives.
  await app.stop();
  const rows = readInbox(path.join(stage.folder, "app"));
  const guids = new Set(rows.map(({ guid }) => guid));
  return {
    seconds,
    refused,
    believed,
    unique: new Set(plan.flatMap(({ guid, kind }) => (kind === "forged" ? [] : [guid]))).size,
    stored: rows.length,
    guids: guids.size,
    waiting: rows.filter(({ done }) => !done).length,
    lost: [...acknowledged].filter((guid) => !guids.has(guid)).length,
    peakMb,
    beforeMb,
    slowestMs,
  };
}

interface Planned {
  readonly guid: string;
  readonly kind: "small" | "large" | "forged";
}

/** Every fifth was sent shortly before; large and forged ones are spread evenly. */
function planBurst({ deliveries, large, forged }: Burst): readonly Planned[] {
  const plan: Planned[] = [];
  const everyLarge = Math.floor(deliveries / large);
  for (let n = 0; n < deliveries; n += 1) {
    const earlier = n % 5 === 4 ? plan[plan.length - 1 - (n % Math.min(40, plan.length))] : undefined;
    if (earlier !== undefined) plan.push(earlier);
    else plan.push({ guid: randomUUID(), kind: n % everyLarge === 0 ? "large" : "small" });
  }
  const everyForged = Math.floor(plan.length / forged);
  for (let n = 0; n < forged; n += 1) plan.splice(n * everyForged, 0, { guid: randomUUID(), kind: "forged" });
  return plan;
}

/** A push to a run's branch: it is stored, routed, and finds no run. */
function prepare(bytes: number, secret: string): Prepared {
  const branch = formatBranch({ kind: "integration", run: formatRunKey(9, 1, "burst") });
  const payload = {
    ref: `refs/heads/${branch}`,
    repository: { id: 424_242, name: "nowhere", owner: { login: "octo" } },
    installation: { id: 1 },
    sender: { login: "octo", type: "User" },
    filler: "",
  };
  const rest = bytes - JSON.stringify(payload).length;
  const body = Buffer.from(JSON.stringify({ ...payload, filler: "x".repeat(Math.max(0, rest)) }));
  return { body, signature: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` };
}

/** @returns the status, or 599 when no answer came. */
function post(url: string, agent: Agent, guid: string, { body, signature }: Prepared): Promise<number> {
  return new Promise((resolve) => {
    const sending = request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          "content-type": "application/json",
          "content-length": body.length,
          "x-github-event": "push",
          "x-github-delivery": guid,
          "x-hub-signature-256": signature,
        },
      },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 599));
      },
    );
    sending.on("error", () => resolve(599));
    sending.end(body);
  });
}

async function readMetric(app: AppProcess, name: string): Promise<number> {
  const response = await fetch(new URL("/metrics", app.webhookUrl));
  const line = (await response.text()).split("\n").find((text) => text.startsWith(`${name} `));
  return Number(line?.split(" ")[1] ?? Number.NaN);
}

async function readMemoryMb(app: AppProcess): Promise<number> {
  return (await readMetric(app, "process_resident_memory_bytes")) / 1024 / 1024;
}

function watchMemory(app: AppProcess): { stop(): Promise<number> } {
  const stopped = new AbortController();
  const watch = async (): Promise<number> => {
    let peak = 0;
    while (!stopped.signal.aborted) {
      peak = Math.max(peak, await readMemoryMb(app));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return peak;
  };
  const peak = watch();
  return {
    stop: () => {
      stopped.abort();
      return peak;
    },
  };
}

async function waitUntilRouted(app: AppProcess): Promise<void> {
  while ((await readMetric(app, "taskfleet_inbox_age_seconds")) > 0) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function readInbox(folder: string): readonly { readonly guid: string; readonly done: boolean }[] {
  const name = readdirSync(folder).find((file) => file.endsWith(".sqlite"));
  if (name === undefined) throw new Error(`there is no database in ${folder}`);
  const database = new DatabaseSync(path.join(folder, name), { readOnly: true });
  try {
    const rows = database.prepare("select guid, done_at from inbox where event = 'push'").all();
    return rows.map((row) => ({ guid: String(row["guid"]), done: row["done_at"] !== null }));
  } finally {
    database.close();
  }
}
