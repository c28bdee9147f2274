/**
 * A process that delivers webhooks: `node ingest-load.ts <json>`. Prints one line of JSON with what it saw.
 * With `rate` it sends so many a second, whether the former were answered or not; with `together` it keeps
 * so many under way.
 */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";

export interface Load {
  readonly url: string;
  readonly secret: string;
  readonly seconds: number;
  readonly rate?: number;
  readonly together?: number;
}

export interface LoadResult {
  readonly sent: number;
  readonly failed: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Sizes of real deliveries, up to 100 kB; most are small. */
const sizes = [6_000, 8_000, 8_000, 12_000, 15_000, 25_000, 40_000, 100_000];

/**
 * What arrives all the time where the App is installed. An eighth names a run, so it is kept and routed; half
 * would concern runs of its repository, of which none is open; the rest concerns nobody.
 */
const kinds = [
  { event: "check_run", action: "completed" },
  { event: "issue_comment", action: "edited" },
  { event: "status", state: "success" },
  { event: "push", ref: "refs/heads/main" },
  { event: "check_suite", action: "completed" },
  { event: "push", ref: "refs/heads/taskfleet/7-search/chunk/c0" },
  { event: "issue_comment", action: "created", issue: { number: 12 } },
  { event: "pull_request", action: "synchronize", pull_request: { number: 13 } },
] as const;

const load = JSON.parse(process.argv[2] ?? "null") as Load;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const bodies = sizes.flatMap((size) => kinds.map((kind) => buildBody(size, kind)));
const times: number[] = [];
let failed = 0;

function buildBody(size: number, { event, ...rest }: (typeof kinds)[number]) {
  const body = Buffer.from(
    JSON.stringify({
      ...rest,
      filler: randomBytes(size / 2).toString("hex"),
      sender: { login: "mona", id: 1, type: "User" },
      repository: { id: 999_999, name: "quiet", owner: { login: "octo" } },
      installation: { id: 1 },
    }),
  );
  return { event, body, signature: `sha256=${createHmac("sha256", load.secret).update(body).digest("hex")}` };
}

function send(n: number): Promise<void> {
  const { event, body, signature } = bodies[n % bodies.length]!;
  const begun = performance.now();
  return new Promise((resolve) => {
    const end = (good: boolean): void => {
      times.push(performance.now() - begun);
      if (!good) failed += 1;
      resolve();
    };
    const sending = request(
      load.url,
      {
        method: "POST",
        agent,
        headers: {
          "content-type": "application/json",
          "content-length": body.length,
          "x-github-event": event,
          "x-github-delivery": randomUUID(),
          "x-hub-signature-256": signature,
        },
      },
      (response) => {
        response.resume();
        response.on("end", () => end(response.statusCode === 200));
      },
    );
    sending.on("error", () => end(false));
    sending.end(body);
  });
}

async function sendAtRate(rate: number): Promise<void> {
  const begun = performance.now();
  const total = Math.round(rate * load.seconds);
  const under: Promise<void>[] = [];
  for (let n = 0; n < total; n += 1) {
    const due = begun + (n * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    under.push(send(n));
  }
  await Promise.all(under);
}

async function sendTogether(count: number): Promise<void> {
  const until = performance.now() + load.seconds * 1000;
  let n = 0;
  await Promise.all(
    Array.from({ length: count }, async () => {
      while (performance.now() < until) await send((n += 1));
    }),
  );
}

// The first requests pay for connections and for code that is compiled: they are not counted.
await Promise.all(Array.from({ length: 128 }, (_, n) => send(n)));
times.length = 0;
failed = 0;
const begun = performance.now();
await (load.rate === undefined ? sendTogether(load.together ?? 128) : sendAtRate(load.rate));
const seconds = (performance.now() - begun) / 1000;
const sorted = times.toSorted((a, b) => a - b);
const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const result: LoadResult = {
  sent: times.length,
  failed,
  perSecond: times.length / seconds,
  p50: at(0.5),
  p99: at(0.99),
  max: at(1),
};
console.log(JSON.stringify(result));
agent.destroy();
