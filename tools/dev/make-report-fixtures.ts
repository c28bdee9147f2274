/**
 * `node tools/dev/make-report-fixtures.ts [TOOL…]`: runs real tools on `test/fixtures/report-samples`
 * and keeps what they report in `test/fixtures/tool-reports`, with the folder replaced by `/repo`. Tools
 * from npm are installed for the purpose; the others come from Debian (golang-go, bats, shellcheck,
 * python3-pytest, python3-coverage, pylint, python3-flake8, gcc, maven), cargo with clippy from rustup.
 * A tool that is not there keeps its former fixture, and the script says so.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

interface Recipe {
  readonly tool: string;
  /** Folder of the samples. */
  readonly sample: string;
  /** npm packages to install first. */
  readonly packages?: readonly string[];
  /** Shell line; its exit status does not matter, the samples fail on purpose. */
  readonly run: string;
  /** Fixture name -> file the tool wrote, glob of one file, or `-` for standard output, `2` for standard error. */
  readonly reports: Readonly<Record<string, string>>;
  /** Programs that must be there. */
  readonly needs?: readonly string[];
}

const recipes: readonly Recipe[] = [
  {
    tool: "node:test",
    sample: "node-test",
    run: "node --test --test-reporter=junit --test-reporter-destination=a.xml --test-reporter=tap --test-reporter-destination=a.tap sample.test.mjs; node --test --test-reporter=junit --test-reporter-destination=b.xml --test-reporter=tap --test-reporter-destination=b.tap parent.test.mjs",
    reports: {
      "node-test.junit.xml": "a.xml",
      "node-test.tap": "a.tap",
      "node-test-parent.junit.xml": "b.xml",
      "node-test-parent.tap": "b.tap",
    },
  },
  {
    tool: "jest",
    sample: "jest",
    packages: ["jest@30.5.2", "jest-junit@17.0.0"],
    run: "npx --no-install jest --ci --rootDir . --json --outputFile=a.json --reporters=default --reporters=jest-junit",
    reports: { "jest.json": "a.json", "jest-junit.junit.xml": "junit.xml" },
  },
  {
    tool: "vitest",
    sample: "vitest",
    packages: ["vitest@4"],
    run: "npx --no-install vitest run --reporter=json --outputFile=a.json; npx --no-install vitest run --reporter=junit --outputFile=a.xml",
    reports: { "vitest.json": "a.json", "vitest.junit.xml": "a.xml" },
  },
  {
    tool: "mocha",
    sample: "mocha",
    packages: ["mocha@11", "mocha-junit-reporter@2"],
    run: "npx --no-install mocha --reporter xunit --reporter-option output=a.xml '*.spec.cjs'; npx --no-install mocha --reporter mocha-junit-reporter --reporter-option mochaFile=b.xml '*.spec.cjs'; npx --no-install mocha --reporter tap '*.spec.cjs' > a.tap",
    reports: { "mocha-xunit.junit.xml": "a.xml", "mocha-junit-reporter.junit.xml": "b.xml", "mocha.tap": "a.tap" },
  },
  { tool: "tape", sample: "tape", packages: ["tape@5"], run: "node sample.cjs", reports: { "tape.tap": "-" } },
  {
    tool: "pytest",
    sample: "pytest",
    needs: ["pytest"],
    run: "python3 -m pytest -p no:cacheprovider -o junit_family=xunit1 --junitxml=a.xml; python3 -m pytest -p no:cacheprovider -o junit_family=xunit2 --junitxml=b.xml",
    reports: { "pytest-xunit1.junit.xml": "a.xml", "pytest-xunit2.junit.xml": "b.xml" },
  },
  {
    tool: "cargo test",
    sample: "cargo",
    needs: ["cargo"],
    run: "cargo test --offline --no-fail-fast 2>&1",
    reports: { "cargo-test.txt": "-" },
  },
  {
    tool: "clippy",
    sample: "cargo",
    needs: ["cargo"],
    run: "cargo clippy --offline --quiet --message-format=json",
    reports: { "clippy.json": "-" },
  },
  { tool: "go test", sample: "go", needs: ["go"], run: "go test -json ./...", reports: { "go-test.json": "-" } },
  {
    tool: "bats",
    sample: "bats",
    needs: ["bats"],
    run: "bats --formatter tap sample.bats",
    reports: { "bats.tap": "-" },
  },
  { tool: "Test::More", sample: "perl", needs: ["perl"], run: "perl sample.t", reports: { "perl.tap": "-" } },
  {
    tool: "surefire",
    sample: "surefire",
    needs: ["mvn"],
    run: "mvn -o -B -q test",
    reports: { "surefire.junit.xml": "target/surefire-reports/TEST-org.example.SampleTest.xml" },
  },
  {
    tool: "eslint",
    sample: "eslint",
    packages: ["eslint@9", "eslint-formatter-checkstyle@8", "@microsoft/eslint-formatter-sarif@3"],
    run: "npx --no-install eslint . -f json -o a.json; npx --no-install eslint . -f checkstyle -o a.xml; npx --no-install eslint . -f @microsoft/eslint-formatter-sarif -o a.sarif; npx --no-install eslint . -f stylish > a.txt",
    reports: { "eslint.json": "a.json", "eslint.checkstyle.xml": "a.xml", "eslint.sarif": "a.sarif" },
  },
  {
    tool: "oxlint",
    sample: "eslint",
    packages: ["oxlint@1.94.0"],
    run: "npx --no-install oxlint --ignore-pattern=node_modules --format=checkstyle > a.xml; npx --no-install oxlint --ignore-pattern=node_modules --format=unix > a.txt",
    reports: { "oxlint.checkstyle.xml": "a.xml", "oxlint.lines.txt": "a.txt" },
  },
  {
    tool: "c8",
    sample: "coverage-js",
    packages: ["c8@10"],
    run: "npx --no-install c8 --reporter=lcovonly --reporter=cobertura --reporter=json-summary node run.cjs",
    reports: {
      "c8.lcov": "coverage/lcov.info",
      "c8.cobertura.xml": "coverage/cobertura-coverage.xml",
      "c8.summary.json": "coverage/coverage-summary.json",
    },
  },
  {
    tool: "coverage.py",
    sample: "coverage-py",
    needs: ["python3-coverage"],
    run: "python3-coverage run --branch sums.py && python3-coverage json -o a.json && python3-coverage xml -o a.xml && python3-coverage lcov -o a.lcov",
    reports: { "coverage-py.json": "a.json", "coverage-py.cobertura.xml": "a.xml", "coverage-py.lcov": "a.lcov" },
  },
  {
    tool: "shellcheck",
    sample: "shell",
    needs: ["shellcheck"],
    run: "shellcheck -f checkstyle sample.sh > a.xml; shellcheck -f gcc sample.sh > a.txt",
    reports: { "shellcheck.checkstyle.xml": "a.xml", "shellcheck.lines.txt": "a.txt" },
  },
  {
    tool: "pylint",
    sample: "pylint",
    needs: ["pylint"],
    run: "pylint --score=n sample.py",
    reports: { "pylint.lines.txt": "-" },
  },
  {
    tool: "flake8",
    sample: "pylint",
    needs: ["/usr/bin/python3"],
    run: "/usr/bin/python3 -m flake8 sample.py",
    reports: { "flake8.lines.txt": "-" },
  },
  {
    tool: "gcc",
    sample: "gcc",
    needs: ["gcc"],
    run: "gcc -Wall -c sample.c -o /dev/null 2> a.txt",
    reports: { "gcc.lines.txt": "a.txt" },
  },
];

const samples = path.resolve("test/fixtures/report-samples");
const target = path.resolve("test/fixtures/tool-reports");
const wanted = new Set(process.argv.slice(2));
let missing = 0;
for (const recipe of recipes) {
  if (wanted.size > 0 && !wanted.has(recipe.tool)) continue;
  const reason = make(recipe);
  if (reason === null) console.log(`${recipe.tool}: ${Object.keys(recipe.reports).join(", ")}`);
  else {
    missing += 1;
    console.log(`${recipe.tool}: kept as it was (${reason})`);
  }
}
process.exitCode = missing === 0 ? 0 : 1;

/** @returns why no fixture could be made, or null. */
function make(recipe: Recipe): string | null {
  const absent = (recipe.needs ?? []).find((program) => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0);
  if (absent !== undefined) return `${absent} is not installed`;
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "report-fixture-")));
  try {
    cpSync(path.join(samples, recipe.sample), folder, { recursive: true });
    if (recipe.packages !== undefined) {
      const manifest = path.join(folder, "package.json");
      if (!existsSync(manifest)) writeFileSync(manifest, "{}\n");
      const install = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--no-save", ...recipe.packages], {
        cwd: folder,
      });
      if (install.status !== 0) return `npm install failed: ${install.stderr.toString().slice(-300)}`;
    }
    const run = spawnSync("sh", ["-c", recipe.run], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", NODE_OPTIONS: "" },
    });
    for (const [name, source] of Object.entries(recipe.reports)) {
      const text = source === "-" ? run.stdout.toString() : readOne(folder, source);
      if (text === null)
        return `${source} was not written: ${run.stdout.toString().slice(-500)}${run.stderr.toString().slice(-500)}`;
      // Surefire lists the whole machine.
      const lean = text.replaceAll(/^\s*<property name=.*\n/gmu, "");
      writeFileSync(path.join(target, name), lean.replaceAll(folder, "/repo").replaceAll(folder.slice(1), "repo"));
    }
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOne(folder: string, pattern: string): string | null {
  const [file] = globSync(pattern, { cwd: folder });
  return file === undefined ? null : readFileSync(path.join(folder, file), "utf8");
}
