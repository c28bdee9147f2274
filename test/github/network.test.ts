/** What happens below HTTP, on a real socket: connections that break, answers that never come. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseSha } from "../../src/contracts/ids.ts";
import { createGitHubPort } from "../../src/github/octokit-port.ts";
import type { RepositoryPort } from "../../src/github/port.ts";
import { failureOf, PRIVATE_KEY, sha, TOKEN } from "./stage-parts.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let repository: RepositoryPort;
let handlers: Handler[];
let seen: string[];

function reply(status: number, data: unknown): Handler {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(data));
  };
}

const hangUp: Handler = (request) => request.socket.destroy();
const keepSilent: Handler = () => undefined;
const breakOff: Handler = (request, response) => {
  response.writeHead(201, { "content-type": "application/json", "content-length": "500" });
  response.write('{"id": 1, "html_u', () => request.socket.destroy());
};

beforeEach(async () => {
  handlers = [];
  seen = [];
  server = createServer((request, response) => {
    if (request.url?.endsWith("/access_tokens") === true) {
      reply(201, { token: TOKEN, expires_at: "2099-01-01T00:00:00Z", permissions: {} })(request, response);
      return;
    }
    seen.push(`${request.method} ${request.url}`);
    request.resume();
    request.on("end", () => (handlers.shift() ?? reply(501, { message: "not expected" }))(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  repository = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`);
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function connect(baseUrl: string): RepositoryPort {
  const port = createGitHubPort({
    appId: 7,
    privateKey: PRIVATE_KEY,
    baseUrl,
    requestTimeoutMs: 250,
    pausesMs: [1, 1],
  });
  return port.repository({ id: 99, owner: "octo", name: "shop", installationId: 5 });
}

describe("on the network", () => {
  it("a branch is created although the first answer never came", async () => {
    const tip = parseSha(sha("a"));
    handlers = [
      hangUp,
      reply(422, { message: "Reference already exists" }),
      reply(200, { ref: "refs/heads/x", object: { sha: tip, type: "commit" } }),
    ];
    await repository.createBranch("x", tip);
    expect(seen).toHaveLength(3);
  });

  it.each([
    ["breaks before the answer", hangUp],
    ["breaks in the middle of the answer", breakOff],
    ["stays silent", keepSilent],
  ])("a comment whose connection %s may be there, and is not sent again", async (_how, handler) => {
    handlers = [handler, reply(201, { id: 2, html_url: "" })];
    expect(await failureOf(repository.createComment(7, "hi"))).toMatchObject({
      kind: "transient",
      details: { ambiguous: true },
    });
    expect(seen).toEqual(["POST /api/v3/repos/octo/shop/issues/7/comments"]);
  });

  it("a read whose answer breaks off is read again", async () => {
    handlers = [
      breakOff,
      reply(200, { sha: sha("b"), content: Buffer.from("hello").toString("base64"), encoding: "base64" }),
    ];
    expect(Buffer.from(await repository.loadBlob(parseSha(sha("b")))).toString()).toBe("hello");
  });

  it("a server that is not there has done nothing", async () => {
    const nowhere = connect("http://127.0.0.1:1/api/v3");
    expect(await failureOf(nowhere.createComment(7, "hi"))).toMatchObject({
      kind: "transient",
      details: { ambiguous: false },
    });
  });

  it("GraphQL goes to the server's own address", async () => {
    handlers = [reply(200, { data: { markPullRequestReadyForReview: { pullRequest: { isDraft: false } } } })];
    await repository.markReady("PR_1");
    expect(seen).toEqual(["POST /api/graphql"]);
  });
});
