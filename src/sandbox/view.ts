import type { components } from "@octokit/openapi-types";
import type { World } from "./state/world.ts";

/** GitHub's published shape of an object. https://github.com/octokit/openapi-types.ts */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** What is needed to show state: the state and the addresses it is shown at. */
export interface View {
  readonly world: World;
  readonly urls: Urls;
}

export interface Urls {
  /** `http://localhost:<port>`, no trailing slash. */
  readonly html: string;
  /** Root of the REST API as on GitHub Enterprise Server: `<html>/api/v3`. */
  readonly api: string;
  readonly graphql: string;
}

export function buildUrls(origin: string): Urls {
  return { html: origin, api: `${origin}/api/v3`, graphql: `${origin}/api/graphql` };
}

/** GitHub's timestamps: UTC, whole seconds. */
export function formatTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

export function formatOptionalTime(at: number | null): string | null {
  return at === null ? null : formatTime(at);
}
