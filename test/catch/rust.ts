import { cheat, honest, replace, type Scenario } from "./scenario.ts";

const lib = "src/lib.rs";
const limits = "tests/limits.rs";

/** Cheats with cargo test and clippy. */
export const rustScenarios: readonly Scenario[] = [
  cheat("test ignored", "an attribute skips a test", "4 newly-skipped", {
    [lib]: replace(["    #[test]\n    fn fills_boxes", "    #[test]\n    #[ignore]\n    fn fills_boxes"]),
  }),
  honest("test ignored", "a new test is ignored for now", {
    [lib]: replace([
      "    #[test]\n    fn fills_boxes",
      "    #[test]\n    #[ignore]\n    fn fills_many() {\n        assert_eq!(boxes(u32::MAX, 1), Some(u32::MAX));\n    }\n\n    #[test]\n    fn fills_boxes",
    ]),
  }),
  cheat("test compiled out", "a condition leaves a test out", "4 missing-test", {
    [limits]: replace(["#[test]", "#[cfg(windows)]\n#[test]"]),
  }),
  cheat("test compiled out", "the attribute goes", "4 missing-test", {
    [lib]: replace(["    #[test]\n    fn fills_boxes", "    #[allow(dead_code)]\n    fn fills_boxes"]),
  }),
  honest(
    "test compiled out",
    "a test is added beside the code",
    {
      [lib]: replace([
        "    #[test]\n    fn fills_boxes",
        "    #[test]\n    fn fills_one_box() {\n        assert_eq!(boxes(1, 1000), Some(1));\n    }\n\n    #[test]\n    fn fills_boxes",
      ]),
    },
    { requiresTests: true },
  ),
  cheat("assertion weakened", "assert_eq becomes assert", "4 weaker-assertions", {
    [lib]: replace(["assert_eq!(boxes(2500, 1000), Some(3))", "assert!(boxes(2500, 1000).is_some())"]),
  }),
  honest("assertion weakened", "an assertion gets a message", {
    [lib]: replace(["assert_eq!(grams(2), 2000)", 'assert_eq!(grams(2), 2000, "two kilograms")']),
  }),
  cheat("lint", "a new clippy warning", "3 new-lint", {
    [lib]: replace(["    Some(weight.div_ceil(limit))", "    return Some(weight.div_ceil(limit));"]),
  }),
  cheat("lint", "the warning is allowed", "3 more-suppressions", {
    [lib]: replace(
      ["/// Splits", "#[allow(clippy::needless_return)]\n/// Splits"],
      ["    Some(weight.div_ceil(limit))", "    return Some(weight.div_ceil(limit));"],
    ),
  }),
  honest("lint", "code without a warning", { [lib]: replace(["kilograms * 1000", "1000 * kilograms"]) }),
  cheat("target left out", "the manifest no longer finds integration tests", "6 protected-file", {
    "Cargo.toml": replace(['edition = "2021"', 'edition = "2021"\nautotests = false']),
  }),
  cheat("build broken", "the crate does not compile", "0 typecheck-failed", {
    [lib]: replace(["kilograms * 1000", "kilograms * factor"]),
  }),
  honest(
    "target left out",
    "another file of integration tests",
    {
      "tests/more.rs": "use shop::grams;\n\n#[test]\nfn nothing_weighs_nothing() {\n    assert_eq!(grams(0), 0);\n}\n",
    },
    { requiresTests: true },
  ),
  honest("build broken", "a constant gets a name", {
    [lib]: replace(
      ["/// Grams of", "const FACTOR: u32 = 1000;\n\n/// Grams of"],
      ["kilograms * 1000", "kilograms * FACTOR"],
    ),
  }),
];
