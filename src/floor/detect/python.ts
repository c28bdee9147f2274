import type { DetectedFloor } from "../effective-config.ts";
import { command, findFile, hasFile, TEST_REPORT, type RepositoryView } from "./repository-view.ts";

const manifests = ["pyproject.toml", "setup.cfg", "setup.py", "requirements.txt", "tox.ini", "pytest.ini", "Pipfile"];

/** Python with pytest, or the standard library's unittest. */
export function detectPython(view: RepositoryView): DetectedFloor | null {
  const named = hasFile(view, /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/u);
  if (findFile(view, manifests) === null && !named) return null;
  const texts = [
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "requirements.txt",
    "requirements-dev.txt",
    "dev-requirements.txt",
    "Pipfile",
  ];
  const mentions = (word: RegExp): boolean => texts.some((path) => word.test(view.readText(path) ?? ""));
  const pytest = findFile(view, ["pytest.ini", "conftest.py", "tests/conftest.py"]) !== null || mentions(/\bpytest\b/u);
  return {
    toolchain: command("python3 --version", 1),
    ...detectSetup(view),
    ...(pytest ? pytestCommand : named ? unittestCommand : {}),
    ...(mentions(/\bruff\b/u) || findFile(view, ["ruff.toml", ".ruff.toml"]) !== null ? ruffCommand : {}),
    ...(mentions(/\bmypy\b/u) || findFile(view, ["mypy.ini", ".mypy.ini"]) !== null
      ? { typecheck: command("python3 -m mypy .") }
      : {}),
  };
}

function detectSetup(view: RepositoryView): DetectedFloor {
  if (view.files.has("uv.lock")) return { setup: command("uv sync --frozen") };
  if (view.files.has("poetry.lock")) return { setup: command("poetry install --no-interaction") };
  const list = findFile(view, ["requirements-dev.txt", "dev-requirements.txt", "requirements.txt"]);
  return list === null
    ? {}
    : { setup: command(`python3 -m pip install --quiet --disable-pip-version-check -r ${list}`) };
}

// The xunit1 family names file and line of every test; xunit2 leaves both out.
const pytestCommand: DetectedFloor = {
  test: {
    ...command(`python3 -m pytest -q -p no:cacheprovider -o junit_family=xunit1 --junitxml=${TEST_REPORT}`),
    report: TEST_REPORT,
    format: "junit",
  },
};

/** unittest has no report of its own: a small runner prints one TAP line a test. */
const unittestProgram = [
  "import sys, unittest",
  "class Tap(unittest.TestResult):",
  "  def __init__(self, *a, **k):",
  "    super().__init__(*a, **k); self.rows = []; self.sub = set()",
  "  def add(self, t, ok, note=''):",
  "    self.rows.append((ok, t.id() if hasattr(t, 'id') else str(t), note))",
  "  def addSuccess(self, t):",
  "    self.add(t, t.id() not in self.sub)",
  "  def addFailure(self, t, e):",
  "    super().addFailure(t, e); self.add(t, False)",
  "  def addError(self, t, e):",
  "    super().addError(t, e); self.add(t, False)",
  "  def addSkip(self, t, r):",
  "    super().addSkip(t, r); self.add(t, True, ' # SKIP')",
  "  def addExpectedFailure(self, t, e):",
  "    super().addExpectedFailure(t, e); self.add(t, True)",
  "  def addUnexpectedSuccess(self, t):",
  "    super().addUnexpectedSuccess(t); self.add(t, False)",
  "  def addSubTest(self, t, s, e):",
  "    super().addSubTest(t, s, e)",
  "    if e is not None: self.sub.add(t.id()); self.add(t, False)",
  "out = sys.stdout; sys.stdout = sys.stderr",
  "r = Tap(); unittest.defaultTestLoader.discover('.').run(r)",
  "print('TAP version 13', file=out)",
  "for i, (ok, n, note) in enumerate(r.rows, 1): print(('' if ok else 'not ') + 'ok %d - %s%s' % (i, n.replace(chr(92), chr(92) * 2).replace('#', chr(92) + '#').replace(chr(10), ' '), note), file=out)",
  "print('1..%d' % len(r.rows), file=out)",
  "sys.exit(0 if r.wasSuccessful() else 1)",
].join("\n");

const unittestCommand: DetectedFloor = {
  test: { ...command(`python3 - <<'TASKFLEET_END'\n${unittestProgram}\nTASKFLEET_END`), report: "-", format: "tap" },
};

const ruffCommand: DetectedFloor = {
  lint: { ...command("ruff check --no-cache --output-format=sarif ."), report: "-", format: "sarif" },
};
