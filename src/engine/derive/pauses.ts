import type { Pause } from "../state.ts";

/** Who or what holds the run, as it follows "paused by". */
export function formatPauses(pauses: readonly Pause[]): string {
  return pauses.map(formatPause).join(" and ");
}

function formatPause({ why, by }: Pause): string {
  switch (why) {
    case "person":
      return by;
    case "edited":
      return `${by}'s edit of the issue`;
    case "feature-closed":
      return "the closing of the feature pull request";
    case "rebuilt":
      return "the loss of the App's database";
    case "toolchain":
      return "the toolchain changing again";
  }
}
