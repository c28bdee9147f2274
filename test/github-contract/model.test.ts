import { describe, expect, it } from "@jest/globals";
import type { GitHubPort, RepositoryPort } from "../../src/github/port.ts";
import { tryBehaviour } from "./behaviour.ts";
import { createModelPlace } from "./model-place.ts";
import { portRows } from "./port-rows.ts";
import { recordCalls } from "./record-calls.ts";

/** What no row can call, and why. */
const UNCALLED: Partial<Record<keyof RepositoryPort | keyof GitHubPort, string>> = {
  repository: "a place gives the repository's port itself",
};

describe("the model of GitHub", () => {
  it.each(portRows.map((row) => [row.does, row] as const))("%s", async (_, row) => {
    expect(await tryBehaviour(createModelPlace(), row)).toEqual({ outcome: "as expected" });
  });
});

describe("the rows about the port", () => {
  it("call every method of it, but for those with a reason", async () => {
    const { port, repository } = createModelPlace();
    const called = new Set<string>();
    for (const row of portRows) await tryBehaviour(recordCalls(createModelPlace(), called), row);
    // The tracker has rows of its own elsewhere (test/github/tracker.test.ts): the model has none.
    const methods = [...Object.entries(port), ...Object.entries(repository)].flatMap(([name, value]) =>
      typeof value === "function" ? [name] : [],
    );
    expect(methods.length).toBeGreaterThan(50);
    expect(methods.filter((name) => !called.has(name)).sort()).toEqual(Object.keys(UNCALLED).sort());
  });
});
