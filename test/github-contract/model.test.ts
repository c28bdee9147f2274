import { describe, expect, it } from "@jest/globals";
import { tryBehaviour } from "./behaviour.ts";
import { createModelPlace } from "./model-place.ts";
import { portRows } from "./port-rows.ts";

describe("the model of GitHub", () => {
  it.each(portRows.map((row) => [row.does, row] as const))("%s", async (_, row) => {
    expect(await tryBehaviour(createModelPlace(), row)).toEqual({ outcome: "as expected" });
  });
});
