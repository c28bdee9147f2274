import type { FloorInput } from "../floor-input.ts";
import { gatherCi } from "../gather-ci.ts";
import { buildIdleReport, buildReport, type GateReport } from "./gate-report.ts";

/** Gate 9: the repository's own checks on this commit. Checks that still run are no pass. */
export function judgeCi({ ci }: FloorInput): GateReport {
  if (ci === null) return buildIdleReport(9, "not-configured", "not gathered here");
  const gathered = gatherCi(ci);
  const passed = gathered.rows.filter((row) => row.state === "pass").length;
  const now = `${passed} of ${gathered.rows.length} pass`;
  switch (gathered.state) {
    case "pass":
      if (gathered.rows.length === 0) return buildIdleReport(9, "not-configured", "the repository has no checks");
      return buildReport(9, "", now, []);
    case "fail":
      return buildReport(9, "", now, gathered.violations);
    case "pending":
      return buildReport(9, "", now, [
        ...gathered.violations,
        { gate: 9, rule: "ci-pending", message: "The repository's own checks have not ended yet.", now },
      ]);
  }
}
