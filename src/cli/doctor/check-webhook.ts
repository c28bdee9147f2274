/** Do deliveries reach the App? */
import type { Octokit } from "../../github/octokit-source.ts";
import { type Finding, ok } from "./finding.ts";

const PATHS = ["/", "/api/github/webhooks"];
/** Deliveries looked at. */
const RECENT = 50;

export async function checkWebhook(octokit: Octokit): Promise<readonly Finding[]> {
  const { data: hook } = await octokit.request("GET /app/hook/config");
  if (hook.url === undefined || hook.url === "" || !URL.canParse(hook.url))
    return [
      {
        check: "webhook",
        level: "problem",
        what: "the App has no webhook address",
        why: "Without deliveries nothing starts.",
        fix: "Set it on the App's settings page: https://HOST/api/github/webhooks, content type application/json.",
      },
    ];
  return [checkConfig(hook.url, hook.content_type), await checkReach(hook.url), await checkRecent(octokit)];
}

function checkConfig(url: string, contentType: string | undefined): Finding {
  const wrong = [
    ...(PATHS.includes(new URL(url).pathname) ? [] : [`the path is neither ${PATHS.join(" nor ")}`]),
    ...(contentType === "json" ? [] : [`the content type is ${contentType ?? "not set"}, not json`]),
  ];
  if (wrong.length === 0) return ok("webhook", url);
  return {
    check: "webhook",
    level: isRelay(url) ? "warning" : "problem",
    what: `${url}: ${wrong.join("; ")}`,
    why: "Such deliveries are answered with an error.",
    fix: "Correct it on the App's settings page: https://HOST/api/github/webhooks, content type application/json.",
  };
}

/** A forwarding service for development has paths of its own. */
function isRelay(url: string): boolean {
  return new URL(url).hostname.endsWith("smee.io");
}

async function checkReach(url: string): Promise<Finding> {
  const health = new URL("/healthz", url).href;
  if (isRelay(url)) return ok("webhook-reachable", "deliveries come through a relay: it is not asked");
  try {
    const response = await fetch(health, { signal: AbortSignal.timeout(10_000), redirect: "manual" });
    await response.arrayBuffer();
    if (response.status === 200) return ok("webhook-reachable", `${health} answers`);
    return unreachable(`${health} answers ${response.status}`);
  } catch {
    return unreachable(`${health} does not answer from here`);
  }
}

function unreachable(what: string): Finding {
  return {
    check: "webhook-reachable",
    level: "warning",
    what,
    why: "When GitHub cannot reach it either, the App works only when it looks by itself.",
    fix: "Start the App (`taskfleet serve`), and see that the address leads to it from the internet.",
  };
}

async function checkRecent(octokit: Octokit): Promise<Finding> {
  const { data } = await octokit.request("GET /app/hook/deliveries", { per_page: RECENT });
  if (data.length === 0)
    return {
      check: "deliveries",
      level: "unknown",
      what: "GitHub has not delivered anything yet",
      why: "Only a delivery shows that address and secret are right.",
      fix: "Set the label on an issue, or install the App on a repository, and look again.",
    };
  // The newest try of each: a redelivery has the same GUID.
  const newest = new Map<string, (typeof data)[number]>();
  for (const delivery of data) if (!newest.has(delivery.guid)) newest.set(delivery.guid, delivery);
  const failed = [...newest.values()].filter(({ status_code: code }) => code < 200 || code >= 300);
  if (failed.length === 0) return ok("deliveries", `the last ${newest.size} arrived`);
  const reasons = [...new Set(failed.map(({ status, status_code: code }) => (code === 0 ? status : `${code}`)))];
  const signature = failed.some(({ status_code: code }) => code === 400 || code === 401);
  return {
    check: "deliveries",
    level: failed.length === newest.size ? "problem" : "warning",
    what: `${failed.length} of the last ${newest.size} failed (${reasons.slice(0, 3).join(", ")})`,
    why: "A failed delivery is asked for again within minutes while the App runs; until then nothing happens.",
    fix: signature
      ? "The secret of the webhook and WEBHOOK_SECRET must be the same."
      : "See that the App runs and that its address is reachable.",
  };
}
