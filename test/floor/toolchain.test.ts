import { describe, expect, it } from "@jest/globals";
import { compareToolchains } from "../../src/floor/toolchain.ts";

describe("toolchain fingerprints", () => {
  it.each([
    ["node v24.22.3", "node v24.22.3", "same"],
    ["node v24.22.3", "node v24.22.9", "same"],
    ["node v24.22.3", "node v24.23.0", "different"],
    ["node v24.22.3", "node v25.22.3", "different"],
    ["node v24.22.3", "deno v24.22.3", "different"],
    ["go version go1.22.1 linux/amd64", "go version go1.22.9 linux/amd64", "same"],
    ["go version go1.22.1 linux/amd64", "go version go1.23.1 linux/amd64", "different"],
    ["rustc 1.75.0 (82e1608df 2023-12-21)", "rustc 1.75.1 (0000000 2024-01-01)", "same"],
    ["Python 3.11.7", "Python 3.12.0", "different"],
    ["Python 3.11", "Python 3.11.2", "same"],
    ['openjdk version "17.0.9" 2023', 'openjdk version "17.0.10" 2024', "same"],
    ["ubuntu24 20261102.1", "ubuntu24 20261109.1", "different"],
    ["nightly", "nightly", "same"],
    ["nightly", "nightly2", "different"],
    ["nightly", "node v24.22.3", "different"],
  ])("%s and %s are %s", (was, now, expected) => {
    expect(compareToolchains(was, now)).toBe(expected);
    expect(compareToolchains(now, was)).toBe(expected);
  });
});
