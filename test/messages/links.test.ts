import { describe, expect, it } from "@jest/globals";
import { buildLinks } from "../../src/messages/links.ts";
import { Story } from "../engine-stories/story.ts";

describe("links", () => {
  const links = buildLinks(new Story().state);

  it("keeps the slashes of branches and paths and encodes everything that could end a link", () => {
    expect(links.branch("taskfleet/7-x/chunk/a")).toBe("https://github.com/octo/tally/tree/taskfleet/7-x/chunk/a");
    expect(links.branch("feature/#1 (x)")).toBe("https://github.com/octo/tally/tree/feature/%231%20%28x%29");
    expect(links.file("main", "app/[id]/page.tsx")).toBe(
      "https://github.com/octo/tally/blob/main/app/%5Bid%5D/page.tsx",
    );
    expect(links.file("main", "a?b#c%|`<")).toBe("https://github.com/octo/tally/blob/main/a%3Fb%23c%25%7C%60%3C");
    expect(links.file("main", "half \ud800")).toContain("half%20%EF%BF%BD");
  });

  it("names one line or several", () => {
    expect(links.lines("abc", "a.js", 3, 3)).toBe("https://github.com/octo/tally/blob/abc/a.js#L3");
    expect(links.lines("abc", "a.js", 3, 9)).toBe("https://github.com/octo/tally/blob/abc/a.js#L3-L9");
  });

  it("knows runs, pull requests, issues and comments", () => {
    expect(links.run(5)).toBe("https://github.com/octo/tally/actions/runs/5");
    expect(links.pull(8)).toBe("https://github.com/octo/tally/pull/8");
    expect(links.issue(7)).toBe("https://github.com/octo/tally/issues/7");
    expect(links.comment(7, 1000)).toBe("https://github.com/octo/tally/issues/7#issuecomment-1000");
  });
});
