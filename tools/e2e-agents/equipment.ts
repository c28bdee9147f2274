/** Whether skills and MCP servers really reach a program's model. */
import { fileURLToPath } from "node:url";
import { answerAside } from "./answer-aside.ts";
import type { ModelRequest } from "./brain.ts";
import { callAgent } from "./call-agent.ts";
import { startListener } from "./listen.ts";
import type { FakeModel, ProgramUnderTest } from "./programs.ts";

const SKILL = "house-style";
const WORD = "swordfish-e2e";
const TEXT = `---
name: ${SKILL}
description: How this house writes its code. Use it before writing any file.
---

Indent by two.
`;
const EQUIPMENT = {
  skills: { [SKILL]: TEXT },
  mcps: [
    {
      name: "sample",
      command: process.execPath,
      args: [fileURLToPath(new URL("sample-server.mjs", import.meta.url))],
      env: { SAMPLE_WORD: WORD },
    },
  ],
};

/** @returns one line: what the provider was told, and whether a call of the server's tool came back; wrong: it was not told. */
export async function playEquipment(
  program: ProgramUnderTest,
  model: FakeModel,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly line: string; readonly wrong: boolean }> {
  const listener = await startListener();
  try {
    await callAgent(program, { ...env, ...program.env(listener.url) }, EQUIPMENT);
  } finally {
    await listener.stop();
  }
  const heard = listener.heard();
  const say = (yes: boolean): string => (yes ? "yes" : "NO");
  const skill = heard.includes(SKILL);
  const server = heard.includes("password");
  const tool = await callTool(program, model, env);
  const line = `equipment: skill told ${say(skill)}, MCP tool told ${say(server)}, called through the fake model ${tool}`;
  return { line, wrong: !skill || !server };
}

async function callTool(
  program: ProgramUnderTest,
  model: FakeModel,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  let called = "";
  let answered = "no";
  model.clearFixtures();
  model.on({ predicate: () => true }, (request: ModelRequest) => {
    if (JSON.stringify(request.messages).includes(`the word is ${WORD}`)) answered = "yes";
    const aside = answerAside(request);
    if (aside !== null) return aside;
    const names = (request.tools ?? []).flatMap((tool) => tool.function?.name ?? []);
    const tool = names.find((name) => name.endsWith("password"));
    const done = JSON.stringify({ summary: "Done." });
    if (tool !== undefined && called === "") {
      called = tool;
      return { toolCalls: [{ name: tool, arguments: "{}" }] };
    }
    return names.includes("StructuredOutput")
      ? { toolCalls: [{ name: "StructuredOutput", arguments: done }] }
      : { content: done };
  });
  await callAgent(program, env, EQUIPMENT);
  return called === "" ? "not possible (it shows the tool in a form the fake model does not know)" : answered;
}
