import { describe, expect, it } from "@jest/globals";
import { unzipFile } from "../../src/github/unzip-file.ts";
import { announceSize, makeZip, renameEntry } from "./make-zip.ts";

const limit = 1000;

async function reasonOf(zip: Buffer): Promise<string> {
  const result = await unzipFile(zip, "result.json", limit);
  return "refused" in result ? result.refused : "accepted";
}

describe("an artifact's zip", () => {
  it("gives the one file it should hold", async () => {
    const result = await unzipFile(await makeZip({ "result.json": "{}" }), "result.json", limit);
    expect("bytes" in result ? result.bytes.toString() : result).toBe("{}");
  });

  it("that unpacks to exactly the limit is taken, one byte more is not", async () => {
    expect(await reasonOf(await makeZip({ "result.json": "x".repeat(limit) }))).toBe("accepted");
    expect(await reasonOf(await makeZip({ "result.json": "x".repeat(limit + 1) }))).toContain("more than 1000 bytes");
  });

  it("that is a bomb is not unpacked, whatever size it announces", async () => {
    const bomb = await makeZip({ "result.json": Buffer.alloc(50_000_000) });
    expect(bomb.length).toBeLessThan(100_000);
    expect(await reasonOf(bomb)).toContain("more than 1000 bytes");
    expect(await reasonOf(announceSize(bomb, 10))).toMatch(/no sound zip|more than 1000 bytes/u);
  });

  it.each([
    ["a second file", async () => makeZip({ "result.json": "{}", "other.txt": "x" }), "2 files"],
    ["another file", async () => makeZip({ "result.txt": "x" }), "does not hold"],
    ["no file", async () => makeZip({}), "0 files"],
    [
      "a path out of its folder",
      async () => renameEntry(await makeZip({ "result.json": "{}" }), "result.json", "../esult.js"),
      "no sound zip",
    ],
    ["not even a zip", async () => Buffer.from("<html>not here</html>"), "no sound zip"],
    ["half a zip", async () => (await makeZip({ "result.json": "x".repeat(500) })).subarray(0, 60), "no sound zip"],
  ])("that holds %s is refused", async (_what, make, reason) => {
    expect(await reasonOf(await make())).toContain(reason);
  });

  it("whose content was changed is refused", async () => {
    const stored = await makeZip({ "result.json": "{}" });
    const at = stored.indexOf(Buffer.from("PK\u0001\u0002", "latin1")) + 16;
    stored[at] = (stored[at] ?? 0) ^ 0xff;
    expect(await reasonOf(stored)).toContain("checksum");
  });
});
