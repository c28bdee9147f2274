import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { type ChangedLines, groupChanges } from "../../src/worker/roles/group-changes.ts";

const file = (path: string, lines: number | null): ChangedLines => ({ path, status: "modified", lines });

describe("the groups of a large change", () => {
  it("hold neighbours, begin anew with a top folder, and are called after what they share", () => {
    const files = [
      file("web/index.html", 10),
      file("src/api/users.ts", 60),
      file("src/api/orders.ts", 30),
      file("src/db/schema.ts", 70),
      file("README.md", 2),
      file("web/logo.png", null),
    ];
    expect(groupChanges(files, 100).map(({ name, lines, files: entries }) => [name, lines, entries.length])).toEqual([
      ["01-files", 92, 3],
      ["02-src-db", 70, 1],
      ["03-web", 10, 2],
    ]);
  });

  it("give a file that is too large by itself a group of its own", () => {
    const groups = groupChanges([file("a.ts", 10), file("b.ts", 5000), file("c.ts", 10)], 100);
    expect(groups.map((group) => group.files.map((one) => one.path))).toEqual([["a.ts"], ["b.ts"], ["c.ts"]]);
  });

  it("leave no file out, name none twice, and stay within the limit", () => {
    const path = fc.array(fc.stringMatching(/^[a-zäß .*[\]-]{1,5}$/u), { minLength: 1, maxLength: 4 });
    const change = fc.record({ path: path.map((parts) => parts.join("/")), lines: fc.option(fc.nat({ max: 300 })) });
    const changes = fc.uniqueArray(change, { selector: (one) => one.path, maxLength: 300 });
    fc.assert(
      fc.property(changes, (list) => {
        const groups = groupChanges(
          list.map(({ path: name, lines }) => file(name, lines)),
          200,
        );
        const paths = groups.flatMap((group) => group.files.map((one) => one.path));
        expect(paths.toSorted()).toEqual(list.map((one) => one.path).toSorted());
        expect(new Set(groups.map((group) => group.name)).size).toBe(groups.length);
        for (const group of groups) {
          expect(group.name).toMatch(/^\d{2,}-[A-Za-z0-9_-]+$/u);
          expect(group.lines <= 200 || group.files.length === 1).toBe(true);
          expect(group.files.length).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
