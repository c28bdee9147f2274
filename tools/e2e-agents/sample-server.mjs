/** The smallest MCP server over standard input and output: one tool, which says a word only its starter knows. */
import { createInterface } from "node:readline";

const answers = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "sample", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [{ name: "password", description: "Says the word.", inputSchema: { type: "object", properties: {} } }],
  }),
  "tools/call": () => ({ content: [{ type: "text", text: `the word is ${process.env.SAMPLE_WORD}` }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const body =
    answer === undefined ? { error: { code: -32601, message: "no such method" } } : { result: answer(params) };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
}
