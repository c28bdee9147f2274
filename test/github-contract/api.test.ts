/** Every row of the contract about the API, asked of the local GitHub. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { areas } from "./areas.ts";
import { tryBehaviour } from "./behaviour.ts";
import { type OpenSandboxGround, openSandboxGround } from "./sandbox-ground.ts";

let ground: OpenSandboxGround;

beforeAll(async () => {
  ground = await openSandboxGround();
});
afterAll(() => ground.close());

for (const { title, rows } of areas) {
  describe(`GitHub's API, ${title}`, () => {
    it.each(rows.map((row) => [row.does, row] as const))("%s", async (_, row) => {
      expect(await tryBehaviour(ground, row)).toEqual({ outcome: "as expected" });
    });
  });
}

describe("the rows of the contract", () => {
  const all = areas.flatMap(({ title, rows }) => rows.map((row) => ({ ...row, area: title })));

  it("are no fewer than sixty, and most can be asked of the real GitHub", () => {
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(all.filter(({ on }) => on !== "sandbox").length).toBeGreaterThan(all.length / 2);
  });

  it("each have a name of their own within their area", () => {
    const names = all.map(({ area, does }) => `${area}: ${does}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
