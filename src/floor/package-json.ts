/** `package.json` is judged by its parts: a new dependency is work, a changed `test` script is not. */

/** Keys that decide what is run and what counts. */
const validationKeys = [
  "scripts",
  "jest",
  "mocha",
  "ava",
  "tap",
  "c8",
  "nyc",
  "vitest",
  "eslintConfig",
  "eslintIgnore",
  "prettier",
  "stylelint",
  "husky",
  "lint-staged",
  "simple-git-hooks",
  "babel",
  "workspaces",
  "type",
  "imports",
  "overrides",
  "resolutions",
  "pnpm",
  "packageManager",
  "engines",
  "devEngines",
  "config",
  "catalog",
  "catalogs",
  "patchedDependencies",
  "trustedDependencies",
  "wireit",
  "nx",
  "xo",
  "standard",
] as const;

/**
 * The protected keys in which two versions of a `package.json` differ, or null when one of them
 * cannot be read (then the whole file is protected).
 */
export function diffValidationKeys(before: string | undefined, after: string | undefined): readonly string[] | null {
  const was = parseObject(before);
  const now = parseObject(after);
  if (was === null || now === null) return null;
  return validationKeys.filter((key) => JSON.stringify(was[key]) !== JSON.stringify(now[key]));
}

function parseObject(text: string | undefined): Readonly<Record<string, unknown>> | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text.replace(/^\u{FEFF}/u, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
