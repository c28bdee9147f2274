/**
 * What goes into a workflow run and what comes out. A request holds ids and object names only (inputs
 * of a dispatch hold at most 65,535 characters: docs.github.com/en/rest/actions/workflows); texts travel
 * as git blobs, named by their hash, so that what an agent was told can be inspected for ever.
 */
import { z } from "zod";
import { capturesSchema } from "./captures.ts";
import { changeSetSchema } from "./change-set.ts";

export const ROLES = ["baseline", "plan", "plan-review", "implement", "floor", "review", "final-review"] as const;
export type Role = (typeof ROLES)[number];

const sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u);
const id = z.string().min(1).max(200);

export const jobRequestSchema = z.strictObject({
  v: z.literal(1),
  role: z.enum(ROLES),
  /** Run key. */
  run: id,
  /** Correlation id (JobId). */
  job: id,
  /** Revision of the plan this job works for; 0 before there is one. */
  planRev: z.number().int().min(0),
  /** The commit to check out. */
  commit: sha,
  chunk: id.optional(),
  attempt: z.number().int().min(1).optional(),
  /** The agent of the registry, and the model ("" = the agent's own default). */
  agent: id.optional(),
  model: z.string().max(200).optional(),
  /** plan-review: which of the three blind reviewers this is. */
  lens: z.enum(["feasibility", "completeness", "scope"]).optional(),
  /** implement, after a failure: the former attempt, whose difference is applied to `commit` first. */
  start: z.strictObject({ base: sha, head: sha }).optional(),
  /** review: the commit the change is measured against. */
  base: sha.optional(),
  /** floor: whose checks run on the commit. */
  checks: z.strictObject({ chunks: z.array(id).max(1000), acceptance: z.boolean() }).optional(),
  /** The default branch's head the configuration came from: `{tools}` in an agent's command is its tree. */
  tools: sha.optional(),
  /** Texts by the name of their git blob. */
  documents: z.strictObject({
    /** The configuration file as pinned; absent = defaults. */
    config: sha.optional(),
    intent: sha.optional(),
    /** plan.vN.json (or, for plan reviewers, the draft). */
    plan: sha.optional(),
    /** Violations, findings or validation errors of former tries, as data (JobFeedback). */
    feedback: sha.optional(),
  }),
});
export type JobRequest = z.infer<typeof jobRequestSchema>;

/** The document `feedback` names: never handed to a reviewer of chunks. */
export const jobFeedbackSchema = z.strictObject({
  v: z.literal(1),
  /** Sentences for the agent, one per violation, finding or validation error. */
  items: z.array(z.strictObject({ source: z.string().max(100), text: z.string().max(4000) })).max(500),
  /** implement: what has landed, and what its implementers say later ones should know. */
  context: z
    .array(z.strictObject({ source: z.string().max(100), text: z.string().max(4000) }))
    .max(500)
    .optional(),
  /** plan: the former draft, the running plan and what has landed, as JSON text. */
  draft: z.string().optional(),
  plan: z.string().optional(),
  landed: z.array(id).optional(),
  /** plan: what the person who asked for a new plan wrote. */
  request: z.string().max(65_536).optional(),
});
export type JobFeedback = z.infer<typeof jobFeedbackSchema>;

/** One artifact of this name per run, holding one file of this name. */
export const RESULT_ARTIFACT = "taskfleet-result";
export const RESULT_FILE = "result.json";
/** The most an artifact may unpack to (a zip bomb stops here), in bytes. */
export const RESULT_MAX_BYTES = 32 * 1024 * 1024;

export const implementContextSchema = z.object({
  services: z
    .array(z.object({ name: z.string().max(200), path: z.string().max(4096), purpose: z.string().max(1000) }))
    .max(100)
    .default([]),
  patterns: z.array(z.string().max(1000)).max(100).default([]),
});
export type ImplementContext = z.infer<typeof implementContextSchema>;

const usage = z.strictObject({
  inputTokens: z.number().int().min(0).nullable(),
  outputTokens: z.number().int().min(0).nullable(),
  usd: z.number().min(0).nullable(),
  model: z.string().max(200).nullable(),
});
export type Usage = z.infer<typeof usage>;

const common = {
  v: z.literal(1),
  job: id,
  /**
   * The commit that was checked out, for people. What counts is compared where it is said: `commit` of captures and
   * of a verdict, `base` of a change set.
   */
  commit: sha,
  /** The prompt files and their versions, e.g. `implement@1 common@1`; absent where no agent ran. */
  promptVersion: z.string().max(100).optional(),
};

/**
 * What ends an outside failure, where it is known:
 * - person: somebody must act (a key that is refused), `cause` says what is to be done;
 * - wait: it ends by itself (a usage limit, an outage), at `until` (ms since 1970) where the provider says so.
 */
export const remedySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("person") }),
  z.strictObject({ kind: z.literal("wait"), until: z.int().nonnegative().optional() }),
]);
export type Remedy = z.infer<typeof remedySchema>;
/** Tried again it fails again, until somebody has mended it. */
export const ASK_A_PERSON: Remedy = { kind: "person" };

/**
 * - done: there is a payload, still to be validated;
 * - unusable: the agent gave nothing that can be used (its fault: counted);
 * - external: a missing key, no network, a usage limit (nobody's try), `cause` says the smallest next step.
 */
export const jobResultSchema = z.discriminatedUnion("outcome", [
  z.strictObject({
    ...common,
    outcome: z.literal("done"),
    role: z.enum(ROLES),
    summary: z.string().max(4000),
    usage: usage.nullable(),
    payload: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("captures"), captures: capturesSchema }),
      z.strictObject({
        kind: z.literal("change-set"),
        changeSet: changeSetSchema,
        /** What the implementer says later ones should know: a claim, shown and handed on as data. */
        context: implementContextSchema.optional(),
      }),
      /** plan, plan-review, review, final-review: the agent's JSON as text, not yet validated. */
      z.strictObject({ kind: z.literal("text"), text: z.string() }),
    ]),
  }),
  z.strictObject({
    ...common,
    outcome: z.enum(["unusable", "external"]),
    role: z.enum(ROLES),
    cause: z.string().max(4000),
    usage: usage.nullable(),
    remedy: remedySchema.optional(),
  }),
]);
export type JobResult = z.infer<typeof jobResultSchema>;
