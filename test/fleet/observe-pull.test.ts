import { describe, expect, it } from "@jest/globals";
import { observePull } from "../../src/fleet/observe/observe-pull.ts";
import { routeDelivery } from "../../src/fleet/inbox/route-delivery.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";

const branch = "taskfleet/1-build/chunk/c0";

/** A run with the pull request #4 of one chunk; what is asked about it is noted. */
function openRun(landed: boolean, onGitHub: { state: "open" | "closed"; merged: boolean }) {
  const asked: number[] = [];
  const session = {
    state: {
      featurePull: null,
      merged: null,
      integration: null,
      chunks: { rows: [{ landed: landed ? { commit: "a" } : null, pulls: [{ number: 4, settled: null }] }] },
    },
    repository: {
      loadPull: (number: number) => {
        asked.push(number);
        return Promise.resolve(onGitHub);
      },
    },
  };
  return { asked, session: session as unknown as RunSession };
}

function hint(pull: object): string | undefined {
  const [route] = routeDelivery(
    "pull_request",
    {
      action: "closed",
      repository: { id: 5, name: "shop", owner: { login: "octo" } },
      installation: { id: 7 },
      sender: { login: "mona", type: "User" },
      pull_request: { number: 4, head: { ref: branch }, ...pull },
    },
    "guid",
  );
  return route !== undefined && "hint" in route ? route.hint : undefined;
}

describe("the end of a pull request", () => {
  it("is taken from the webhook where we landed it ourselves and GitHub calls it merged", async () => {
    expect(hint({ merged: true })).toBe("pull:4@merged");
    const { session, asked } = openRun(true, { state: "open", merged: false });
    expect(await observePull(session, 4, "merged")).toEqual([{ kind: "PullSettled", number: 4, outcome: "merged" }]);
    expect(asked).toEqual([]);
  });

  it("is looked at where a person may have merged it", async () => {
    const { session, asked } = openRun(false, { state: "closed", merged: true });
    expect(await observePull(session, 4, "merged")).toEqual([{ kind: "PullSettled", number: 4, outcome: "merged" }]);
    expect(asked).toEqual([4]);
  });

  it("is looked at where the webhook says that it was closed", async () => {
    expect(hint({ merged: false })).toBe("pull:4");
    const { session, asked } = openRun(true, { state: "closed", merged: false });
    expect(await observePull(session, 4, null)).toEqual([{ kind: "PullSettled", number: 4, outcome: "closed" }]);
    expect(asked).toEqual([4]);
  });
});
