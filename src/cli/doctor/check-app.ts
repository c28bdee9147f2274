/** The App itself: its key, its permissions and events, the clock, its webhook. */
import { deriveRequiredPermissions, REQUIRED_EVENTS } from "../../github/permissions.ts";
import type { Octokit } from "../../github/octokit-source.ts";
import { type Finding, ok } from "./finding.ts";

/** GitHub refuses an App's token issued more than a minute in the future (docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app). */
const SKEW_MS = 30_000;

export async function checkApp(octokit: Octokit, appId: number, now: () => number): Promise<readonly Finding[]> {
  const asked = now();
  const { data, headers } = await octokit.request("GET /app");
  if (data === null) return [wrongKey("GitHub answers nothing about the App")];
  const findings = [
    data.id === appId
      ? ok("app", `${data.name} (${data.slug ?? "no slug"}, id ${data.id})`)
      : wrongKey(`the key belongs to App ${data.id}, APP_ID is ${appId}`),
    checkClock(headers.date, (asked + now()) / 2),
    ...checkPermissions(data.permissions),
    checkEvents(data.events),
  ];
  return findings;
}

export function wrongKey(what: string): Finding {
  return {
    check: "app",
    level: "problem",
    what,
    why: "Everything the App does is done with this key.",
    fix: "Take id and private key from the same App's settings page (APP_ID, PRIVATE_KEY).",
  };
}

function checkClock(date: string | undefined, now: number): Finding {
  const theirs = Date.parse(date ?? "");
  if (!Number.isFinite(theirs)) return ok("clock", "GitHub does not say its time");
  // GitHub tells whole seconds.
  const skew = Math.round((now - theirs) / 1000);
  if (Math.abs(skew) * 1000 <= SKEW_MS) return ok("clock", `${Math.abs(skew)} s from GitHub's`);
  return {
    check: "clock",
    level: "problem",
    what: `this machine's clock is ${Math.abs(skew)} s ${skew > 0 ? "ahead of" : "behind"} GitHub's`,
    why: "GitHub refuses the App's tokens when their times are off.",
    fix: "Let the machine follow a time server (NTP).",
  };
}

function checkPermissions(granted: Readonly<Record<string, string | undefined>>): readonly Finding[] {
  const needed = deriveRequiredPermissions();
  const lacking = Object.entries(needed).filter(
    ([name, level]) => granted[name] !== "write" && granted[name] !== level,
  );
  const dangerous = ["workflows", "administration", "secrets"].filter((name) => granted[name] === "write");
  return [
    lacking.length === 0
      ? ok("permissions", "the App asks for all it needs")
      : {
          check: "permissions",
          level: "problem",
          what: `the App lacks ${lacking.map(([name, level]) => `${name}: ${level}`).join(", ")}`,
          why: "GitHub refuses what needs them in the middle of a run.",
          fix: "Add them on the App's settings page; every installation has to accept them.",
        },
    ...dangerous.map((name): Finding => ({
      check: "permissions",
      level: "warning",
      what: `the App may write ${name}, which it never needs`,
      why: "What it cannot do, nobody can talk it into.",
      fix: `Take ${name} away on the App's settings page.`,
    })),
  ];
}

function checkEvents(events: readonly string[]): Finding {
  const lacking = REQUIRED_EVENTS.filter((event) => !events.includes(event));
  if (lacking.length === 0) return ok("events", "the App hears all it needs");
  return {
    check: "events",
    level: "problem",
    what: `the App does not hear ${lacking.join(", ")}`,
    why: "What it does not hear it sees minutes later, when it looks by itself, or (labels) never.",
    fix: "Subscribe to them on the App's settings page.",
  };
}
