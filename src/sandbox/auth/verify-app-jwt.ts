import { verify } from "node:crypto";
import { HttpProblem } from "../http-problem.ts";
import type { RegisteredApp } from "../state/app.ts";

const MAX_LIFETIME_SECONDS = 600;
/** How far the caller's clock may run ahead. */
const CLOCK_DRIFT_SECONDS = 60;

function parsePart(part: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? "", "base64url").toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** True for text that has a JWT's three parts; whether it holds is another matter. */
export function looksLikeJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token) && parsePart(token.split(".")[0]) !== null;
}

/** Who a JWT says it is from; nothing is verified. */
export function readIssuer(token: string): string {
  const issuer = parsePart(token.split(".")[1])?.["iss"];
  return typeof issuer === "number" || typeof issuer === "string" ? `${issuer}` : "";
}

/**
 * Verifies an App's JSON web token (RS256, `iss` is the App's id or client id, `exp` at most ten minutes
 * ahead) or throws the 401 GitHub answers.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
export function verifyAppJwt(app: RegisteredApp, token: string, now: number): void {
  const [head, body, signature] = token.split(".");
  const header = parsePart(head);
  const claims = parsePart(body);
  const signed = Buffer.from(`${head}.${body}`);
  if (header === null || claims === null || header["alg"] !== "RS256") {
    throw new HttpProblem(401, "A JSON web token could not be decoded");
  }
  if (!verify("RSA-SHA256", signed, app.publicKey, Buffer.from(signature ?? "", "base64url"))) {
    throw new HttpProblem(401, "A JSON web token could not be decoded");
  }
  const { iss, iat, exp } = claims;
  const seconds = Math.floor(now / 1000);
  if (String(iss) !== String(app.id) && iss !== app.clientId) throw new HttpProblem(404, "Integration not found");
  if (typeof exp !== "number" || exp <= seconds) {
    throw new HttpProblem(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (exp > seconds + MAX_LIFETIME_SECONDS + CLOCK_DRIFT_SECONDS) {
    throw new HttpProblem(401, "'Expiration time' claim ('exp') is too far in the future");
  }
  if (typeof iat !== "number" || iat > seconds + CLOCK_DRIFT_SECONDS) {
    throw new HttpProblem(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
}
