/** One line of what a push asks for. */
export interface PushCommand {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

function parseOid(text: string): string | null {
  return /^0+$/.test(text) ? null : text;
}

/**
 * Reads the ref commands at the head of a receive-pack request (pkt-lines up to the flush packet).
 * https://git-scm.com/docs/pack-protocol#_reference_update_request_and_packfile_transfer
 */
export function parsePushCommands(body: Uint8Array): PushCommand[] {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const commands: PushCommand[] = [];
  for (let at = 0; at + 4 <= buffer.length;) {
    const length = Number.parseInt(buffer.toString("latin1", at, at + 4), 16);
    if (!(length >= 4)) break;
    const line = buffer.toString("utf8", at + 4, at + length).split("\0")[0] ?? "";
    const found = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (\S+)/.exec(line);
    if (found !== null) {
      commands.push({ name: found[3] ?? "", before: parseOid(found[1] ?? ""), after: parseOid(found[2] ?? "") });
    }
    at += length;
  }
  return commands;
}
