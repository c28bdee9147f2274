import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { tryBehaviour } from "./behaviour.ts";
import type { Place } from "./place.ts";
import { portRows } from "./port-rows.ts";
import { openSandboxPlace } from "./sandbox-place.ts";

describe("the port on the local GitHub", () => {
  let place: Place;
  beforeAll(async () => {
    place = await openSandboxPlace();
  });
  afterAll(() => place.close());

  it.each(portRows.map((row) => [row.does, row] as const))("%s", async (_, row) => {
    expect(await tryBehaviour(place, row)).toEqual({ outcome: "as expected" });
  });
});
