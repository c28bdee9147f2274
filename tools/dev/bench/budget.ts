/**
 * What a chunk costs in requests to GitHub, on the happy path, and the largest fleet that fits into GitHub's
 * hourly limits (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 */
import { openFleetStage } from "../../../test/fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../../../test/fleet-stage/scripted-runner.ts";

const sizes = [2, 6, 12];
const primaryPerHour = 5_000;
const contentPerHour = 500;
const maxRequests = 22;
const maxContent = 4;

interface Spent {
  readonly chunks: number;
  readonly requests: number;
  readonly content: number;
  readonly byRoute: Readonly<Record<string, number>>;
}

export async function run(): Promise<readonly string[]> {
  const spent: Spent[] = [];
  for (const chunks of sizes) spent.push(await measure(chunks));
  console.table(
    spent.map(({ chunks, requests, content }) => ({
      chunks,
      requests,
      "content-creating": content,
      "requests per chunk": round(requests / chunks),
      "content-creating per chunk": round(content / chunks),
    })),
  );
  // What a further chunk costs: the run's own part (plan, acceptance, report) is left out.
  const [small, large] = [spent[0], spent.at(-1)];
  if (small === undefined || large === undefined) return ["nothing was measured"];
  const more = large.chunks - small.chunks;
  const perChunk = (large.requests - small.requests) / more;
  const contentPerChunk = (large.content - small.content) / more;
  console.log("requests per further chunk, by route:");
  console.table(
    Object.fromEntries(
      Object.entries(large.byRoute)
        .map(([route, count]): [string, number] => [route, round((count - (small.byRoute[route] ?? 0)) / more)])
        .filter(([, count]) => count !== 0)
        .toSorted(([, a], [, b]) => b - a),
    ),
  );
  console.log(
    `per chunk of the largest run: ${round(large.requests / large.chunks)} requests, ${round(large.content / large.chunks)} content-creating`,
  );
  console.log(`a further chunk: ${round(perChunk)} requests, ${round(contentPerChunk)} content-creating`);
  const fleet = Math.floor(
    Math.min(primaryPerHour / (large.requests / large.chunks), contentPerHour / (large.content / large.chunks)),
  );
  console.log(
    `largest fleet of one installation: ${fleet} chunks an hour in ${primaryPerHour} requests and ${contentPerHour} content-creating writes`,
  );
  return [
    ...(large.requests / large.chunks > maxRequests
      ? [`a chunk costs ${round(large.requests / large.chunks)} requests; allowed are ${maxRequests}`]
      : []),
    ...(large.content / large.chunks > maxContent
      ? [`a chunk costs ${round(large.content / large.chunks)} content-creating writes; allowed are ${maxContent}`]
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
    const { total, contentCreating, byRoute } = stage.sandbox.requests.app;
    return { chunks, requests: total, content: contentCreating, byRoute: { ...byRoute } };
  } finally {
    await stage.close();
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
