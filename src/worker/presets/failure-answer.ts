import type { Usage } from "../../contracts/job.ts";
import { classifyFailure } from "./classify-failure.ts";
import type { PresetAnswer } from "./preset.ts";

/** @param said the program's error text, as far as there is one. */
export function formatFailure(program: string, said: string, usage: Usage | null): PresetAnswer {
  const external = classifyFailure(said);
  if (external !== null) return { kind: "external", ...external, usage };
  const text = said.replaceAll(/\s+/gu, " ").trim().slice(-500);
  return {
    kind: "unusable",
    cause: text === "" ? `${program} failed without a word` : `${program} failed: ${text}`,
    usage,
  };
}
