import { describe, expect, it } from "@jest/globals";
import type { Chunk, Plan } from "../../../src/contracts/plan.ts";
import { buildChunk, buildPlanOf, buildValidPlan } from "../build-valid-plan.ts";
import { lint, list } from "./list-warnings.ts";

describe("a plan with nothing to improve", () => {
  it("gets no warnings", () => {
    expect(lint(buildValidPlan())).toEqual([]);
  });
});

describe("order", () => {
  const shared = { files_touched: ["src/a.ts", "src/shared.ts"] };

  it("is missed between chunks that share a file", () => {
    const plan = buildPlanOf(
      buildChunk("a", shared),
      buildChunk("b"),
      buildChunk("c", { files_touched: ["SRC/c.ts", "src/shared.ts"] }),
    );
    expect(lint(plan)).toMatchSnapshot();
  });

  it("is there when the second chunk waits for the first, directly or not", () => {
    const plan = buildPlanOf(
      buildChunk("c", {
        ...shared,
        deps: ["b"],
        brief: "Extend what chunk b has built so that shared state survives.",
      }),
      buildChunk("b", { deps: ["a"], brief: "Extend what chunk a has built so that shared state survives." }),
      buildChunk("a", { files_touched: ["src/shared.ts"] }),
    );
    expect(list(plan)).toEqual([]);
  });

  it("is missed between the second and the third of three, where the first is out of the way", () => {
    const plan = buildPlanOf(
      buildChunk("a", shared),
      buildChunk("b", { ...shared, deps: ["a"] }),
      buildChunk("c", { ...shared, deps: ["a"] }),
    );
    expect(list(plan).filter((line) => line.startsWith("overlap"))).toEqual([
      "overlap-parallel /chunks/2/files_touched",
      "overlap-parallel /chunks/2/files_touched",
    ]);
  });

  it("is missed once for each neighbouring pair of three", () => {
    const plan = buildPlanOf(buildChunk("a", shared), buildChunk("b", shared), buildChunk("c", shared));
    expect(list(plan).filter((line) => line.startsWith("overlap"))).toEqual([
      "overlap-parallel /chunks/1/files_touched",
      "overlap-parallel /chunks/1/files_touched",
      "overlap-parallel /chunks/2/files_touched",
      "overlap-parallel /chunks/2/files_touched",
    ]);
  });

  it("concerns a file of one chunk that is a folder of another", () => {
    const plan = buildPlanOf(
      buildChunk("a", { files_touched: ["src/x"] }),
      buildChunk("b", { files_touched: ["SRC/X/y.ts"] }),
    );
    expect(lint(plan)).toMatchSnapshot();
  });

  it("is said twice by a redundant dep", () => {
    const plan = buildPlanOf(
      buildChunk("a"),
      buildChunk("b", { deps: ["a"], brief: "Use what src/a/index.ts exports and add a second function to it." }),
      buildChunk("c", { deps: ["b", "a"], brief: "Use what src/a/index.ts and src/b/index.ts export, both of them." }),
    );
    expect(lint(plan)).toMatchSnapshot();
  });
});

describe("a dep", () => {
  const needing = (overrides: Partial<Chunk>): Plan =>
    buildPlanOf(
      buildChunk("auth-api", { title: "Sign people in" }),
      buildChunk("page", { deps: ["auth-api"], ...overrides }),
    );

  it("is needless when nothing is shared and nothing mentioned", () => {
    expect(lint(needing({}))).toMatchSnapshot();
  });

  it.each<[string, Partial<Chunk>]>([
    ["a shared file", { files_touched: ["src/page.ts", "test/auth-api.test.ts"] }],
    ["the other's id", { brief: "Show the sign-in form and send it to what AUTH-API serves." }],
    ["the other's title", { brief: "Once people can sign in (chunk: sign people in), show their name." }],
    ["one of its files", { brief: "Call the function that src/auth-api/index.ts exports on submit." }],
    [
      "the base name of a file",
      { checks: [{ desc: "the page calls auth-api", run: "npm test -- test/page.test.ts" }] },
    ],
    ["a command that names it", { checks: [{ desc: "it signs in", run: "grep auth-api src/page/index.ts" }] }],
    ["an assertion that names it", { assertions: ["the form posts to the auth-api"] }],
    ["its title in the title", { title: "Form to sign people in" }],
  ])("is believed for %s", (_reason, overrides) => {
    expect(list(needing(overrides))).toEqual([]);
  });

  it.each([
    ["lib/main.ts", "This is the main page and shows all of the amounts."],
    ["lib/report.ts", "Fill lib/pages/report.ts with a table of all of the amounts."],
  ])("is not believed for a name like that of %s", (file, brief) => {
    const plan = buildPlanOf(
      buildChunk("first", { files_touched: [file] }),
      buildChunk("second", { deps: ["first"], files_touched: ["lib/pages/report.ts"], brief }),
    );
    expect(list(plan)).toEqual(["needless-dep /chunks/1/deps/0"]);
  });

  it.each([
    ["lib/session-store.ts", "Keep the visitor's name in the session-store that exists."],
    ["lib/Session-Store.test.ts", "Keep the visitor's name in the session-store that exists."],
    ["cart", "Show what the visitor has put into the cart, by price."],
    ["lib/a/cart.py", "Show what the visitor has put into the cart, by price."],
  ])("is believed when the base name of %s is mentioned", (file, brief) => {
    const plan = buildPlanOf(
      buildChunk("first", { files_touched: [file] }),
      buildChunk("second", { deps: ["first"], brief }),
    );
    expect(list(plan)).toEqual([]);
  });

  it("is not believed for words of two texts that make a name together", () => {
    const plan = buildPlanOf(
      buildChunk("first", { title: "add store", files_touched: ["lib/x.ts"] }),
      buildChunk("second", {
        deps: ["first"],
        title: "Please add",
        brief: "store the name of the visitor and show it again",
      }),
    );
    expect(list(plan)).toEqual(["needless-dep /chunks/1/deps/0"]);
  });

  it("is not believed for a base name of three letters", () => {
    const plan = buildPlanOf(
      buildChunk("first", { files_touched: ["lib/sum.ts"] }),
      buildChunk("second", { deps: ["first"], brief: "Show the sum of all amounts at the foot of the table." }),
    );
    expect(list(plan)).toEqual(["needless-dep /chunks/1/deps/0"]);
  });

  it("is believed for the name of a hidden file", () => {
    const plan = buildPlanOf(
      buildChunk("first", { files_touched: [".env"] }),
      buildChunk("second", { deps: ["first"], brief: "Read the address of the service from .env at the start." }),
    );
    expect(list(plan)).toEqual([]);
  });
});

describe("wiring", () => {
  const part = (id: string, overrides: Partial<Chunk> = {}): Chunk => buildChunk(id, overrides);

  it("is missed when three chunks create modules side by side", () => {
    expect(lint(buildPlanOf(part("one"), part("two"), part("three")))).toMatchSnapshot();
  });

  it("is not missed with two modules, or when the third has tests or words only", () => {
    expect(list(buildPlanOf(part("one"), part("two")))).toEqual([]);
    expect(list(buildPlanOf(part("one"), part("two"), part("three", { files_touched: ["test/x.test.ts"] })))).toEqual(
      [],
    );
    expect(
      list(
        buildPlanOf(part("one"), part("two"), part("three", { files_touched: ["docs/guide.md", "README", "a.yaml"] })),
      ),
    ).toEqual([]);
  });

  it("is a chunk with two deps, or with one and a word for it", () => {
    const brief = "Uses src/one/index.ts and src/two/index.ts as they are exported there.";
    expect(list(buildPlanOf(part("one"), part("two"), part("three", { deps: ["one", "two"], brief })))).toEqual([]);
    expect(
      list(buildPlanOf(part("one"), part("two"), part("three", { deps: ["one"], brief, title: "Wire the parts" }))),
    ).toEqual([]);
    expect(
      list(
        buildPlanOf(
          part("one"),
          part("two"),
          part("three", { deps: ["one"], brief: `Mount one into the application. ${brief}` }),
        ),
      ),
    ).toEqual([]);
    expect(list(buildPlanOf(part("one"), part("two"), part("three", { deps: ["one"], brief })))).toEqual([
      "no-wiring /chunks",
    ]);
    expect(list(buildPlanOf(part("one"), part("two"), part("three", { title: "Wire the parts" })))).toEqual([
      "no-wiring /chunks",
    ]);
  });
});
