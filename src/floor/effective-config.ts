import type { FloorConfig } from "../contracts/config.ts";
import type { GateNumber } from "../contracts/floor-result.ts";

/** What detection can fill in; everything else has a default. */
export type DetectedFloor = Partial<
  Pick<FloorConfig, "setup" | "toolchain" | "typecheck" | "test" | "lint" | "enumerate" | "coverage">
>;

/**
 * The commands in force. The configuration wins as a whole: once it names a test command, nothing of
 * that gate is detected any more.
 */
export function deriveFloorConfig(config: FloorConfig, detected: DetectedFloor): FloorConfig {
  const merged: FloorConfig = { ...config };
  for (const key of detectable) Object.assign(merged, pickCommand(key, config, detected));
  return merged;
}

const detectable = ["setup", "toolchain", "typecheck", "test", "lint", "enumerate", "coverage"] as const;

function pickCommand(key: (typeof detectable)[number], config: FloorConfig, detected: DetectedFloor): DetectedFloor {
  const value = config[key] ?? detected[key];
  return value === undefined ? {} : { [key]: value };
}

/** Gates 0 and 2 to 4 without which nothing guards a change; a person has to approve such a plan. */
export function listUnguardedGates(config: FloorConfig): readonly GateNumber[] {
  const gates: GateNumber[] = [];
  if (config.test === undefined && config.typecheck === undefined) gates.push(0);
  if (config.test === undefined) gates.push(2);
  if (config.lint === undefined) gates.push(3);
  if (config.test === undefined) gates.push(4);
  return gates;
}
