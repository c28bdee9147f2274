/** What becomes of a program whose provider fails it: a stand-in for the program, and a provider that answers as told. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { configSchema } from "../../src/contracts/config.ts";
import { type AgentAnswer, runAgent } from "../../src/worker/agents/run-agent.ts";

let folder: string;
let provider: Server;
let answers: ReadonlyArray<readonly [status: number, body: string]>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-provider-"));
  let asked = 0;
  provider = createServer((request, response) => {
    request.resume();
    const [status, body] = answers[Math.min(asked++, answers.length - 1)] ?? [500, ""];
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** A `claude` that asks its provider so many times and ends without a word. */
async function ask(times: number): Promise<AgentAnswer> {
  const bin = path.join(folder, "bin");
  for (const name of [bin, path.join(folder, "tree"), path.join(folder, "home")]) mkdirSync(name);
  const program = path.join(bin, "claude");
  writeFileSync(
    program,
    `#!${process.execPath}
(async () => {
  for (let n = 0; n < ${times}; n += 1)
    await (await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", {
      method: "POST", headers: { "x-api-key": process.env.ANTHROPIC_API_KEY }, body: "{}",
    })).text();
  process.exit(1);
})();
`,
  );
  chmodSync(program, 0o755);
  const [agent] = configSchema.parse({ agents: [{ name: "a", preset: "claude" }] }).agents;
  if (agent === undefined) throw new Error("there is no agent");
  const { port } = provider.address() as AddressInfo;
  return runAgent({
    request: {
      v: 1,
      role: "implement",
      job: "1-x/implement:x/1",
      commit: "c".repeat(40),
      prompt: "x",
      promptVersion: "x",
    },
    agent,
    model: "",
    cwd: path.join(folder, "tree"),
    home: path.join(folder, "home"),
    tools: null,
    equipment: { skills: [], mcps: [] },
    keys: new Map([["ANTHROPIC_API_KEY", "sk-real"]]),
    env: { PATH: `${bin}:/usr/bin:/bin`, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` },
    signal: new AbortController().signal,
  });
}

describe("a program that ends without a word", () => {
  it.each<readonly [string, number, string, string]>([
    ["was overloaded", 529, '{"error":{"type":"overloaded_error","message":"Overloaded"}}', "overloaded or down"],
    ["refused its key", 401, '{"error":{"message":"invalid x-api-key"}}', "the model key was refused"],
    ["limited it", 429, "{}", "usage limit is reached"],
    ["was down", 503, "", "overloaded or down"],
  ])("is not to blame when the provider %s last", async (_what, status, body, step) => {
    answers = [
      [200, "{}"],
      [status, body],
    ];
    expect(await ask(2)).toMatchObject({ kind: "external", cause: expect.stringContaining(step) });
  });

  it("is to blame when the provider answered it in the end, or found fault with its request", async () => {
    answers = [
      [529, "{}"],
      [200, "{}"],
    ];
    expect(await ask(2)).toMatchObject({ kind: "unusable" });
  });

  it("is to blame for a request the provider cannot read", async () => {
    answers = [[400, '{"error":{"message":"overloaded with fields"}}']];
    expect(await ask(1)).toMatchObject({ kind: "unusable" });
  });
});
