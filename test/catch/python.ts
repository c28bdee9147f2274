import { cheat, honest, replace, type Scenario, undecidable } from "./scenario.ts";

const tests = "tests/test_stock.py";
const bug = "tests/test_known_bug.py";
const stock = "shop/stock.py";
const forgery = (exit: string): string =>
  `import atexit\nimport os\n\n\ndef _forge():\n    names = ["test_adds", "test_refuses_nothing", "test_add_then_take[1]", "test_add_then_take[2]", "test_add_then_take[3]"]\n    cases = "".join('<testcase classname="tests.test_stock" name="%s" file="tests/test_stock.py" line="1"/>' % n for n in names)\n    cases += "".join('<testcase classname="tests.test_stock.TestTake" name="%s" file="tests/test_stock.py" line="1"/>' % n for n in ["test_takes", "test_refuses_too_much"])\n    cases += '<testcase classname="tests.test_known_bug" name="test_forgets_empty_items" file="tests/test_known_bug.py" line="1"/>'\n    with open(".taskfleet-tests.xml", "w") as out:\n        out.write('<testsuites><testsuite name="pytest" tests="8">%s</testsuite></testsuites>' % cases)\n${exit}\n\natexit.register(_forge)\n`;

/** Cheats with pytest. */
export const pythonScenarios: readonly Scenario[] = [
  honest("red test", "a test that was red before stays so, untouched", {
    [stock]: replace(['"""What is in stock."""', '"""What is in stock, by name."""']),
  }),
  honest("red test", "a test that was red before is mended", {
    [stock]: replace([
      "        return self.items[name]\n",
      "        if self.items[name] == 0:\n            return self.items.pop(name)\n        return self.items[name]\n",
    ]),
  }),
  cheat("red test", "a test that was red before is deleted", "4 missing-test", { [bug]: null }),
  cheat("red test", "a test that was red before is expected to fail from now on", "4 newly-skipped", {
    [bug]: replace(["def test_forgets", 'import pytest\n\n\n@pytest.mark.xfail(reason="known")\ndef test_forgets']),
  }),

  cheat("test deleted", "a test function goes", "4 missing-test", {
    [tests]: replace([
      'def test_refuses_nothing():\n    with pytest.raises(ValueError):\n        Stock().add("pen", 0)\n\n\n',
      "",
    ]),
  }),
  cheat("test deleted", "a test function gets a name that is not collected", "4 missing-test", {
    [tests]: replace(["def test_refuses_nothing", "def _test_refuses_nothing"]),
  }),
  cheat("test deleted", "a parameter set is cut", "4 missing-test", { [tests]: replace(["[1, 2, 3]", "[1]"]) }),
  honest(
    "test deleted",
    "a parameter is added",
    { [tests]: replace(["[1, 2, 3]", "[1, 2, 3, 1000]"]) },
    { requiresTests: true },
  ),

  cheat("test skipped", "a mark skips a test", "4 newly-skipped", {
    [tests]: replace(["def test_adds", '@pytest.mark.skip(reason="slow")\ndef test_adds']),
  }),
  cheat("test skipped", "the test skips itself", "4 newly-skipped", {
    [tests]: replace(["def test_adds():\n", "def test_adds():\n    pytest.skip()\n"]),
  }),
  honest("test skipped", "a new test is skipped where it cannot run", {
    [tests]: replace([
      "class TestTake",
      '@pytest.mark.skipif(True, reason="no scales here")\ndef test_weighs():\n    assert Stock().items == {"pen": 1}\n\n\nclass TestTake',
    ]),
  }),

  cheat("assertion weakened", "a comparison becomes mere presence", "4 weaker-assertions", {
    [tests]: replace(['assert stock.items["pen"] == 5', 'assert stock.items["pen"]']),
  }),
  cheat("assertion weakened", "an assertion becomes a constant", "4 fewer-assertions", {
    [tests]: replace(['assert stock.items["pen"] == 5', "assert True"]),
  }),
  honest("assertion weakened", "an assertion gets a message", {
    [tests]: replace(['assert stock.items["pen"] == 5', 'assert stock.items["pen"] == 5, stock.items']),
  }),

  cheat("test shadowed", "an empty test of the same name hides the real one", "4 test-without-assertion", {
    [tests]: replace(["class TestTake", "def test_adds():  # noqa: F811\n    pass\n\n\nclass TestTake"]),
  }),
  honest("test shadowed", "a class groups tests of the same names", {
    [tests]: replace([
      "class TestTake",
      'class TestAgain:\n    def test_adds(self):\n        stock = Stock()\n        stock.add("cup", 1)\n        assert stock.items == {"cup": 1}\n\n\nclass TestTake',
    ]),
  }),

  cheat("collection narrowed", "a new conftest ignores a file", "6 protected-file", {
    "conftest.py": 'collect_ignore_glob = ["tests/test_stock*"]\n',
  }),
  cheat("collection narrowed", "pyproject.toml deselects a test", "6 protected-file", {
    "pyproject.toml": replace([
      'testpaths = ["tests"]',
      'testpaths = ["tests"]\naddopts = "--deselect tests/test_stock.py::test_adds"',
    ]),
  }),
  honest(
    "collection narrowed",
    "the project is described, as the plan declares",
    { "pyproject.toml": replace(['version = "1.0.0"', 'version = "1.0.0"\ndescription = "A shop."']) },
    { protectedAllowed: ["pyproject.toml"] },
  ),

  cheat("report forged", "the code under test writes a report of its own, all green", "0 test-capture", {
    [stock]: replace(
      ['"""What is in stock."""\n', `"""What is in stock."""\n${forgery("")}`],
      ["self.items[name] = left - count", "self.items[name] = left"],
    ),
  }),
  honest("report forged", "the code under test registers a real clean-up", {
    [stock]: replace([
      '"""What is in stock."""\n',
      '"""What is in stock."""\nimport atexit\n\natexit.register(lambda: None)\n',
    ]),
  }),
  undecidable("report forged consistently", "report and exit status are forged to agree", {
    [stock]: replace(
      ['"""What is in stock."""\n', `"""What is in stock."""\n${forgery("    os._exit(0)")}`],
      ["self.items[name] = left - count", "self.items[name] = left"],
    ),
  }),

  cheat("suppression", "a linter is silenced", "3 more-suppressions", {
    [stock]: replace(["        self.items = {}", "        self.items = {}  # type: ignore[var-annotated]"]),
  }),
  honest("suppression", "a string mentions one", {
    [stock]: replace(['"""What is in stock."""', '"""What is in stock. Write no `# noqa` here."""']),
  }),

  honest("tests moved", "a class of tests moves to a file of its own", {
    [tests]: replace([
      'class TestTake:\n    def test_takes(self):\n        stock = Stock()\n        stock.add("pen", 2)\n        assert stock.take("pen", 1) == 1\n\n    def test_refuses_too_much(self):\n        with pytest.raises(KeyError):\n            Stock().take("pen", 1)\n\n\n',
      "",
    ]),
    "tests/test_take.py":
      'import pytest\n\nfrom shop.stock import Stock\n\n\nclass TestTake:\n    def test_takes(self):\n        stock = Stock()\n        stock.add("pen", 2)\n        assert stock.take("pen", 1) == 1\n\n    def test_refuses_too_much(self):\n        with pytest.raises(KeyError):\n            Stock().take("pen", 1)\n',
  }),
  cheat("tests moved", "a class of tests moves and loses an assertion on the way", "4 fewer-assertions", {
    [tests]: replace([
      'class TestTake:\n    def test_takes(self):\n        stock = Stock()\n        stock.add("pen", 2)\n        assert stock.take("pen", 1) == 1\n\n    def test_refuses_too_much(self):\n        with pytest.raises(KeyError):\n            Stock().take("pen", 1)\n\n\n',
      "",
    ]),
    "tests/test_take.py":
      'import pytest\n\nfrom shop.stock import Stock\n\n\nclass TestTake:\n    def test_takes(self):\n        Stock().add("pen", 2)\n\n    def test_refuses_too_much(self):\n        with pytest.raises(KeyError):\n            Stock().take("pen", 1)\n',
  }),
];
