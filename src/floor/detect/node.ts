import type { DetectedFloor } from "../effective-config.ts";
import { isObject, parseJson, type JsonObject } from "../readers/read-json.ts";
import {
  command,
  findFile,
  hasFile,
  LINT_REPORT,
  TEST_REPORT,
  TEST_REPORT_JSON,
  type RepositoryView,
} from "./repository-view.ts";

/** Node with npm, pnpm or yarn; vitest, jest, mocha or node:test. */
export function detectNode(view: RepositoryView): DetectedFloor | null {
  const text = view.readText("package.json");
  if (text === null) return null;
  const parsed = parseJson(text);
  const manifest = "value" in parsed && isObject(parsed.value) ? parsed.value : {};
  const dependencies = listDependencies(manifest);
  return {
    toolchain: command('echo "node $(node --version)"', 1),
    ...detectSetup(view, dependencies),
    ...detectTest(view, manifest, dependencies),
    ...detectTypecheck(view, dependencies),
    ...detectLint(view, dependencies),
  };
}

function listDependencies(manifest: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  for (const key of ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]) {
    const group = manifest[key];
    if (isObject(group)) for (const name of Object.keys(group)) names.add(name);
  }
  return names;
}

function detectSetup(view: RepositoryView, dependencies: ReadonlySet<string>): DetectedFloor {
  if (view.files.has("pnpm-lock.yaml")) return { setup: command("pnpm install --frozen-lockfile") };
  if (view.files.has("yarn.lock"))
    return { setup: command(`yarn install ${view.files.has(".yarnrc.yml") ? "--immutable" : "--frozen-lockfile"}`) };
  if (findFile(view, ["package-lock.json", "npm-shrinkwrap.json"]) !== null)
    return { setup: command("npm ci --no-audit --no-fund") };
  return dependencies.size === 0 ? {} : { setup: command("npm install --no-audit --no-fund --no-save") };
}

/** Runners are started directly where that is possible: a script may say anything. */
function detectTest(view: RepositoryView, manifest: JsonObject, dependencies: ReadonlySet<string>): DetectedFloor {
  if (dependencies.has("vitest"))
    return test(
      `npx --no-install vitest run --reporter=json --outputFile=${TEST_REPORT_JSON}`,
      TEST_REPORT_JSON,
      "vitest-json",
    );
  if (dependencies.has("jest"))
    return test(`npx --no-install jest --ci --json --outputFile=${TEST_REPORT_JSON}`, TEST_REPORT_JSON, "jest-json");
  if (dependencies.has("mocha"))
    return test(
      `npx --no-install mocha --reporter xunit --reporter-option output=${TEST_REPORT}`,
      TEST_REPORT,
      "junit",
    );
  const scripts = isObject(manifest["scripts"]) ? manifest["scripts"] : {};
  const script = typeof scripts["test"] === "string" ? scripts["test"] : "";
  if (/\bnode\b.*\s--test\b/u.test(script)) return test(`${reporting} npm test --silent`, TEST_REPORT, "junit");
  const named = hasFile(view, /(?:^|\/)(?:test\/.*|[^/]*[.\-_]test|test-[^/]*|test)\.[cm]?[jt]s$/u);
  if (script === "" && named) return test(`${reporting} node --test`, TEST_REPORT, "junit");
  return {};
}

/** node:test takes its reporter from the environment, too, whatever script starts it. */
const reporting = `NODE_OPTIONS="--test-reporter=junit --test-reporter-destination=${TEST_REPORT}"`;

function test(text: string, report: string, format: "junit" | "jest-json" | "vitest-json"): DetectedFloor {
  return { test: { ...command(text), report, format } };
}

function detectTypecheck(view: RepositoryView, dependencies: ReadonlySet<string>): DetectedFloor {
  if (!view.files.has("tsconfig.json") || !dependencies.has("typescript")) return {};
  return { typecheck: command("npx --no-install tsc --noEmit -p .") };
}

function detectLint(view: RepositoryView, dependencies: ReadonlySet<string>): DetectedFloor {
  if (dependencies.has("eslint") && hasFile(view, /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?)$/u))
    return {
      lint: {
        ...command(`npx --no-install eslint . -f json -o ${LINT_REPORT}`),
        report: LINT_REPORT,
        format: "eslint-json",
      },
    };
  if (dependencies.has("oxlint"))
    return { lint: { ...command("npx --no-install oxlint --format=checkstyle"), report: "-", format: "checkstyle" } };
  return {};
}
