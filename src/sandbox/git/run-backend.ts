import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { buildGitEnvironment } from "./run-git.ts";

export interface BackendRequest {
  readonly projectRoot: string;
  /** Path below the project root, e.g. `/1.git/info/refs`. */
  readonly pathInfo: string;
  readonly method: string;
  readonly query: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly gitProtocol: string;
  readonly remoteUser: string;
  readonly body: Uint8Array;
  /** For the hooks. */
  readonly environment: Readonly<Record<string, string>>;
}

function buildEnvironment(request: BackendRequest): Record<string, string> {
  return buildGitEnvironment({
    GIT_PROJECT_ROOT: request.projectRoot,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: request.pathInfo,
    REQUEST_METHOD: request.method,
    QUERY_STRING: request.query,
    CONTENT_TYPE: request.contentType,
    CONTENT_LENGTH: String(request.body.byteLength),
    HTTP_CONTENT_ENCODING: request.contentEncoding,
    GIT_PROTOCOL: request.gitProtocol,
    REMOTE_USER: request.remoteUser,
    REMOTE_ADDR: "127.0.0.1",
    ...request.environment,
  });
}

function parseHead(head: string): { readonly status: number; readonly headers: Headers } {
  const headers = new Headers();
  let status = 200;
  for (const line of head.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon < 0) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === "status") status = Number(value.slice(0, 3));
    else headers.set(name, value);
  }
  return { status, headers };
}

function findHeadEnd(buffer: Buffer): { readonly end: number; readonly next: number } | null {
  const crlf = buffer.indexOf("\r\n\r\n");
  if (crlf >= 0) return { end: crlf, next: crlf + 4 };
  const lf = buffer.indexOf("\n\n");
  return lf >= 0 ? { end: lf, next: lf + 2 } : null;
}

/**
 * Speaks git's smart HTTP through `git http-backend` (CGI). The answer streams; `ended` resolves when the
 * process is gone, which for a push is when the refs have moved.
 */
export async function runBackend(
  request: BackendRequest,
): Promise<{ readonly response: Response; readonly ended: Promise<void> }> {
  const child = spawn("git", ["http-backend"], { env: buildEnvironment(request), stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise<void>((resolve, reject) => {
    child.on("close", () => resolve());
    child.on("error", reject);
  });
  child.stdin.on("error", () => {});
  child.stdin.end(request.body);
  const { promise: head, resolve, reject } = Promise.withResolvers<{ head: string; rest: Buffer }>();
  let buffer: Buffer = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    const split = findHeadEnd(buffer);
    if (split === null) return;
    child.stdout.off("data", onData);
    child.stdout.pause();
    resolve({ head: buffer.subarray(0, split.end).toString(), rest: buffer.subarray(split.next) });
  };
  child.stdout.on("data", onData);
  child.stdout.on("end", () => reject(new Error("git http-backend ended without an answer")));
  const { head: text, rest } = await head;
  const { status, headers } = parseHead(text);
  if (rest.length > 0) child.stdout.unshift(rest);
  const body = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  return { response: new Response(body, { status, headers }), ended };
}
