/** Agents that are refused by their provider for a while: nobody's try, and waited for together. */
import type { Config } from "../../contracts/config.ts";
import { listAgents } from "../../contracts/config.ts";
import type { Remedy } from "../../contracts/job.ts";
import type { Outage, RunState } from "../state.ts";
import { deriveOutagePause } from "./jobs.ts";

/** After so long it is no passing outage: further refusals count as jobs that come to no result. */
export const LONGEST_OUTAGE_MS = 24 * 60 * 60_000;

/**
 * What agents of this name depend on: programs of one preset ask one provider with one key; of a program of the
 * user's own nobody knows what it asks.
 */
export function formatProvider(config: Config, agent: string): string {
  const preset = listAgents(config).find(({ name }) => name === agent)?.preset ?? "command";
  return preset === "command" ? `command:${agent}` : preset;
}

/** The outage an agent has to wait for, or null. */
export function findOutage(state: RunState, agent: string): Outage | null {
  return state.outages[formatProvider(state.run.config, agent)] ?? null;
}

/** One more refusal. @param at when the job ended */
export function extendOutage(
  former: Outage | undefined,
  remedy: Extract<Remedy, { kind: "wait" }>,
  cause: string,
  at: number,
): Outage {
  const refusals = (former?.refusals ?? 0) + 1;
  return { since: former?.since ?? at, refusals, cause, until: remedy.until ?? at + deriveOutagePause(refusals) };
}
