/**
 * Whether two toolchain fingerprints are the same as far as results depend on them: same words,
 * same major and minor version; the patch may differ. Fingerprints without a version must be equal.
 */
export function compareToolchains(was: string, now: string): "same" | "different" {
  const before = parseToolchain(was);
  const after = parseToolchain(now);
  if (before === null || after === null) return was.trim() === now.trim() ? "same" : "different";
  return before.name === after.name && before.major === after.major && before.minor === after.minor
    ? "same"
    : "different";
}

interface Toolchain {
  readonly name: string;
  readonly major: string;
  readonly minor: string;
}

/** The first dotted number of the first line is the version; what stands before it is the name. */
function parseToolchain(fingerprint: string): Toolchain | null {
  const line = fingerprint.trim().split("\n", 1)[0] ?? "";
  const match = /^(.*?)[vV]?([0-9]+)\.([0-9]+)(?:\.[0-9][0-9A-Za-z.+-]*)?(?![0-9.])/u.exec(line);
  if (match === null) return null;
  const [, name = "", major = "", minor = ""] = match;
  return { name: name.trim(), major, minor };
}
