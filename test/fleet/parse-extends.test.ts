import { describe, expect, it } from "@jest/globals";
import { parseExtends } from "../../src/fleet/intake/parse-extends.ts";

const about = { owner: "acme", name: "shop" };
const CONFIG = ".github/taskfleet.yml";

describe("what a configuration extends", () => {
  it.each([
    ["settings", "settings", CONFIG],
    [".github", ".github", CONFIG],
    ["acme/settings", "settings", CONFIG],
    ["ACME/settings:config/taskfleet.yaml", "settings", "config/taskfleet.yaml"],
    ["shop:config/base.yml", "shop", "config/base.yml"],
  ])("%s is a file of the same owner", (text, repository, path) => {
    expect(parseExtends(text, about)).toEqual({ outcome: "file", repository, path });
  });

  it.each([
    ["mallory/settings", "only files of acme"],
    ["acme/settings/more", "is not of the form"],
    ["../settings", "only files of acme"],
    ["..", "is not of the form"],
    ["https://example.com/x.yml", "the path"],
    ["settings:../x.yml", "the path"],
    ["settings:/etc/x.yml", "the path"],
    ["settings:x.json", "does not end in .yml"],
    ["settings:", "the path"],
    ["shop", "extends itself"],
    ["", "is not of the form"],
  ])("%p is refused with the reason", (text, why) => {
    expect(parseExtends(text, about)).toMatchObject({ outcome: "problem", why: expect.stringContaining(why) });
  });
});
