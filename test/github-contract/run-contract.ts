/** All rows, one place after the other; each is asked, and what differs is said. */
import { areas } from "./areas.ts";
import { type Behaviour, tryBehaviour } from "./behaviour.ts";
import type { Row } from "./ground.ts";
import { createModelPlace } from "./model-place.ts";
import { portRows } from "./port-rows.ts";
import { openRealGround, type RealGroundOptions } from "./real-ground.ts";
import { openSandboxGround } from "./sandbox-ground.ts";
import { openSandboxPlace } from "./sandbox-place.ts";

export interface Tally {
  readonly place: string;
  readonly held: number;
  readonly differing: readonly string[];
  /** How many rows could not be asked there, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

type Say = (line: string) => void;

export async function runOnSandbox(say: Say): Promise<Tally> {
  const ground = await openSandboxGround();
  try {
    return await tally("the local GitHub, through its API", say, (ask) =>
      forEachRow((area, row) => ask(`${area}: ${row.does}`, () => tryBehaviour(ground, row))),
    );
  } finally {
    await ground.close();
  }
}

export async function runPort(say: Say): Promise<readonly Tally[]> {
  const place = await openSandboxPlace();
  try {
    return [
      await tally("the local GitHub, through the port", say, (ask) =>
        forEachOf(portRows, (row) => ask(row.does, () => tryBehaviour(place, row))),
      ),
      await tally("the simulation's model, through the port", say, (ask) =>
        forEachOf(portRows, (row) => ask(row.does, () => tryBehaviour(createModelPlace(), row))),
      ),
    ];
  } finally {
    await place.close();
  }
}

/** @throws RequestError when the repository cannot be read with the token. */
export async function runOnGitHub(options: RealGroundOptions, say: Say): Promise<Tally> {
  const ground = await openRealGround(options);
  try {
    return await tally(`GitHub, ${options.owner}/${options.repo}`, say, (ask, skip) =>
      forEachRow((area, row) => {
        const reason = ground.lacks(row);
        if (row.on === "sandbox" || reason !== null) return skip(reason ?? "");
        return ask(`${area}: ${row.does}`, () => tryBehaviour(ground, row));
      }),
    );
  } finally {
    await ground.clean();
  }
}

async function forEachRow(visit: (area: string, row: Row) => Promise<void> | void): Promise<void> {
  for (const { title, rows } of areas) for (const row of rows) await visit(title, row);
}

async function forEachOf<Place>(
  rows: readonly Behaviour<Place>[],
  visit: (row: Behaviour<Place>) => Promise<void>,
): Promise<void> {
  for (const row of rows) await visit(row);
}

type Ask = (name: string, attempt: () => ReturnType<typeof tryBehaviour>) => Promise<void>;

async function tally(
  place: string,
  say: Say,
  walk: (ask: Ask, skip: (reason: string) => void) => Promise<void>,
): Promise<Tally> {
  let held = 0;
  const differing: string[] = [];
  const skipped = new Map<string, number>();
  say(place);
  await walk(
    async (name, attempt) => {
      const problem = await attempt().then(
        (result) => (result.outcome === "as expected" ? null : `found ${result.found}, not ${result.wanted}`),
        (error: unknown) => (error instanceof Error ? (error.message.split("\n")[0] ?? "") : "failed"),
      );
      if (problem === null) held += 1;
      else differing.push(`${name} ${problem}`);
      say(`  ${problem === null ? "ok     " : "DIFFERS"}  ${name}${problem === null ? "" : ` (${problem})`}`);
    },
    (reason) => void skipped.set(reason, (skipped.get(reason) ?? 0) + 1),
  );
  for (const [reason, count] of skipped) say(`  skipped  ${count} rows: ${reason}`);
  return { place, held, differing, skipped };
}
