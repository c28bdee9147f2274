import { checklist } from "../checklist/checklist.ts";
import { isObject } from "../shape/object-shape.ts";

/**
 * The planner's kind of draft from what a person wrote, as JSON text: the same gates judge both. What a person
 * need not say is filled in as far as it follows from the chunks; what is wrong stays wrong, for the gates to name.
 * @param title the issue's, for a plan without one.
 */
export function buildGivenDraft(value: Readonly<Record<string, unknown>>, title: string): string {
  const given = Array.isArray(value["chunks"]) ? (value["chunks"] as unknown[]) : [];
  const assignments: Record<string, unknown> = {};
  const chunks = given.map((entry) => {
    if (!isObject(entry)) return entry;
    // Beside the chunk, since a plan says nothing of agents.
    const { agent, ...chunk } = entry;
    if (agent !== undefined && typeof chunk["id"] === "string") assignments[chunk["id"]] = agent;
    return { title: firstLine(chunk["brief"]) || title, tier: "mid", ...chunk };
  });
  const named = chunks.filter(isNamed);
  return JSON.stringify({
    triage: chunks.length === 1 ? "simple" : "complex",
    title: title.slice(0, 300) || "A plan",
    goal: title || "What the plan says",
    acceptance: listChecks(chunks),
    requirements: named.map((chunk) => ({ text: chunk.title, chunks: [chunk.id] })),
    checklist: checklist.map((item) => ({ item: item.id, why_not: "Not said by the person who wrote this plan." })),
    ...value,
    assignments: { ...assignments, ...(isObject(value["assignments"]) ? value["assignments"] : {}) },
    chunks,
    kind: "plan",
  });
}

/** Without an acceptance of its own the whole feature must pass what its chunks must. */
function listChecks(chunks: readonly unknown[]): readonly unknown[] {
  const checks = chunks.flatMap((chunk) =>
    isObject(chunk) && Array.isArray(chunk["checks"]) ? (chunk["checks"] as unknown[]) : [],
  );
  const distinct = new Map(checks.filter(isObject).map((check) => [JSON.stringify(check), check]));
  return [...distinct.values()].map((check) => ({ kind: "check", ...check }));
}

function isNamed(chunk: unknown): chunk is { readonly id: string; readonly title: string } {
  return isObject(chunk) && typeof chunk["id"] === "string" && typeof chunk["title"] === "string";
}

function firstLine(text: unknown): string {
  return typeof text === "string" ? (text.trim().split("\n")[0] ?? "").slice(0, 120) : "";
}
