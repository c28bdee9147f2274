/** Jest on ES modules; swc only strips the types (tsc checks them). */
export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/.stryker-tmp/", "<rootDir>/src/sandbox/sample/files/"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      {
        jsc: { parser: { syntax: "typescript" }, target: "es2024" },
        module: { type: "es6" },
        sourceMaps: "inline",
      },
    ],
  },
  testTimeout: 30_000,
  // Two cores: the end-to-end tests start processes of their own.
  maxWorkers: 2,
};
