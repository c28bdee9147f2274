/**
 * A reviewer's verdict, as the agent returns it. It is a claim: `src/review` verifies every quote
 * against the commit before anybody acts on it.
 */
import { z } from "zod";

export const evidenceSchema = z.strictObject({
  path: z.string().min(1).max(4096),
  /** 1-based, inclusive. */
  start: z.number().int().min(1),
  end: z.number().int().min(1),
  /** The exact text of these lines. */
  quote: z.string().min(1).max(8000),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** Test evidence: lines of a test file, or a plan check of the chunk that passed on this commit. */
const testEvidence = z.union([evidenceSchema, z.strictObject({ check: z.number().int().min(0) })]);

const criterion = z.discriminatedUnion("result", [
  z.strictObject({
    criterion: z.number().int().min(0).describe("Position in the list of criteria, from 0."),
    result: z.literal("pass"),
    implementation: z.array(evidenceSchema).min(1).max(20),
    tests: z.array(testEvidence).min(1).max(20),
  }),
  z.strictObject({
    criterion: z.number().int().min(0),
    result: z.literal("fail"),
    expected: z.string().min(1).max(4000),
    found: z.string().min(1).max(4000),
    where: evidenceSchema.nullable().describe("null when what is missing is nowhere."),
  }),
]);

export const findingSchema = z.strictObject({
  severity: z.enum(["blocking", "warning"]),
  title: z.string().min(1).max(300),
  expected: z.string().max(4000),
  found: z.string().max(4000),
  where: evidenceSchema,
});

export const verdictSchema = z.strictObject({
  v: z.literal(1),
  /** The request's job and commit, repeated: a verdict for another one is void. */
  job: z.string(),
  commit: z.string(),
  result: z.enum(["pass", "fail"]),
  criteria: z.array(criterion).max(500),
  findings: z.array(findingSchema).max(500),
  files_reviewed: z.array(z.string()).max(5000),
  summary: z.string().max(4000),
  /** final-review: the chunks the findings are about. */
  chunks: z.array(z.string()).max(1000).optional(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** One of the three blind plan reviewers. */
export const planVerdictSchema = z.strictObject({
  v: z.literal(1),
  job: z.string(),
  lens: z.enum(["feasibility", "completeness", "scope"]),
  result: z.enum(["pass", "fail"]),
  findings: z
    .array(
      z.strictObject({
        severity: z.enum(["blocking", "warning"]),
        /** A chunk's id, or "" for the plan as a whole. */
        chunk: z.string().max(100),
        title: z.string().min(1).max(300),
        evidence: z.string().min(1).max(4000),
      }),
    )
    .max(200),
  summary: z.string().max(4000),
});
export type PlanVerdict = z.infer<typeof planVerdictSchema>;
