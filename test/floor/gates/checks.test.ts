import { describe, expect, it } from "@jest/globals";
import type { CheckCapture, CommandCapture } from "../../../src/contracts/captures.ts";
import { ACCEPTANCE_OWNER } from "../../../src/contracts/criteria.ts";
import { isChunkId } from "../../../src/contracts/ids.ts";
import { computeFloor } from "../../../src/floor/compute-floor.ts";
import type { ExpectedCheck } from "../../../src/floor/floor-input.ts";
import { captures, command, floorInput } from "../support/build-captures.ts";
import { listRules } from "../support/violations.ts";

const planned: ExpectedCheck = { owner: "api", index: 0, desc: "answers", run: "node try.js", expectExit: 0 };

function captured(change: Partial<CheckCapture> = {}, capture: Partial<CommandCapture> = {}): CheckCapture {
  return {
    owner: "api",
    index: 0,
    desc: "answers",
    expectExit: 0,
    capture: command("node try.js", capture),
    ...change,
  };
}

function judge(expected: readonly ExpectedCheck[], checks: readonly CheckCapture[]): readonly string[] {
  return listRules(computeFloor(floorInput({ expectedChecks: expected, captures: captures({ checks: [...checks] }) })));
}

describe("gate 1, the plan's checks", () => {
  it("passes when every check ended as the plan expects", () => {
    expect(judge([planned], [captured()])).toEqual([]);
    expect(judge([{ ...planned, expectExit: 3 }], [captured({ expectExit: 3 }, { exit: 3 })])).toEqual([]);
  });

  it.each([
    ["was not run", [], "1 check-missing"],
    ["was run for another chunk", [captured({ owner: "web" })], "1 check-missing"],
    ["ended with another status", [captured({}, { exit: 1 })], "1 check-failed"],
    ["was killed", [captured({}, { exit: null, signal: "SIGKILL" })], "1 check-failed"],
    ["ran out of time", [captured({}, { exit: null, timedOut: true })], "1 check-failed"],
    ["ran another command", [captured({ capture: command("true") })], "1 check-other-command"],
    ["ran in another folder", [captured({ cwd: "web" })], "1 check-other-command"],
    ["was captured twice", [captured(), captured()], "1 check-doubled"],
  ])("fails when a check %s", (_, checks, rule) => {
    expect(judge([planned], checks)).toEqual([rule]);
  });

  it("takes no chunk for the acceptance, whatever its id is", () => {
    const own = { ...planned, owner: "acceptance" };
    const overall = { ...planned, owner: ACCEPTANCE_OWNER, run: "node all.js" };
    const ran = captured({ owner: ACCEPTANCE_OWNER, capture: command("node all.js") });
    expect(judge([own, overall], [captured({ owner: "acceptance" }), ran])).toEqual([]);
    expect(judge([own, overall], [ran])).toEqual(["1 check-missing"]);
    expect(isChunkId(ACCEPTANCE_OWNER)).toBe(false);
  });

  it("calls the acceptance by its name, not by what it is in captures", () => {
    const input = floorInput({ expectedChecks: [{ ...planned, owner: ACCEPTANCE_OWNER }] });
    const messages = computeFloor(input).violations.map(({ message }) => message);
    expect(messages).toEqual(["Check 1 of the acceptance (answers) was not run."]);
  });

  it("believes the plan's expected status, not the capture's", () => {
    expect(judge([planned], [captured({ expectExit: 1 }, { exit: 1 })])).toEqual(["1 check-failed"]);
  });

  it("ignores captures nobody asked for", () => {
    expect(judge([], [captured({}, { exit: 1 })])).toEqual([]);
  });
});
