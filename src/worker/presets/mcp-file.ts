import type { McpServer } from "./preset.ts";

/** The file of MCP servers several programs read. @param extra fields one of them wants on each server. */
export function formatMcpFile(mcps: readonly McpServer[], extra: Readonly<Record<string, unknown>> = {}): string {
  const servers = mcps.map(({ name, command, args, env }) => [name, { ...extra, command, args, env }] as const);
  return JSON.stringify({ mcpServers: Object.fromEntries(servers) });
}
