import { jestScenarios } from "./jest.ts";
import { nodeCode } from "./node-code.ts";
import { nodeTests } from "./node-tests.ts";
import { pythonScenarios } from "./python.ts";
import { rustScenarios } from "./rust.ts";
import type { Ecosystem } from "./scenario.ts";

export const ecosystems: readonly Ecosystem[] = [
  { base: "node", scenarios: [...nodeTests, ...nodeCode] },
  { base: "jest", scenarios: jestScenarios },
  { base: "python", scenarios: pythonScenarios },
  { base: "rust", scenarios: rustScenarios },
];
