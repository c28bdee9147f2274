/**
 * Deliberate bugs: each is a patch to the real source in a temporary copy, and the net must find it. The seed that
 * finds it is played on the source without the patch as well, where it must pass: a net that always cries catches nothing.
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

function locatePatch(name: string): string {
  return path.join(patches, `${name}.patch`);
}

/** A patch begins with the area it belongs to. */
function readArea(name: string): string {
  const area = /^Area: (\S+)$/mu.exec(readFileSync(locatePatch(name), "utf8"))?.[1];
  if (area === undefined) throw new Error(`the mutant ${name} does not say which area it belongs to`);
  return area;
}

/** Below it may stand the seed that caught it last: it is played first, and the others only when it catches nothing any more. */
function readSeed(name: string): number | null {
  const seed = /^Seed: (\d+)$/mu.exec(readFileSync(locatePatch(name), "utf8"))?.[1];
  return seed === undefined ? null : Number(seed);
}

function noteSeed(name: string, seed: number): void {
  const text = readFileSync(locatePatch(name), "utf8").replace(/^Seed: \d+\n/mu, "");
  writeFileSync(
    locatePatch(name),
    text.replace(/^Area: .*\n/mu, (area) => `${area}Seed: ${seed}\n`),
  );
}

interface Catch {
  readonly seed: number;
  readonly failure: string;
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
  /** Whether the seeds that caught are written into the patches. */
  readonly seedsAre?: "noted" | "told";
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
  options: Pick<Parameters<typeof runMutants>[0], "seeds" | "tell" | "seedsAre">,
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
      const said = found === null ? "MISSED" : `caught (seed ${found.seed}: ${found.failure})`;
      options.tell(`${readArea(name)}/${name}: ${said}`);
      if (found === null) missed.push(name);
      else if (options.seedsAre === "noted") noteSeed(name, found.seed);
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

/** A seed that fails on the mutated source and not without it, or null. */
async function huntOne(name: string, clean: string, seeds: number, judge: Control): Promise<Catch | null> {
  const folder = copySource(clean);
  try {
    const patch = locatePatch(name);
    const applied = spawnSync("git", ["apply", "--recount", patch], { cwd: folder, encoding: "utf8" });
    if (applied.status !== 0) throw new Error(`the mutant ${name} does not apply any more: ${applied.stderr.trim()}`);
    const noted = readSeed(name);
    const first = noted === null || noted > seeds ? null : await hunt(folder, noted, 1);
    const hunted = first === null || first.outcome === "all well" ? await hunt(folder, 1, seeds) : first;
    if (hunted.outcome === "all well") return null;
    if (hunted.outcome === "unloadable") throw new Error(`the mutant ${name} cannot be loaded: ${hunted.why}`);
    const { seed, failure } = hunted;
    const control = await judge(seed);
    if (control.outcome === "all well") return { seed, failure };
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
