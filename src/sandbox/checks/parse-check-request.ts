import type { Body } from "../http/read-body.ts";
import { unprocessable, validationFailed } from "../http-problem.ts";
import type { Annotation, CheckAction, CheckConclusion, CheckRun, CheckStatus } from "../state/check.ts";

/** https://docs.github.com/en/rest/checks/runs#create-a-check-run */
const MAX_ANNOTATIONS = 50;
/** Counted in bytes. https://github.com/orgs/community/discussions/27190 */
const MAX_OUTPUT_BYTES = 65_535;
const MAX_ACTIONS = 3;
/** https://docs.github.com/en/rest/checks/runs#create-a-check-run: of an annotation's message and details, in bytes. */
const MAX_ANNOTATION_BYTES = 64 * 1024;
const MAX_ANNOTATION_TITLE = 255;

const STATUSES = ["queued", "in_progress", "completed", "waiting", "requested", "pending"] as const;
const CONCLUSIONS = [
  "success",
  "failure",
  "neutral",
  "cancelled",
  "skipped",
  "timed_out",
  "action_required",
] as const satisfies readonly CheckConclusion[];
const LEVELS = ["notice", "warning", "failure"] as const;

/** The fields a create or update request sets; absent ones are undefined. */
export interface CheckFields {
  readonly name?: string;
  readonly externalId?: string;
  readonly detailsUrl?: string;
  readonly status?: CheckStatus;
  readonly conclusion?: CheckConclusion;
  readonly startedAt?: number;
  readonly completedAt?: number;
  readonly title?: string;
  readonly summary?: string;
  readonly text?: string;
  /** To be appended. */
  readonly annotations: readonly Annotation[];
  readonly actions?: readonly CheckAction[];
}

function parseTime(body: Body, name: string): number | null {
  const text = body.optionalString(name);
  if (text === null) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw validationFailed({ resource: "CheckRun", field: name, code: "invalid" });
  return at;
}

function requireNumber(body: Body, name: string): number {
  const value = body.optionalNumber(name);
  if (value === null) throw unprocessable(`Invalid request.\n\n"${name}" wasn't supplied.`);
  return value;
}

function parseAnnotation(item: Body): Annotation {
  const level = item.optionalChoice("annotation_level", LEVELS);
  if (level === null) throw unprocessable(`Invalid request.\n\n"annotation_level" wasn't supplied.`);
  const annotation = {
    path: item.string("path"),
    start_line: requireNumber(item, "start_line"),
    end_line: requireNumber(item, "end_line"),
    start_column: item.optionalNumber("start_column"),
    end_column: item.optionalNumber("end_column"),
    annotation_level: level,
    message: item.string("message"),
    title: item.optionalString("title"),
    raw_details: item.optionalString("raw_details"),
  };
  checkAnnotation(annotation);
  return annotation;
}

/** Columns are for one line only, and texts have their sizes. https://docs.github.com/en/rest/checks/runs#create-a-check-run */
function checkAnnotation(annotation: Annotation): void {
  const refuse = (field: string, message: string) =>
    validationFailed({ resource: "CheckAnnotation", field, code: "custom", message });
  const columns = annotation.start_column !== null || annotation.end_column !== null;
  if (columns && annotation.start_line !== annotation.end_line) {
    throw refuse("start_column", "columns are allowed only when start_line and end_line are the same");
  }
  if (annotation.end_line < annotation.start_line) throw refuse("end_line", "end_line must not precede start_line");
  if ((annotation.title ?? "").length > MAX_ANNOTATION_TITLE) {
    throw refuse("title", `title is too long (maximum is ${MAX_ANNOTATION_TITLE} characters)`);
  }
  for (const field of ["message", "raw_details"] as const) {
    if (Buffer.byteLength(annotation[field] ?? "") > MAX_ANNOTATION_BYTES) {
      throw refuse(field, `${field} exceeds a maximum bytesize of ${MAX_ANNOTATION_BYTES}`);
    }
  }
}

function parseActions(body: Body): CheckAction[] | null {
  const items = body.optionalObjects("actions");
  if (items === null) return null;
  if (items.length > MAX_ACTIONS) {
    throw unprocessable(
      `Invalid request.\n\nNo more than ${MAX_ACTIONS} items are allowed; ${items.length} were supplied.`,
    );
  }
  return items.map((item) => {
    const action = {
      label: item.string("label"),
      description: item.string("description"),
      identifier: item.string("identifier"),
    };
    // https://docs.github.com/en/rest/checks/runs#create-a-check-run: 20, 40 and 20 characters.
    for (const [field, max] of [
      ["label", 20],
      ["description", 40],
      ["identifier", 20],
    ] as const) {
      if (action[field].length > max) {
        throw unprocessable(
          `Invalid request.\n\nOnly ${max} characters are allowed; ${action[field].length} were supplied.`,
        );
      }
    }
    return action;
  });
}

function checkLength(name: string, text: string | null): void {
  if (text !== null && Buffer.byteLength(text) > MAX_OUTPUT_BYTES) {
    throw validationFailed({
      resource: "CheckRun",
      field: name,
      code: "custom",
      message: `${name} exceeds a maximum bytesize of ${MAX_OUTPUT_BYTES}`,
    });
  }
}

/** Reads and limits the body of a request that creates or updates a check run. */
export function parseCheckRequest(body: Body, purpose: "create" | "update"): CheckFields {
  const conclusion = body.optionalChoice("conclusion", CONCLUSIONS);
  const status = body.optionalChoice("status", STATUSES) ?? (conclusion === null ? null : "completed");
  if (status === "completed" && conclusion === null) {
    throw unprocessable(`Invalid request.\n\n"conclusion" wasn't supplied.`);
  }
  const output = body.optionalObject("output");
  if (output !== null && !output.has("summary")) {
    throw unprocessable(`Invalid request.\n\n"summary" wasn't supplied.`);
  }
  // An update may leave the title as it is.
  if (purpose === "create" && output !== null && !output.has("title")) {
    throw unprocessable(`Invalid request.\n\n"title" wasn't supplied.`);
  }
  const fields = {
    name: body.optionalString("name"),
    externalId: body.optionalString("external_id"),
    detailsUrl: body.optionalString("details_url"),
    status: conclusion === null ? status : "completed",
    conclusion,
    startedAt: parseTime(body, "started_at"),
    completedAt: parseTime(body, "completed_at"),
    title: output?.optionalString("title") ?? null,
    summary: output?.optionalString("summary") ?? null,
    text: output?.optionalString("text") ?? null,
    actions: parseActions(body),
  };
  for (const name of ["title", "summary", "text"] as const) checkLength(name, fields[name]);
  const annotations = (output?.optionalObjects("annotations") ?? []).map(parseAnnotation);
  if (annotations.length > MAX_ANNOTATIONS) {
    throw unprocessable(
      `Invalid request.\n\nNo more than ${MAX_ANNOTATIONS} items are allowed; ${annotations.length} were supplied.`,
    );
  }
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  return { ...(Object.fromEntries(given) as Omit<CheckFields, "annotations">), annotations };
}

/** Sets what was given and keeps the rest; a completed check that is reopened loses its conclusion. */
export function applyCheckFields(run: CheckRun, fields: CheckFields, now: number): void {
  const { annotations, ...given } = fields;
  Object.assign(run, given);
  run.annotations.push(...annotations);
  if (run.status === "completed") run.completedAt = fields.completedAt ?? run.completedAt ?? now;
  else {
    run.conclusion = null;
    run.completedAt = null;
  }
}
