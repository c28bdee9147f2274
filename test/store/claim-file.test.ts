import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { claimFile } from "../../src/store/claim-file.ts";
import { openStore } from "../../src/store/open-store.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-claim-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a database file that one process serves", () => {
  it("is refused to a second one, in words for the operator, until the first is done", () => {
    const file = path.join(folder, "a.db");
    const claim = claimFile(file);
    expect(() => claimFile(file)).toThrow(`Another process of Taskfleet serves ${file}`);
    claim.release();
    claimFile(file).release();
  });

  it("makes what a killed process had taken due at once for the next one", async () => {
    const file = path.join(folder, "a.db");
    const killed = await openStore({ file });
    await killed.putDue("run:1:a", 100, ["push"]);
    await killed.takeDue(100, 60_000);
    const next = await openStore({ file, processes: "one" });
    expect(await next.takeDue(200, 60_000)).toMatchObject({ key: "run:1:a", hints: ["push"] });
    await next.close();
    await killed.close();
  });

  it("leaves leases alone where several processes share it", async () => {
    const file = path.join(folder, "a.db");
    const busy = await openStore({ file });
    await busy.putDue("run:1:a", 100);
    await busy.takeDue(100, 60_000);
    const other = await openStore({ file });
    expect(await other.takeDue(200, 60_000)).toBeNull();
    await other.close();
    await busy.close();
  });

  it("is free again after a store was closed or could not be opened", async () => {
    const file = path.join(folder, "a.db");
    await (await openStore({ file, processes: "one" })).close();
    await (await openStore({ file, processes: "one" })).close();
    const broken = path.join(folder, "b.db");
    writeFileSync(broken, "this is no database, and it is long enough to be read as one".repeat(20));
    await expect(openStore({ file: broken, processes: "one" })).rejects.toThrow("damaged");
    claimFile(broken).release();
  });
});
