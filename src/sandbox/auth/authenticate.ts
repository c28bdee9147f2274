import { HttpProblem } from "../http-problem.ts";
import type { Actor } from "../state/actor.ts";
import type { World } from "../state/world.ts";
import { looksLikeJwt, readIssuer, verifyAppJwt } from "./verify-app-jwt.ts";

function parseCredentials(header: string): string | null {
  const bearer = /^(?:bearer|token) +(\S+)$/i.exec(header.trim());
  if (bearer !== null) return bearer[1] ?? null;
  const basic = /^basic +(\S+)$/i.exec(header.trim());
  if (basic === null) return null;
  const [user = "", ...rest] = Buffer.from(basic[1] ?? "", "base64")
    .toString()
    .split(":");
  const password = rest.join(":");
  // git sends `x-access-token:TOKEN`; a token as user name without password works too.
  return password === "" || password === "x-oauth-basic" ? user : password;
}

/** Turns an Authorization header into the actor behind it; throws 401 for anything that does not hold. */
export function authenticate(world: World, header: string | undefined): Actor {
  if (header === undefined) return { kind: "anonymous" };
  const credentials = parseCredentials(header);
  if (credentials === null) throw new HttpProblem(401, "Bad credentials");
  const token = world.tokens.get(credentials);
  if (token === undefined && looksLikeJwt(credentials)) {
    const issuer = readIssuer(credentials);
    const app = world.otherApps.find(({ id, clientId }) => issuer === String(id) || issuer === clientId) ?? world.app;
    verifyAppJwt(app, credentials, world.authNow());
    return { kind: "app", app };
  }
  if (token === undefined || token.revoked || (token.expiresAt !== null && token.expiresAt <= world.authNow())) {
    throw new HttpProblem(401, "Bad credentials");
  }
  const { actor } = token;
  if (actor.kind === "installation") {
    const installation = world.installations.get(actor.installationId);
    if (installation === undefined) throw new HttpProblem(401, "Bad credentials");
    if (installation.suspendedAt !== null) throw new HttpProblem(403, "This installation has been suspended");
  }
  return actor;
}
