/** Holds payloads against GitHub's own description of its webhooks (tools/dev/webhook-slice.ts). */
import { Ajv, type ValidateFunction } from "ajv";
import { readFileSync } from "node:fs";
import path from "node:path";

interface Slice {
  readonly webhooks: Readonly<Record<string, object | null>>;
  readonly definitions: Readonly<Record<string, object>>;
}

export interface WebhookSchemas {
  /** `event.action`, or `event` where there are no actions. */
  readonly names: readonly string[];
  /** One sentence per thing GitHub's description does not allow; null for a webhook it does not know. */
  readonly findProblems: (name: string, payload: unknown) => readonly string[] | null;
}

export function loadWebhookSchemas(): WebhookSchemas {
  const file = path.join(import.meta.dirname, "../fixtures/github-webhooks.json");
  const slice = JSON.parse(readFileSync(file, "utf8")) as Slice;
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "webhooks", definitions: slice.definitions });
  const compiled = new Map<string, ValidateFunction>();
  return {
    names: Object.keys(slice.webhooks),
    findProblems(name, payload) {
      const schema = slice.webhooks[name];
      if (schema === undefined || schema === null) return null;
      const validate = compiled.get(name) ?? ajv.compile(pointAt(schema));
      compiled.set(name, validate);
      if (validate(payload)) return [];
      return (validate.errors ?? []).map(
        (error) => `${name} ${error.instancePath || "/"} ${error.message ?? ""} ${JSON.stringify(error.params)}`,
      );
    },
  };
}

/** References point into the slice. */
function pointAt(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', '"webhooks#/definitions/')) as object;
}
