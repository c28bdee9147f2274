import type { Sha } from "../../../src/contracts/ids.ts";
import { type Behaviour, gives } from "../behaviour.ts";
import type { Place } from "../place.ts";

export type PortRow = Behaviour<Place>;

/** The name of no object. */
export const NO_SHA = "1".repeat(40) as Sha;

export function row(does: string, value: unknown, sources: PortRow["sources"], ask: PortRow["ask"]): PortRow {
  return { does, expected: gives(value), sources, ask };
}
