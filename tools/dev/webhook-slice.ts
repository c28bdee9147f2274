/**
 * `node tools/dev/webhook-slice.ts [folder]`: cuts GitHub's own description of its webhooks down to those the local
 * GitHub sends and writes test/fixtures/github-webhooks.json. The description is fetched by npm into a temporary
 * folder, or read from a folder that holds the unpacked package.
 */
import { writeFileSync } from "node:fs";
import {
  cutSchema,
  cutSchemas,
  find,
  formatLines,
  type Json,
  type JsonObject,
  object,
  readContent,
  readDescription,
} from "./cut-description.ts";

const version = "12.1.0";
const target = "test/fixtures/github-webhooks.json";

const sent: Readonly<Record<string, readonly string[]>> = {
  check_run: ["completed", "created", "requested_action", "rerequested"],
  check_suite: ["completed", "requested", "rerequested"],
  installation: ["suspend", "unsuspend"],
  issue_comment: ["created", "deleted", "edited"],
  issues: ["closed", "edited", "labeled", "locked", "opened", "reopened", "unlabeled", "unlocked"],
  pull_request: [
    "closed",
    "converted_to_draft",
    "edited",
    "labeled",
    "opened",
    "ready_for_review",
    "reopened",
    "synchronize",
    "unlabeled",
  ],
  pull_request_review: ["dismissed", "edited", "submitted"],
  push: [],
  repository: ["archived", "renamed", "unarchived"],
  status: [],
  workflow_run: ["completed", "in_progress", "requested"],
};

/** @returns `event.action` (or `event`) of the webhooks whose event the App hears, with their payloads' schemas. */
function formatSlice(description: JsonObject): string {
  const needed = new Set<string>();
  const webhooks = Object.entries(find(description, "webhooks"))
    .map(([, webhook]) => find(object(webhook), "post"))
    .map(({ operationId, requestBody }) => ({ name: formatName(operationId), body: readContent(requestBody) }))
    .filter(({ name }) => names.has(name))
    .map(({ name, body }) => [name, body === undefined ? null : cutSchema(body, needed)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{\n"source": "@octokit/openapi-webhooks ${version}, api.github.com",\n"webhooks": ${formatLines(webhooks)},\n"definitions": ${formatLines(cutSchemas(description, needed))}\n}\n`;
}

/** `pull-request/ready-for-review` is `pull_request.ready_for_review` in a delivery's headers and payload. */
function formatName(operation: Json | undefined): string {
  if (typeof operation !== "string") throw new Error("a webhook of the description has no name");
  return operation.replaceAll("-", "_").replace("/", ".");
}

const names = new Set(
  Object.entries(sent).flatMap(([event, actions]) =>
    actions.length === 0 ? [event] : actions.map((action) => `${event}.${action}`),
  ),
);
const description = readDescription(process.argv[2], "openapi-webhooks", version);
writeFileSync(target, formatSlice(description));
console.log(`${target} written`);
