import type { Sha } from "../../../src/contracts/ids.ts";
import type { Pull } from "../../../src/github/port.ts";
import { commitOn, type Place } from "../place.ts";

/** A pull request of a new branch. */
export async function openPull(
  place: Place,
  branch: string,
  base = "main",
): Promise<{ readonly head: Sha; readonly pull: Pull }> {
  const head = await commitOn(place, branch, { [`${branch}.txt`]: "1\n" });
  const { number } = await place.repository.createPull({ head: branch, base, title: "T", body: "B", draft: false });
  await place.idle();
  return { head, pull: await place.repository.loadPull(number) };
}

/** Whether it is over, once everything that happens by itself has happened. */
export async function readPull(place: Place, number: number): Promise<Pick<Pull, "state" | "merged">> {
  await place.idle();
  const { state, merged } = await place.repository.loadPull(number);
  return { state, merged };
}
