import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface GitServer {
  readonly url: string;
  /** The Authorization headers of all requests, in order. */
  readonly authorizations: string[];
  close(): Promise<void>;
}

/** Serves a repository with `git http-backend` to whoever brings the right basic credentials. */
export async function serveGit(repository: string, isAllowed: (authorization: string) => boolean): Promise<GitServer> {
  const authorizations: string[] = [];
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? "";
    authorizations.push(authorization);
    if (!isAllowed(authorization)) {
      response.writeHead(401, { "WWW-Authenticate": 'Basic realm="git"' }).end();
      return;
    }
    const url = new URL(request.url ?? "/", "http://localhost");
    const backend = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env["PATH"] ?? "",
        GIT_PROJECT_ROOT: repository,
        GIT_HTTP_EXPORT_ALL: "1",
        GIT_PROTOCOL: request.headers["git-protocol"]?.toString() ?? "",
        REQUEST_METHOD: request.method ?? "GET",
        PATH_INFO: url.pathname.replace(/^\/acme\/shop\.git/, "/.git"),
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      },
    });
    request.pipe(backend.stdin);
    const chunks: Buffer[] = [];
    backend.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    backend.on("close", () => {
      const output = Buffer.concat(chunks);
      const end = output.indexOf("\r\n\r\n");
      for (const line of output.subarray(0, end).toString().split("\r\n")) {
        const [name = "", value = ""] = line.split(": ");
        if (name === "Status") response.statusCode = Number(value.slice(0, 3));
        else response.setHeader(name, value);
      }
      response.end(output.subarray(end + 4));
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/acme/shop.git`,
    authorizations,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
