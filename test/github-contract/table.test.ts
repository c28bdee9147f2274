/** docs/github-behaviour.md says what is tried, no more and no less. */
import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import path from "node:path";
import { formatGitHubBehaviour } from "../../tools/dev/github-behaviour.ts";
import { areas } from "./areas.ts";
import { portRows } from "./port-rows.ts";

describe("the table of GitHub's behaviour", () => {
  it("is what `npm run generate` makes of the rows", () => {
    const file = path.join(import.meta.dirname, "../../docs/github-behaviour.md");
    expect(readFileSync(file, "utf8")).toBe(formatGitHubBehaviour());
  });

  it("names for every row where it is written, by an address that can be opened", () => {
    const sources = [...areas.flatMap(({ rows }) => rows), ...portRows].flatMap((row) => row.sources);
    for (const source of sources) {
      expect(URL.canParse(source)).toBe(true);
      expect(new URL(source).protocol).toBe("https:");
    }
  });
});
