/** Run as a process of its own: stores deliveries without end and prints each GUID once it is acknowledged. */
import { writeSync } from "node:fs";
import { openStore } from "../../src/store/open-store.ts";

const [place] = process.argv.slice(2);
const store = await openStore(place?.startsWith("postgres:") === true ? { url: place } : { file: place ?? ":memory:" });
const payload = JSON.stringify({ text: "x".repeat(5000) });
async function put(guid: string): Promise<void> {
  await store.putDelivery({ guid, event: "push", payload, receivedAt: 1 });
  writeSync(1, `${guid}\n`);
}
for (let round = 0; ; round += 1) {
  await Promise.all(Array.from({ length: 20 }, (_, n) => put(`${round}-${n}`)));
}
