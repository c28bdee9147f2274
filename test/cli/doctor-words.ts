/** What the doctor's tests say of findings, and a key for one of them. */
import { generateKeyPairSync } from "node:crypto";
import type { Finding } from "../../src/cli/doctor/finding.ts";

/** What is not ok, as `level check: what`. */
export function complaints(findings: readonly Finding[]): readonly string[] {
  return findings
    .filter(({ level }) => level !== "ok")
    .map((finding) => `${finding.level} ${finding.check}: ${finding.what}`);
}

/** A key that GitHub knows nothing of. */
export function strangersKey(): string {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  }).privateKey;
}
