import type { Chance } from "../chance.ts";
import type { Scenario } from "../scenario.ts";

/** What somebody answers to a question of the App; null = nothing. */
export function drawAnswer(scenario: Scenario, chance: Chance, key: string): string | null {
  if (scenario.crowd === "agreeable") return agree(scenario, key);
  const label = `answer:${key}`;
  if (key.startsWith("approval:"))
    return chance.pick(label, [
      "/approve",
      "/approve",
      "/approve",
      "/APPROVE",
      "Fine.\r\n\r\n/approve\r\n",
      "/replan Do it with more care.",
    ]);
  const chunk = /^need:escalation:([^:]+)/u.exec(key)?.[1];
  if (chunk !== undefined)
    return chance.pick(label, [
      `/retry ${chunk}`,
      `/retry ${chunk}`,
      `/skip ${chunk}`,
      "/replan Split it.",
      "/cancel",
      `/assign ${chunk} second`,
      `/take ${chunk}`,
      `I mend ${chunk} by hand.`,
    ]);
  if (key.startsWith("need:unassignable")) {
    const last = scenario.chunks.at(-1)?.id ?? "c0";
    return chance.pick(label, [
      `/take ${last}`,
      `/take ${last}`,
      `/assign ${last} default`,
      `/skip ${last}`,
      "/cancel",
    ]);
  }
  if (key.startsWith("need:baseline"))
    return chance.pick(label, ["/cancel", "/cancel", "/retry c0", "/replan Try again."]);
  if (key.startsWith("need:landing"))
    return chance.pick(label, [`/retry ${scenario.chunks.at(-1)?.id ?? "c0"}`, "/replan Again.", "/cancel"]);
  if (key === "need:rebuilt") return chance.pick(label, ["/resume", "/resume", "/resume", "/replan Look again."]);
  if (key.startsWith("need:plan"))
    return chance.pick(label, ["/replan In euros, please.", "/replan Simpler.", "/cancel"]);
  if (key.startsWith("need:accept"))
    return chance.pick(label, ["/replan Mend it.", "/cancel", "/override ci It is flaky."]);
  return chance.pick(label, ["/resume", "/cancel", "/retry c0", "/replan Another way."]);
}

function agree(scenario: Scenario, key: string): string {
  if (key.startsWith("approval:")) return "/approve";
  const chunk = /^need:escalation:([^:]+)/u.exec(key)?.[1];
  if (chunk !== undefined) return `/skip ${chunk}`;
  if (key.startsWith("need:unassignable")) return `/assign ${scenario.chunks.at(-1)?.id ?? "c0"} default`;
  return "/resume";
}
