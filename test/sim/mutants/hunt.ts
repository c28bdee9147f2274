/**
 * Plays seeds until one fails: `hunt.ts FROM COUNT`. A story that does not come to an end in real time fails, too.
 * The last line says what came of it, see {@link Hunted}.
 */
import { Worker, isMainThread, parentPort } from "node:worker_threads";

export type Hunted =
  | { readonly outcome: "caught"; readonly seed: number; readonly failure: string }
  | { readonly outcome: "all well" }
  /** The source cannot even be loaded: that says nothing about the stories. */
  | { readonly outcome: "unloadable"; readonly why: string };

type Message =
  | { readonly kind: "loaded" }
  | { readonly kind: "played"; readonly seed: number; readonly failure: string | null }
  | { readonly kind: "over" };

/** Of the processor's time, whatever else the machine does: a large story takes some seconds. */
const MOST_CPU_MS = 90_000;

const [from = 1, count = 2_000] = process.argv.slice(2).map(Number);

if (isMainThread) hunt();
else await play();

function hunt(): void {
  const worker = new Worker(new URL(import.meta.url), { argv: [from, count] });
  /** The seed that is being played; null while the source is being loaded. */
  let seed: number | null = null;
  let begun = process.cpuUsage();
  const end = (hunted: Hunted): void => {
    console.log(JSON.stringify(hunted));
    process.exit(0);
  };
  const fail = (why: string): void =>
    end(seed === null ? { outcome: "unloadable", why } : { outcome: "caught", seed, failure: why });
  setInterval(() => {
    const { user, system } = process.cpuUsage(begun);
    if ((user + system) / 1000 >= MOST_CPU_MS) fail("it never ends");
  }, 2_000);
  worker.on("message", (message: Message) => {
    begun = process.cpuUsage();
    switch (message.kind) {
      case "loaded":
        seed = from;
        return;
      case "played":
        if (message.failure !== null) end({ outcome: "caught", seed: message.seed, failure: message.failure });
        seed = message.seed + 1;
        return;
      case "over":
        end({ outcome: "all well" });
    }
  });
  worker.on("error", (error) => fail(String(error).split("\n")[0] ?? ""));
  worker.on("exit", (code) => fail(`the worker ended with ${code}`));
}

/** In the worker, so that a source that spins can be given up; nothing of it is loaded outside. */
async function play(): Promise<void> {
  const { buildScenario } = await import("../scenario.ts");
  const { describeFailure } = await import("../shrink.ts");
  const { simulate } = await import("../simulate.ts");
  // A worker's port has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const tell = (message: Message): void => parentPort?.postMessage(message);
  tell({ kind: "loaded" });
  for (let seed = from; seed < from + count; seed += 1) {
    const failure = describeFailure(await simulate(buildScenario(seed)));
    tell({ kind: "played", seed, failure });
    if (failure !== null) return;
  }
  tell({ kind: "over" });
}
