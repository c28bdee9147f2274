/**
 * Deliberate bugs: each is a patch to the real source in a temporary copy, and the net must find it. The seed that
 * finds it is played on the source without the patch as well, where it must pass: a net that always cries catches nothing.
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Hunted } from "./hunt.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const patches = fileURLToPath(new URL("./", import.meta.url));
const AT_ONCE = 2;

export interface MutantResult {
  readonly mutants: number;
  readonly caught: number;
  readonly missed: readonly string[];
  /** By the part of the rules a mutant breaks. */
  readonly areas: Readonly<Record<string, { readonly mutants: number; readonly caught: number }>>;
}

export function listMutants(): readonly string[] {
  return readdirSync(patches)
    .filter((name) => name.endsWith(".patch"))
    .map((name) => name.slice(0, -".patch".length))
    .sort();
}

/** A patch begins with the area it belongs to. */
function readArea(name: string): string {
  const area = /^Area: (\S+)$/mu.exec(readFileSync(path.join(patches, `${name}.patch`), "utf8"))?.[1];
  if (area === undefined) throw new Error(`the mutant ${name} does not say which area it belongs to`);
  return area;
}

/**
 * @throws when a patch does not apply any more or its source cannot be loaded, or when the seed that finds a mutant
 * fails without it, too: the net would look finer than it is.
 */
export async function runMutants(options: {
  readonly seeds: number;
  readonly tell: (line: string) => void;
  /** Names of the mutants to hunt; all when empty. */
  readonly only: readonly string[];
  /** Where the source is that they are patches to; the repository when absent. */
  readonly source?: string;
}): Promise<MutantResult> {
  const names = listMutants().filter((name) => options.only.length === 0 || options.only.includes(name));
  // Taken once, so that all are held against the same source whatever is edited meanwhile.
  const clean = copySource(options.source);
  try {
    return await huntAll(names, clean, options);
  } finally {
    rmSync(clean, { recursive: true, force: true });
  }
}

async function huntAll(
  names: readonly string[],
  clean: string,
  options: Pick<Parameters<typeof runMutants>[0], "seeds" | "tell">,
): Promise<MutantResult> {
  const waiting = [...names];
  const missed: string[] = [];
  const judge = createControl(clean);
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const found = await huntOne(name, clean, options.seeds, judge).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
      options.tell(`${readArea(name)}/${name}: ${found === null ? "MISSED" : `caught (${found})`}`);
      if (found === null) missed.push(name);
    }
  };
  // All hunts end before the first that could not run is told: none is left behind with its folder.
  const hunts = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const broken = hunts.find((one) => one.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  const areas: Record<string, { mutants: number; caught: number }> = {};
  for (const name of names) {
    const area = (areas[readArea(name)] ??= { mutants: 0, caught: 0 });
    area.mutants += 1;
    if (!missed.includes(name)) area.caught += 1;
  }
  return { mutants: names.length, caught: names.length - missed.length, missed, areas };
}

/** What a story needs of the repository, in a folder that whoever asks for it removes. */
export function copySource(source: string = root): string {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-mutant-"));
  for (const part of ["src", "test/sim", "package.json"])
    cpSync(path.join(source, part), path.join(folder, part), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return folder;
}

/** Plays a seed on the source without any mutant; what came of it is kept. */
type Control = (seed: number) => Promise<Hunted>;

function createControl(clean: string): Control {
  const known = new Map<number, Promise<Hunted>>();
  return (seed) => {
    const result = known.get(seed) ?? hunt(clean, seed, 1);
    known.set(seed, result);
    return result;
  };
}

/** What the first failing seed of the mutated source found, or null. */
async function huntOne(name: string, clean: string, seeds: number, judge: Control): Promise<string | null> {
  const folder = copySource(clean);
  try {
    const patch = path.join(patches, `${name}.patch`);
    const applied = spawnSync("git", ["apply", "--recount", patch], { cwd: folder, encoding: "utf8" });
    if (applied.status !== 0) throw new Error(`the mutant ${name} does not apply any more: ${applied.stderr.trim()}`);
    const hunted = await hunt(folder, 1, seeds);
    if (hunted.outcome === "all well") return null;
    if (hunted.outcome === "unloadable") throw new Error(`the mutant ${name} cannot be loaded: ${hunted.why}`);
    const { seed, failure } = hunted;
    const control = await judge(seed);
    if (control.outcome === "all well") return `seed ${seed}: ${failure}`;
    const why = control.outcome === "caught" ? control.failure : control.why;
    throw new Error(
      `seed ${seed} fails on the source as it is, too (${why}): it says nothing about the mutant ${name}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hunt(folder: string, from: number, count: number): Promise<Hunted> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["test/sim/mutants/hunt.ts", `${from}`, `${count}`], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (part: Buffer) => (output += part.toString()));
    child.on("error", reject);
    child.on("close", (code) => {
      const last = output.trim().split("\n").at(-1) ?? "";
      if (last.startsWith("{")) resolve(JSON.parse(last) as Hunted);
      else reject(new Error(`the hunt in ${folder} ended with ${code} and said nothing`));
    });
  });
}
