import { afterAll, describe, expect, it } from "@jest/globals";
import { SandboxRepository } from "./support/sandbox-repository.ts";
import { jobOf, runTrial } from "./support/run-workflow.ts";

const repository = new SandboxRepository();
afterAll(() => repository.remove());

/** Uploads in one job, downloads in another, says which files arrived. */
function roundTrip(prepare: string, upload: string, download = "with: { name: a, path: got }"): string {
  return `on: workflow_dispatch
jobs:
  up:
    runs-on: x
    steps:
      - run: |
${prepare.replaceAll(/^/gm, "          ")}
      - uses: actions/upload-artifact@v4
${upload.replaceAll(/^/gm, "        ")}
  down:
    needs: up
    runs-on: x
    steps:
      - id: got
        uses: actions/download-artifact@v5
        ${download}
      - run: find "$FOLDER" -type f -printf '> %P\\n' | sort
        env: { FOLDER: "\${{ steps.got.outputs.download-path }}" }
`;
}

async function files(text: string): Promise<readonly string[]> {
  const { host } = await runTrial(repository, text);
  return (host.text.match(/^> .*/gm) ?? []).map((line) => line.slice(2));
}

describe("an artifact", () => {
  it("brings bytes from one job to another unchanged", async () => {
    const text = roundTrip(
      "head -c 100000 /dev/urandom > blob; sha256sum < blob | sed 's/^/> /'",
      "with: { name: a, path: blob }",
    ).concat(`      - run: sha256sum < got/blob | sed 's/^/> /'\n`);
    const [sent, name, received] = await files(text);
    expect([name, received]).toEqual(["blob", sent]);
  });

  const tree =
    "mkdir -p out/sub/deep .cache; touch out/a.txt out/sub/b.log out/sub/deep/c.txt out/.hidden .cache/x z.txt";

  it.each<[what: string, upload: string, expected: readonly string[]]>([
    ["a single file lies at its root", "with: { name: a, path: out/sub/b.log }", ["b.log"]],
    ["a folder keeps the paths below it", "with: { name: a, path: out }", ["a.txt", "sub/b.log", "sub/deep/c.txt"]],
    [
      "a pattern keeps the paths below its fixed part",
      "with: { name: a, path: 'out/**/*.txt' }",
      ["a.txt", "sub/deep/c.txt"],
    ],
    [
      "several lines share the folder they have in common",
      "with:\n  name: a\n  path: |\n    out/sub/b.log\n    out/a.txt",
      ["a.txt", "sub/b.log"],
    ],
    ["an exclamation mark takes files back", "with:\n  name: a\n  path: |\n    out\n    !out/sub/**", ["a.txt"]],
    [
      "hidden files come on demand",
      "with: { name: a, path: out, include-hidden-files: true }",
      [".hidden", "a.txt", "sub/b.log", "sub/deep/c.txt"],
    ],
    ["an absolute path is fine", "with: { name: a, path: '${{ github.workspace }}/z.txt' }", ["z.txt"]],
  ])("%s", async (_what, upload, expected) => {
    expect(await files(roundTrip(tree, upload))).toEqual(expected);
  });

  it("goes into a folder of its own when all are downloaded, and into one when merged", async () => {
    const upload = "with: { name: a, path: out/a.txt }";
    expect(await files(roundTrip(tree, upload, "with: { path: got }"))).toEqual(["a/a.txt"]);
    expect(await files(roundTrip(tree, upload, "with: { path: got, pattern: 'a*', merge-multiple: true }"))).toEqual([
      "a.txt",
    ]);
    expect(await files(roundTrip(tree, upload, "with: { path: got, pattern: 'b*' }"))).toEqual([]);
  });
});

describe("uploading", () => {
  const upload = async (inputs: string, times = 1): Promise<{ conclusion: string; text: string; names: string[] }> => {
    const step = `- uses: actions/upload-artifact@v4\n  with: ${inputs}\n`;
    const { host, conclusion } = await runTrial(repository, jobOf(`- run: echo 1 > a.txt\n${step.repeat(times)}`));
    return { conclusion, text: host.text, names: [...host.artifacts.keys()] };
  };

  it("of nothing warns, fails or says nothing, as asked", async () => {
    const warned = await upload("{ name: a, path: missing }");
    expect([warned.conclusion, warned.names]).toEqual(["success", []]);
    expect(warned.text).toContain("##[warning]No files were found with the provided path: missing.");
    expect((await upload("{ name: a, path: missing, if-no-files-found: error }")).conclusion).toBe("failure");
    expect((await upload("{ name: a, path: missing, if-no-files-found: ignore }")).text).not.toContain("##[warning]");
  });

  it("under a name that exists is a conflict unless it overwrites", async () => {
    const twice = await upload("{ name: a, path: a.txt }", 2);
    expect([twice.conclusion, twice.text]).toEqual(["failure", expect.stringContaining("(409) Conflict")]);
    expect((await upload("{ name: a, path: a.txt, overwrite: true }", 2)).conclusion).toBe("success");
  });

  it("is called `artifact` without a name and refuses names that are paths", async () => {
    expect((await upload("{ path: a.txt }")).names).toEqual(["artifact"]);
    expect((await upload("{ name: a/b, path: a.txt }")).conclusion).toBe("failure");
  });
});

describe("downloading", () => {
  it("what does not exist fails", async () => {
    const { host, conclusion } = await runTrial(
      repository,
      jobOf("- uses: actions/download-artifact@v5\n  with: { name: missing }"),
    );
    expect(conclusion).toBe("failure");
    expect(host.text).toContain("Artifact not found for name: missing");
  });

  it("from another run fails loudly instead of taking this run's", async () => {
    const { host, conclusion } = await runTrial(
      repository,
      jobOf("- uses: actions/download-artifact@v5\n  with: { name: a, run-id: 5 }"),
    );
    expect(conclusion).toBe("failure");
    expect(host.text).toContain("The sandbox does not support the input 'run-id' here.");
  });
});
