/** Deliberate bugs: each is a patch to the real source in a temporary copy, and the net must find it. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

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

/** @throws when a patch does not apply any more: the net would look finer than it is. */
export async function runMutants(options: {
  readonly seeds: number;
  readonly tell: (line: string) => void;
  /** Names of the mutants to hunt; all when empty. */
  readonly only: readonly string[];
}): Promise<MutantResult> {
  const names = listMutants().filter((name) => options.only.length === 0 || options.only.includes(name));
  const waiting = [...names];
  const missed: string[] = [];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const seed = await findSeed(name, options.seeds).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
      options.tell(`${readArea(name)}/${name}: ${seed === null ? "MISSED" : `caught (${seed})`}`);
      if (seed === null) missed.push(name);
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

/** The first failing seed of the mutated source, or null. */
async function findSeed(name: string, seeds: number): Promise<string | null> {
  const folder = mkdtempSync(path.join(tmpdir(), `taskfleet-mutant-`));
  try {
    for (const part of ["src", "test/sim", "tools", "package.json"])
      cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    const patch = path.join(patches, `${name}.patch`);
    const applied = spawnSync("git", ["apply", "--recount", patch], { cwd: folder, encoding: "utf8" });
    if (applied.status !== 0) throw new Error(`the mutant ${name} does not apply any more: ${applied.stderr.trim()}`);
    return await hunt(folder, seeds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hunt(folder: string, seeds: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["test/sim/mutants/hunt.ts", `${seeds}`], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (part: Buffer) => (output += part.toString()));
    child.on("error", reject);
    child.on("exit", () => {
      const match = /^caught (.+)$/mu.exec(output);
      if (match !== null) resolve(match[1] ?? "");
      else if (output.includes("all well")) resolve(null);
      // Source that cannot even be loaded says nothing about the net.
      else reject(new Error(`the mutant in ${folder} does not run`));
    });
  });
}
