import base from "../../jest.config.mjs";

/**
 * What a mutant is run against: the table tests of src/plan with reduced properties. Left out are
 * the tests that only ask the same of more, or of larger, documents.
 */
export default {
  ...base,
  rootDir: "../..",
  testMatch: ["<rootDir>/test/plan/**/*.test.ts"],
  testPathIgnorePatterns: ["drift-guard", "deep-chain"],
  setupFiles: ["<rootDir>/tools/dev/stryker-setup.mjs"],
};
