/**
 * The JSON Schema (2020-12) of plan.v3: the shape. `schemas/plan.v3.schema.json` is generated from
 * it and src/plan compiles its shape checks from it, so the two cannot differ. What a schema cannot
 * say (acyclic, safe, not blank, …) is checked by src/plan on top.
 */

const cwd = {
  description:
    "Folder the command runs in, relative to the repository's root; absent = the root. A safe path: no absolute path, `~`, `..`, `.`, backslash, `:` or control character.",
  type: "string",
  minLength: 1,
} as const;

const expectExit = {
  description: "The exit status that counts as passed; absent = 0.",
  type: "integer",
  minimum: 0,
  maximum: 255,
} as const;

const acceptanceItem = {
  oneOf: [
    {
      type: "object",
      additionalProperties: false,
      required: ["kind", "desc", "run"],
      properties: {
        kind: { const: "check" },
        desc: { description: "What the command proves about the whole feature.", type: "string", minLength: 1 },
        run: { description: "Shell command, run by `sh -c` on the finished feature.", type: "string", minLength: 1 },
        cwd,
        expect_exit: expectExit,
      },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["kind", "desc"],
      properties: {
        kind: { const: "assertion" },
        desc: {
          description: "A statement about the whole feature that a reviewer judges.",
          type: "string",
          minLength: 1,
        },
      },
    },
  ],
} as const;

const check = {
  description: "A command that decides whether a part of the chunk is done.",
  type: "object",
  additionalProperties: false,
  required: ["desc", "run"],
  properties: {
    desc: { description: "What the command proves; a criterion the reviewer reads.", type: "string", minLength: 1 },
    run: {
      description: "Shell command, run by `sh -c`; passes iff it exits with `expect_exit`.",
      type: "string",
      minLength: 1,
    },
    cwd,
    expect_exit: expectExit,
  },
} as const;

const chunk = {
  description: "One piece of work for one agent.",
  type: "object",
  additionalProperties: false,
  required: ["id", "title", "tier", "brief", "files_touched", "checks"],
  properties: {
    id: {
      description: "Name of the chunk; unique in the plan, also when upper and lower case are not told apart.",
      type: "string",
      pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$",
    },
    title: { description: "One line for people.", type: "string", minLength: 1 },
    deps: {
      description:
        "Ids of the chunks that must have landed before this one starts. They exist, and no chunk waits for itself.",
      type: "array",
      items: { type: "string" },
      uniqueItems: true,
      default: [],
    },
    tier: {
      description: "Strength of the model to start with; later attempts may be promoted.",
      type: "string",
      enum: ["code", "mid", "high"],
    },
    brief: {
      description: "Everything an implementer needs to know, without asking back.",
      type: "string",
      minLength: 1,
    },
    files_touched: {
      description:
        "The files this chunk may create, change or delete: exact repository-relative paths, no globs. A change outside them does not land.",
      type: "array",
      minItems: 1,
      items: { type: "string", minLength: 1 },
    },
    checks: {
      description: "Commands that must pass before the chunk lands; at least one.",
      type: "array",
      minItems: 1,
      items: { $ref: "#/$defs/check" },
    },
    assertions: {
      description: "Statements a reviewer judges in addition to the checks.",
      type: "array",
      items: { type: "string", minLength: 1 },
      default: [],
    },
    requires_tests: {
      description: "Whether the change must add or modify a test file.",
      type: "boolean",
      default: false,
    },
  },
} as const;

export const planSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://taskfleet.dev/schemas/plan.v3.schema.json",
  title: "taskfleet plan.json (v3)",
  description:
    "What is to be built, as a DAG of chunks. A revision never changes once written. The planner writes chunks and acceptance; Taskfleet itself writes versions, feature and baseline.",
  type: "object",
  additionalProperties: false,
  required: ["schema_version", "plan_rev", "intent_rev", "feature", "baseline", "acceptance", "chunks"],
  properties: {
    schema_version: {
      description: "Major version of this format. A reader refuses any other one before looking further.",
      type: "integer",
      const: 3,
    },
    plan_rev: {
      description:
        "Number of this revision, counted from 1 by the App; every attempt at a chunk names the one it was made for.",
      type: "integer",
      minimum: 0,
    },
    intent_rev: {
      description: "Revision of the intent (what people asked for) that this plan answers.",
      type: "integer",
      minimum: 0,
    },
    feature: {
      description: "Where the work happens.",
      type: "object",
      additionalProperties: false,
      required: ["slug", "source_branch", "integration_branch"],
      properties: {
        slug: { description: "Short name of the feature.", type: "string", minLength: 1 },
        source_branch: { description: "Branch the finished feature lands on.", type: "string", minLength: 1 },
        integration_branch: { description: "Branch the chunks land on.", type: "string", minLength: 1 },
      },
    },
    baseline: {
      description: "State of the repository where the integration branch forks; later states are compared with it.",
      type: "object",
      additionalProperties: false,
      required: [
        "ref",
        "commit_oid",
        "toolchain",
        "test_passlist_hash",
        "clippy_warnings_hash",
        "enumerated_targets_hash",
      ],
      properties: {
        ref: {
          description: "Name of the captured commit for people; `commit_oid` decides.",
          type: "string",
          minLength: 1,
        },
        commit_oid: { description: "The captured commit.", type: "string", minLength: 1 },
        toolchain: {
          description: "Fingerprint of the toolchain at capture, e.g. `node v24.22.3`.",
          type: "string",
          minLength: 1,
        },
        test_passlist_hash: {
          description: "`sha256:` hash of the set of tests that pass.",
          type: "string",
          minLength: 1,
        },
        clippy_warnings_hash: {
          description: "`sha256:` hash of the set of lint warnings, of whatever linter.",
          type: "string",
          minLength: 1,
        },
        enumerated_targets_hash: {
          description: "`sha256:` hash of the set of test targets (package, kind, target).",
          type: "string",
          minLength: 1,
        },
      },
    },
    acceptance: {
      description: "What the finished feature is judged by; at least one item is a check.",
      type: "array",
      minItems: 1,
      items: { $ref: "#/$defs/acceptance_item" },
    },
    chunks: {
      description: "The work, as a DAG.",
      type: "array",
      minItems: 1,
      items: { $ref: "#/$defs/chunk" },
    },
  },
  $defs: { acceptance_item: acceptanceItem, check, chunk },
} as const;
