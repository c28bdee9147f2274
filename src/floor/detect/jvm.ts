import type { DetectedFloor } from "../effective-config.ts";
import { command, findFile, type RepositoryView } from "./repository-view.ts";

export function detectJvm(view: RepositoryView): DetectedFloor | null {
  if (view.files.has("pom.xml")) {
    const maven = view.files.has("mvnw") ? "./mvnw" : "mvn";
    return {
      toolchain: command("java -version 2>&1", 1),
      test: {
        ...command(`${maven} -B -ntp -q test`, 20),
        report: "**/target/{surefire,failsafe}-reports/TEST-*.xml",
        format: "junit",
      },
    };
  }
  if (findFile(view, ["build.gradle", "build.gradle.kts"]) === null) return null;
  const gradle = view.files.has("gradlew") ? "./gradlew" : "gradle";
  return {
    toolchain: command("java -version 2>&1", 1),
    test: {
      // Without --rerun-tasks an unchanged task runs nothing and writes nothing.
      ...command(`${gradle} --no-daemon --quiet test --rerun-tasks --continue`, 20),
      report: "**/build/test-results/*/TEST-*.xml",
      format: "junit",
    },
  };
}
