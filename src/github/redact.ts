/**
 * GitHub's tokens in all their forms (`ghp_…`, `github_pat_…`, `ghs_<app>_<jwt>` of some 520
 * characters: no fixed length), JWTs, authorization headers, passwords in addresses, keys in PEM.
 */
const secrets: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu, "[private key]"],
  [/\b(?:gh[a-z]_|github_pat_)[A-Za-z0-9_.-]+/gu, "[token]"],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)?/gu, "[token]"],
  [/\b(bearer|token|basic)\s+[A-Za-z0-9+/=_.~-]{16,}/giu, "$1 [token]"],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]*:[^\s/@]*@/giu, "$1[token]@"],
  [/([?&](?:access_token|token|sig|signature|client_secret|X-Amz-[A-Za-z-]+)=)[^&\s"']+/giu, "$1[token]"],
];

/** A text without anything that opens a door; for errors and logs. */
export function redact(text: string): string {
  return secrets.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);
}
