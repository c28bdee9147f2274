import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { deriveRequiredPermissions, REQUIRED_EVENTS } from "../../src/github/permissions.ts";

interface Manifest {
  readonly default_permissions: Readonly<Record<string, string>>;
  readonly default_events: readonly string[];
  readonly hook_attributes?: unknown;
}

const text = readFileSync("app.yml", "utf8");
const manifest = parse(text) as Manifest;

describe("the App's manifest", () => {
  it("asks for exactly the permissions that the App's operations need", () => {
    expect(manifest.default_permissions).toEqual(deriveRequiredPermissions());
  });

  it("never asks to write workflow files or to administer", () => {
    for (const name of ["workflows", "administration", "secrets", "members", "environments"]) {
      expect(manifest.default_permissions).not.toHaveProperty(name);
    }
  });

  it("subscribes to exactly the events that the App listens to", () => {
    expect(manifest.default_events.toSorted((a, b) => a.localeCompare(b))).toEqual([...REQUIRED_EVENTS]);
  });

  it("says why, for each permission and event", () => {
    const lines = text.split("\n");
    const asked = [...Object.keys(manifest.default_permissions), ...manifest.default_events];
    for (const name of asked) {
      const at = lines.findIndex((line) => line.trim() === `- ${name}` || line.startsWith(`  ${name}:`));
      expect(lines[at - 1]?.trim()).toMatch(/^#/u);
    }
  });

  it("leaves the webhook's address to the place where the App runs", () => {
    expect(manifest.hook_attributes).toBeUndefined();
  });
});
