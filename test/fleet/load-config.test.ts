/** Which files a repository's configuration is made of; GitHub is a map of `repository:path` to text. */
import { describe, expect, it } from "@jest/globals";
import { formatBlobName } from "../../src/contracts/blob-name.ts";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { parseConfig } from "../../src/contracts/parse-config.ts";
import { loadConfig, type LoadedConfig } from "../../src/fleet/intake/load-config.ts";
import type { RepositoryPort } from "../../src/github/port.ts";

const PATH = ".github/taskfleet.yml";

interface Place {
  readonly name?: string;
  /** Whether the other repository is private and ours. */
  readonly private?: { readonly shared: boolean; readonly own: boolean };
}

async function load(files: Readonly<Record<string, string>>, place: Place = {}): Promise<LoadedConfig> {
  const { name = "shop", private: secret = { shared: false, own: false } } = place;
  const find = (place: string) => {
    const text = files[place];
    if (text === "(too large)") throw new GitHubFailure("misconfigured", "it is larger than 1 MB");
    return Promise.resolve(text === undefined ? null : { sha: formatBlobName(text), text });
  };
  const port = {
    loadFile: (path: string) => find(`${name}:${path}`),
    loadSharedFile: async (repository: string, path: string) => {
      const file = await find(`${repository}:${path}`);
      return file === null ? null : { ...file, private: secret.shared };
    },
  };
  const about = { owner: "acme", name, defaultBranch: "main", private: secret.own };
  return loadConfig(port as unknown as RepositoryPort, about);
}

function expectRead(loaded: LoadedConfig): Extract<LoadedConfig, { outcome: "read" }> {
  if (loaded.outcome === "problems") throw new Error(loaded.problems.map(({ message }) => message).join("\n"));
  return loaded;
}

async function listProblems(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const loaded = await load(files);
  if (loaded.outcome === "read") throw new Error("it is valid");
  return loaded.problems.map(({ message, line }) => (line === undefined ? message : `${line} ${message}`));
}

describe("a repository's configuration", () => {
  it("is its own file, which its jobs read as it is", async () => {
    const own = "limits: { tries: 2 }\n";
    const loaded = expectRead(await load({ [`shop:${PATH}`]: own, [`.github:${PATH}`]: "limits: { tries: 1 }\n" }));
    expect(loaded).toMatchObject({ config: { limits: { tries: 2 } }, blob: formatBlobName(own), text: null });
    expect(loaded.layers).toEqual([{ where: `acme/shop:${PATH}`, keys: ["limits"] }]);
  });

  it("is that of the owner's .github repository where it has none, and all defaults where neither has one", async () => {
    const loaded = expectRead(await load({ [`.github:${PATH}`]: "limits: { tries: 1 }\n" }));
    expect(loaded.config.limits.tries).toBe(1);
    expect(loaded.layers).toEqual([{ where: `acme/.github:${PATH}`, keys: ["limits"] }]);
    expect(expectRead(await load({}))).toMatchObject({ blob: null, text: null, layers: [] });
  });

  it("takes a setting of the first level whole from its own file, and the others from the file it extends", async () => {
    const loaded = expectRead(
      await load({
        [`shop:${PATH}`]: "_extends: settings\nlimits: { tries: 2 }\n",
        [`settings:${PATH}`]: "limits: { tries: 1, parallel: 9 }\nplan: { approval: risk }\n",
      }),
    );
    expect(loaded.config).toMatchObject({ limits: { tries: 2, parallel: 4 }, plan: { approval: "risk" } });
    expect(loaded.layers).toEqual([
      { where: `acme/shop:${PATH}`, keys: ["limits"] },
      { where: `acme/settings:${PATH}`, keys: ["plan"] },
    ]);
  });

  it("made of several files has one text for its jobs, which says the same", async () => {
    const loaded = expectRead(
      await load({
        [`shop:${PATH}`]: "_extends: settings:base.yml\nprotected: [infra/**]\n",
        "settings:base.yml": "agents: [{ name: a, preset: command, command: [x] }]\n",
      }),
    );
    expect(loaded.blob).toBe(formatBlobName(loaded.text ?? ""));
    expect(parseConfig(loaded.text ?? "").config).toEqual(loaded.config);
    expect(loaded.text).not.toContain("_extends");
  });

  it("changes its name with the file it extends, so that nobody works with another one than was read", async () => {
    const own = { [`shop:${PATH}`]: "_extends: settings\n" };
    const one = expectRead(await load({ ...own, [`settings:${PATH}`]: "limits: { tries: 1 }\n" }));
    const other = expectRead(await load({ ...own, [`settings:${PATH}`]: "limits: { tries: 2 }\n" }));
    expect(one.blob).not.toBe(other.blob);
  });

  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    ["is not there", {}, "is not there, or the App is not installed"],
    ["extends another one", { [`settings:${PATH}`]: "_extends: more\n" }, "only one level"],
    ["cannot be read", { [`settings:${PATH}`]: "(too large)" }, "larger than 1 MB"],
    ["is broken", { [`settings:${PATH}`]: "plan: [" }, `\`acme/settings:${PATH}\`: line 1`],
    ["is a list", { [`settings:${PATH}`]: "- 1\n" }, `\`acme/settings:${PATH}\`: Invalid input`],
  ])("is refused when the file it extends %s", async (_what, files, why) => {
    const [problem] = await listProblems({ [`shop:${PATH}`]: "_extends: settings\n", ...files });
    expect(problem).toContain(why);
  });

  it("names for every problem the file it is in and the line there", async () => {
    expect(
      await listProblems({
        [`shop:${PATH}`]: "_extends: settings\nlimits:\n  tries: many\n",
        [`settings:${PATH}`]: "# shared\n\nplan:\n  approval: perhaps\nspeed: fast\n",
      }),
    ).toEqual([
      expect.stringMatching(/^4 `acme\/settings:.*`: `plan\.approval`/u),
      expect.stringMatching(/^3 `limits\.tries`/u),
      expect.stringMatching(/^5 `acme\/settings:.*`: there is no setting "speed"/u),
    ]);
  });

  it("refuses an `_extends` of somebody else, and one in the file that stands in for all repositories", async () => {
    expect(await listProblems({ [`shop:${PATH}`]: "_extends: mallory/settings\n" })).toEqual([
      expect.stringContaining("only files of acme"),
    ]);
    expect(await listProblems({ [`.github:${PATH}`]: "_extends: settings\n" })).toEqual([
      expect.stringContaining("may extend no other file"),
    ]);
  });

  it("takes nothing from a private repository into a public one, where it would be committed", async () => {
    const standIn = { [`.github:${PATH}`]: "limits: { tries: 1 }\n" };
    const both = { [`shop:${PATH}`]: "_extends: .github\n", ...standIn };
    const toPublic = { private: { shared: true, own: false } };
    expect(expectRead(await load(standIn, toPublic))).toMatchObject({
      text: null,
      layers: [],
      passedOver: `acme/.github:${PATH}`,
    });
    const refused = await load(both, toPublic);
    expect(refused).toMatchObject({ outcome: "problems", problems: [{ rule: "extends" }] });
    expect(JSON.stringify(refused)).toContain("is in a private repository and this one is public");
    const toPrivate = { private: { shared: true, own: true } };
    for (const files of [standIn, both]) expect(expectRead(await load(files, toPrivate)).config.limits.tries).toBe(1);
  });

  it("of the .github repository itself is asked for once", async () => {
    expect(expectRead(await load({}, { name: ".github" })).layers).toEqual([]);
  });
});
