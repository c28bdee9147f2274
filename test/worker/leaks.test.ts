import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { findLeaks, redact } from "../../src/worker/leaks.ts";

const key = "sk-ant-api03-Zq7+xK/9dF_2pLm";
const secrets = new Map([["ANTHROPIC_API_KEY", key]]);
const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");
const reversed = key.split("").toReversed().join("");

describe("a key in what leaves a job", () => {
  it.each([
    ["plain", `token: ${key}`],
    ["in base64", base64(key)],
    ["in base64 within a longer text", base64(`a${key}bc`)],
    ["in base64 within a longer text, at another offset", base64(`ab${key}`)],
    ["in base64 for addresses", Buffer.from(key, "utf8").toString("base64url")],
    ["in base64 over several lines", base64(`xx${key}`).replaceAll(/(.{6})/gu, "$1\n")],
    ["in hexadecimal", Buffer.from(key, "utf8").toString("hex")],
    ["in hexadecimal capitals", Buffer.from(key, "utf8").toString("hex").toUpperCase()],
    ["reversed", reversed],
    ["reversed in base64", base64(reversed)],
    ["escaped for an address", encodeURIComponent(key)],
    ["broken by blanks", key.split("").join(" ")],
    ["broken by line ends", key.replaceAll(/(.{5})/gu, "$1\n")],
    ["broken by escaped line ends", JSON.stringify(key.replaceAll(/(.{5})/gu, "$1\n"))],
    ["joined from pieces of code", `"${key.slice(0, 9)}" + "${key.slice(9)}"`],
    ["joined from quoted pieces", `'${key.slice(0, 9)}', \`${key.slice(9)}\``],
  ])("is found: %s", (_what, text) => {
    expect(findLeaks([`before ${text} after`], secrets)).toEqual(["ANTHROPIC_API_KEY"]);
    expect(redact(`before ${text} after`, secrets)).not.toContain(key);
  });

  it("is found wherever it stands in base64", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(findLeaks([base64(before + key + after)], secrets)).toHaveLength(1);
      }),
    );
  });

  it("is not seen where there is none", () => {
    expect(findLeaks(["sk-ant-api03 is how such keys begin", base64("nothing here")], secrets)).toEqual([]);
    expect(redact("nothing here", secrets)).toBe("nothing here");
  });

  it("is told by its name and cut out of what people read", () => {
    expect(redact(`401 for ${key}`, secrets)).toBe("401 for [ANTHROPIC_API_KEY]");
    expect(redact(`401 for ${base64(key)}`, secrets)).toContain("withheld");
  });

  it("of a few characters is not looked for: it would be everywhere", () => {
    expect(findLeaks(["abc"], new Map([["X", "abc"]]))).toEqual([]);
  });
});
