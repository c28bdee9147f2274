import base from "../../../jest.config.mjs";

/**
 * What the mutants of one part are run against: that part's own tests, named by MUTATION_TESTS, with
 * reduced properties.
 */
export default {
  ...base,
  rootDir: "../../..",
  testMatch: (process.env.MUTATION_TESTS ?? "test/plan/**/*.test.ts").split(",").map((glob) => `<rootDir>/${glob}`),
  setupFiles: ["<rootDir>/tools/dev/mutation/setup.mjs"],
};
