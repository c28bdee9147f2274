/**
 * How good the order is in which chunks start: the time a whole plan takes, against the least it could take
 * (critical path, work over slots, files that only one chunk may hold), and against first come, first
 * served in the same run. How long a chunk takes is known to nobody beforehand.
 */
import type { ChunkId, JobId } from "../../../src/contracts/ids.ts";
import type { Chunk } from "../../../src/contracts/plan.ts";
import { deriveSchedule } from "../../../src/engine/derive/schedule.ts";
import type { ChunkState } from "../../../src/engine/state.ts";
import { buildTable, findRow } from "../../../src/engine/table.ts";
import { buildChunk } from "../../../test/engine-stories/plans.ts";
import { Story } from "../../../test/engine-stories/story.ts";
import { Chance } from "../../../test/sim/chance.ts";

const PLANS = 200;
const MOST_MEDIAN = 1.03;
const MOST_P95 = 1.15;
/** The excess over the bound, as a part of first come, first served's. */
const MOST_OF_FIFO = 0.6;

interface Work {
  readonly chunks: readonly Chunk[];
  readonly durations: ReadonlyMap<string, number>;
  readonly slots: number;
}

export async function run(): Promise<readonly string[]> {
  const ours: number[] = [];
  const fifo: number[] = [];
  for (let seed = 1; seed <= PLANS; seed += 1) {
    const work = buildWork(new Chance(seed, "schedule"));
    const bound = deriveBound(work);
    ours.push(play(work, pickByEngine(work)) / bound);
    fifo.push(play(work, pickFirstCome(work)) / bound);
  }
  const [median, p95, fifoMedian, fifoP95] = [
    quantile(ours, 0.5),
    quantile(ours, 0.95),
    quantile(fifo, 0.5),
    quantile(fifo, 0.95),
  ];
  const share = (p95 - 1) / (fifoP95 - 1);
  console.table([
    { order: "engine", median: median.toFixed(3), p95: p95.toFixed(3), worst: Math.max(...ours).toFixed(3) },
    {
      order: "first come",
      median: fifoMedian.toFixed(3),
      p95: fifoP95.toFixed(3),
      worst: Math.max(...fifo).toFixed(3),
    },
  ]);
  console.log(`excess over the bound at p95: ${(share * 100).toFixed(0)}% of first come, first served`);
  return [
    ...(median > MOST_MEDIAN ? [`the median is ${median.toFixed(3)}, at most ${MOST_MEDIAN}`] : []),
    ...(p95 > MOST_P95 ? [`the 95th percentile is ${p95.toFixed(3)}, at most ${MOST_P95}`] : []),
    ...(share > MOST_OF_FIFO
      ? [`the excess is ${(share * 100).toFixed(0)}% of FIFO's, at most ${MOST_OF_FIFO * 100}%`]
      : []),
  ];
}

/** A random plan: 10 to 300 chunks, 1 to 16 slots, some files wanted by several chunks. */
function buildWork(chance: Chance): Work {
  const size = chance.int("size", 10, 300);
  const slots = chance.int("slots", 1, 16);
  const density = chance.pick("density", [0.5, 1, 2, 3]);
  const reach = chance.pick("reach", [4, 12, 40]);
  const overlap = chance.pick("overlap", [0, 0, 0.05, 0.15]);
  const durations = new Map<string, number>();
  const chunks: Chunk[] = [];
  for (let index = 0; index < size; index += 1) {
    const id = `c${index}`;
    const deps: string[] = [];
    for (let n = 0; n < density; n += 1) {
      const back = chance.int(`dep:${index}:${n}`, 1, reach);
      const dep = `c${index - back}`;
      if (index - back >= 0 && chance.happens(`has:${index}:${n}`, 0.7) && !deps.includes(dep)) deps.push(dep);
    }
    const files = [`src/${id}.js`];
    if (chance.happens(`overlaps:${index}`, overlap))
      files.push(`src/shared-${chance.int(`file:${index}`, 0, Math.ceil(size / 15))}.js`);
    // Most take some minutes, a few take long.
    durations.set(id, Math.round(60 * (1 + 12 * chance.unit(`takes:${index}`) ** 3)));
    chunks.push(
      buildChunk(id, deps, { files_touched: files, tier: chance.pick(`tier:${index}`, ["code", "mid", "high"]) }),
    );
  }
  return { chunks, durations, slots };
}

function deriveBound({ chunks, durations, slots }: Work): number {
  const ends = new Map<string, number>();
  const files = new Map<string, number>();
  let work = 0;
  for (const chunk of chunks) {
    const takes = durations.get(chunk.id) ?? 0;
    work += takes;
    ends.set(chunk.id, takes + Math.max(0, ...(chunk.deps ?? []).map((dep) => ends.get(dep) ?? 0)));
    for (const path of chunk.files_touched) files.set(path, (files.get(path) ?? 0) + takes);
  }
  return Math.max(work / slots, ...ends.values(), ...files.values());
}

interface Pick {
  /** What starts now, in order. */
  readonly next: (running: ReadonlySet<string>, done: ReadonlySet<string>) => readonly string[];
}

/** @returns the makespan. */
function play({ chunks, durations }: Work, pick: Pick): number {
  const running = new Map<string, number>();
  const done = new Set<string>();
  let now = 0;
  while (done.size < chunks.length) {
    for (const id of pick.next(new Set(running.keys()), done)) running.set(id, now + (durations.get(id) ?? 0));
    const next = Math.min(...running.values());
    if (!Number.isFinite(next)) throw new Error("nothing runs and not everything is done");
    now = next;
    for (const [id, end] of running)
      if (end <= now) {
        running.delete(id);
        done.add(id);
      }
  }
  return now;
}

function pickFirstCome({ chunks, slots }: Work): Pick {
  return {
    next: (running, done) => {
      const started: string[] = [];
      const held = new Set(chunks.filter((chunk) => running.has(chunk.id)).flatMap((chunk) => chunk.files_touched));
      for (const chunk of chunks) {
        if (running.size + started.length >= slots) break;
        if (running.has(chunk.id) || done.has(chunk.id) || !(chunk.deps ?? []).every((dep) => done.has(dep))) continue;
        if (chunk.files_touched.some((path) => held.has(path))) continue;
        for (const path of chunk.files_touched) held.add(path);
        started.push(chunk.id);
      }
      return started;
    },
  };
}

/** The engine's own schedule, asked with a state in which exactly this is running and done. */
function pickByEngine({ chunks, slots }: Work): Pick {
  const story = new Story({ config: { limits: { parallel: Math.min(slots, 100) }, plan: { max_chunks: 1000 } } });
  story.propose(chunks).approve();
  const first = chunks[0]?.id as ChunkId;
  const blank = story.state;
  const begun = story.start(first).state;
  const attempt = findRow(begun.chunks, first)?.attempts[0];
  const job = attempt === undefined ? undefined : findRow(begun.jobs, attempt.job);
  if (attempt === undefined || job === undefined) throw new Error("a started chunk has an attempt and a job");
  return {
    next: (running, done) => {
      const states: Array<readonly [ChunkId, ChunkState]> = [];
      const jobs: Array<readonly [JobId, typeof job]> = [];
      for (const { id } of chunks) {
        const chunk = id as ChunkId;
        const entry = findRow(blank.chunks, chunk);
        if (entry === undefined) continue;
        const name = `${attempt.job}/${id}` as JobId;
        if (running.has(id)) {
          states.push([chunk, { ...entry, attempts: [{ ...attempt, job: name }] }]);
          jobs.push([name, { ...job, job: name, subject: { role: "implement", chunk, n: 1 } }]);
        } else if (done.has(id))
          states.push([chunk, { ...entry, landed: { commit: attempt.base, at: 0, attempt: 1, verified: true } }]);
        else states.push([chunk, entry]);
      }
      return deriveSchedule({ ...blank, chunks: buildTable(states), jobs: buildTable(jobs) }).start.map(
        (chunk) => chunk.id,
      );
    },
  };
}

function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0;
}
