/** The programs under test: where they are, what they are told, and the fake model server they speak to. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalAgent } from "../../src/cli/local-agent/choose-agent.ts";

export interface ProgramUnderTest {
  readonly name: LocalAgent["preset"];
  /** "" = its own default. */
  readonly model: string;
  /** Environment that names the fake server, with a key it does not look at. */
  readonly env: (server: string) => Readonly<Record<string, string>>;
}

const folder = fileURLToPath(new URL(".", import.meta.url));

export const PROGRAMS: readonly ProgramUnderTest[] = [
  {
    name: "claude",
    model: "",
    env: (server) => ({ ANTHROPIC_BASE_URL: server, ANTHROPIC_API_KEY: "sk-ant-e2e-0000000000" }),
  },
  {
    name: "codex",
    // Its newest models are spoken to in a way the fake server does not know.
    model: "gpt-5",
    env: (server) => ({ OPENAI_BASE_URL: `${server}/v1`, OPENAI_API_KEY: "sk-e2e-0000000000" }),
  },
  {
    name: "opencode",
    model: "",
    env: (server) => ({ ANTHROPIC_BASE_URL: `${server}/v1`, ANTHROPIC_API_KEY: "sk-ant-e2e-0000000000" }),
  },
  {
    name: "gemini",
    model: "",
    env: (server) => ({ GOOGLE_GEMINI_BASE_URL: server, GEMINI_API_KEY: "e2e-0000000000" }),
  },
  {
    name: "copilot",
    // With a provider of one's own there is no default.
    model: "gpt-4.1",
    env: (server) => ({
      COPILOT_PROVIDER_BASE_URL: `${server}/v1`,
      COPILOT_OFFLINE: "true",
      COPILOT_GITHUB_TOKEN: "e2e-0000000000",
    }),
  },
];

/** Installs what package-lock.json names, once; more than a gigabyte. */
export function installPrograms(): void {
  if (existsSync(path.join(folder, "node_modules/@copilotkit/aimock"))) return;
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
}

/** A folder of links: a job's search path leaves out folders of npm projects. */
export function linkPrograms(bin: string): void {
  mkdirSync(bin, { recursive: true });
  for (const { name } of PROGRAMS) {
    const file = path.join(folder, "node_modules/.bin", name);
    if (existsSync(file)) symlinkSync(realpathSync(file), path.join(bin, name));
  }
}

export function readVersion(bin: string, name: string): string {
  try {
    return (
      execFileSync(path.join(bin, name), ["--version"], { encoding: "utf8", timeout: 60_000 }).trim().split("\n")[0] ??
      ""
    );
  } catch {
    return "does not start";
  }
}

/** What the tests use of `@copilotkit/aimock`. */
export interface FakeModel {
  readonly url: string;
  on(match: object, answer: unknown, options?: object): FakeModel;
  clearFixtures(): FakeModel;
  start(): Promise<unknown>;
  stop(): Promise<unknown>;
}

export async function startFakeModel(): Promise<FakeModel> {
  // Of this folder alone, and so not known to the compiler.
  const file = new URL("node_modules/@copilotkit/aimock/dist/index.js", import.meta.url).href;
  const { LLMock } = (await import(file)) as { LLMock: new (options: object) => FakeModel };
  const model = new LLMock({ port: 0, logLevel: "silent" });
  await model.start();
  return model;
}
