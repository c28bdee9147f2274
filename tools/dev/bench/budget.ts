/**
 * What a chunk costs in requests to GitHub, on the happy path, and the largest fleet that fits into GitHub's
 * hourly limits (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 */
import { openFleetStage } from "../../../test/fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../../../test/fleet-stage/scripted-runner.ts";

const sizes = [2, 6, 20];
const primaryPerHour = 5_000;
const contentPerHour = 500;
const maxRequests = 22;
const maxContent = 4;

/** Edits of progress come by time, not by chunk, and share a part of the hourly limit (src/fleet/loop/edit-pace.ts). */
const progress = ["PATCH /repos/{owner}/{repo}/issues/comments/{id}", "PATCH /repos/{owner}/{repo}/pulls/{id}"];

interface Spent {
  readonly chunks: number;
  /** Without what was answered with 304: GitHub does not count that. */
  readonly requests: number;
  readonly content: number;
  /** Edits of progress among them. */
  readonly edits: number;
  readonly byRoute: Readonly<Record<string, number>>;
}

export async function run(): Promise<readonly string[]> {
  const spent: Spent[] = [];
  for (const chunks of sizes) spent.push(await measure(chunks));
  console.table(
    spent.map(({ chunks, requests, content, edits }) => ({
      chunks,
      requests,
      "content-creating": content,
      "progress edits": edits,
      "requests per chunk": round(requests / chunks),
      "content-creating per chunk": round(content / chunks),
    })),
  );
  // What a further chunk costs: the run's own part (plan, acceptance, report) is left out.
  const [small, large] = [spent[0], spent.at(-1)];
  if (small === undefined || large === undefined) return ["nothing was measured"];
  const more = large.chunks - small.chunks;
  const requests = (large.requests - small.requests) / more;
  const content = (large.content - large.edits - small.content + small.edits) / more;
  console.log("requests by route, per further chunk and for the run itself:");
  const routes = Object.keys({ ...small.byRoute, ...large.byRoute });
  console.table(
    Object.fromEntries(
      routes
        .map((route): [string, { readonly "per chunk": number; readonly "per run": number }] => {
          const perChunk = ((large.byRoute[route] ?? 0) - (small.byRoute[route] ?? 0)) / more;
          const perRun = (small.byRoute[route] ?? 0) - perChunk * small.chunks;
          return [route, { "per chunk": round(perChunk), "per run": round(perRun) }];
        })
        .toSorted(([, a], [, b]) => b["per chunk"] - a["per chunk"] || b["per run"] - a["per run"]),
    ),
  );
  console.log(
    `a further chunk: ${round(requests)} requests, ${round(content)} content-creating; ` +
      `the run itself: ${round(small.requests - requests * small.chunks)} and ${round(small.content - small.edits - content * small.chunks)}`,
  );
  console.log(
    `per chunk of the largest run: ${round(large.requests / large.chunks)} requests, ${round(large.content / large.chunks)} content-creating`,
  );
  const fleet = Math.floor(
    Math.min(primaryPerHour / (large.requests / large.chunks), contentPerHour / (large.content / large.chunks)),
  );
  console.log(
    `largest fleet of one installation: ${fleet} chunks an hour in ${primaryPerHour} requests and ${contentPerHour} content-creating writes`,
  );
  return [
    ...(requests > maxRequests
      ? [`a further chunk costs ${round(requests)} requests; allowed are ${maxRequests}`]
      : []),
    ...(content > maxContent
      ? [`a further chunk costs ${round(content)} content-creating writes; allowed are ${maxContent}`]
      : []),
  ];
}

async function measure(chunks: number): Promise<Spent> {
  const stage = await openFleetStage({ runner: createScriptedRunner({ chunks: () => buildChunks(chunks) }) });
  try {
    const app = await stage.startApp({ LOG_LEVEL: "warn" });
    stage.sandbox.setWebhookTarget(app.webhookUrl);
    const repository = await stage.createRepository("parts");
    await stage.waitForEnd(repository, await stage.startRun(repository), 600_000);
    const { total, notModified, contentCreating, byRoute } = stage.sandbox.requests.app;
    const edits = progress.reduce((sum, route) => sum + (byRoute[route] ?? 0), 0);
    return { chunks, requests: total - notModified, content: contentCreating, edits, byRoute: { ...byRoute } };
  } finally {
    await stage.close();
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
