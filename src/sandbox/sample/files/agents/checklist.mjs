/** The planner's answers to the pre-flight checklist: where the plan meets an item, or why it does not apply. */

const noEndpoints = "tally has no network endpoints";
const noScreens = "tally is a command-line tool without screens";
const noServices = "tally uses no external services and no credentials";

/**
 * @param {readonly { id: string, files_touched: readonly string[] }[]} chunks
 * @returns {{ item: string, where?: string, why_not?: string }[]}
 */
export function answerChecklist(chunks) {
  const all = chunks.map((chunk) => chunk.id).join(", ");
  const wiring = chunks.filter((chunk) => chunk.files_touched.includes("src/cli.js")).map((chunk) => chunk.id);
  const last = wiring.join(", ") || all;
  const met = {
    layers: `${all}: only src/store.js reads or writes the ledger's file`,
    "single-purpose": `${all}: at most three files each`,
    errors: `${last}: a RangeError of a module becomes a complaint and exit code 1 in src/cli.js`,
    "minimal-deps": `${all}: a chunk depends on the modules it imports`,
    parallel: "chunks that import nothing of each other have no deps between them",
    wiring: `${last}: puts every part on the command line`,
    "trust-boundaries": "arguments of the command line and the ledger's file come from people",
    "input-validation": "amounts, dates, months and categories are checked where they come in",
    "user-flows": `${last}: one command per flow, described in the README`,
    "view-states": `${last}: tables without rows show their head, complaints go to standard error`,
    mounting: `${last}: puts the new commands into src/cli.js`,
    coverage: "see the requirements, each with its chunks",
    tooling: "Node without dependencies throughout, tests with node:test",
    "chunk-size": `${all}: at most three files each`,
    splits: "the parts come first, what joins them depends on them",
  };
  const foreign = {
    configuration: noServices,
    endpoints: noEndpoints,
    messages: noEndpoints,
    protocol: noEndpoints,
    "status-codes": noEndpoints,
    "rate-limits": "nothing is expensive: one person, one file",
    authorisation: "whoever may read and write the ledger's file may use tally on it",
    secrets: noServices,
    screens: noScreens,
    "component-tree": noScreens,
    services: noServices,
    credentials: noServices,
    "service-checkpoint": noServices,
    degradation: noServices,
    "env-example": noServices,
    checkpoints: "the issue asks for no stop on the way",
  };
  return [
    ...Object.entries(met).map(([item, where]) => ({ item, where })),
    ...Object.entries(foreign).map(([item, why_not]) => ({ item, why_not })),
  ];
}
