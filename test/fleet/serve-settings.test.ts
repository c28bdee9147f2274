import { describe, expect, it } from "@jest/globals";
import { generateKeyPairSync } from "node:crypto";
import { UserError } from "../../src/contracts/errors.ts";
import { listSecrets, readServeSettings } from "../../src/fleet/serve-settings.ts";

const pem = (): string =>
  generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const [own, other] = [pem(), pem()];
const ENV = { APP_ID: "7", PRIVATE_KEY: own, WEBHOOK_SECRET: "a secret of this test" };

function refuse(env: Readonly<Record<string, string>>): string {
  try {
    readServeSettings(env);
    return "";
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  }
}

describe("a second App that reviews", () => {
  it("is not needed", () => {
    expect(readServeSettings(ENV).reviewer).toBeUndefined();
    expect(readServeSettings({ ...ENV, TASKFLEET_REVIEWER_APP_ID: "" }).reviewer).toBeUndefined();
  });

  it("has an id and a key of its own, as it is or in one line", () => {
    const reviewer = { appId: 8, privateKey: other };
    const id = { ...ENV, TASKFLEET_REVIEWER_APP_ID: "8" };
    expect(readServeSettings({ ...id, TASKFLEET_REVIEWER_PRIVATE_KEY: other }).reviewer).toEqual(reviewer);
    const line = Buffer.from(other).toString("base64");
    expect(readServeSettings({ ...id, TASKFLEET_REVIEWER_PRIVATE_KEY: line }).reviewer).toEqual(reviewer);
  });

  it.each([
    ["without a key", { TASKFLEET_REVIEWER_APP_ID: "8" }, "TASKFLEET_REVIEWER_PRIVATE_KEY"],
    ["with a name for an id", { TASKFLEET_REVIEWER_APP_ID: "reviewer" }, "TASKFLEET_REVIEWER_APP_ID"],
    ["that is our own", { TASKFLEET_REVIEWER_APP_ID: "7", TASKFLEET_REVIEWER_PRIVATE_KEY: own }, "our own App"],
  ])("is refused %s", (_name, env, said) => {
    expect(refuse({ ...ENV, ...env })).toContain(said);
  });

  it("has a key that is never shown", () => {
    const settings = readServeSettings({
      ...ENV,
      TASKFLEET_REVIEWER_APP_ID: "8",
      TASKFLEET_REVIEWER_PRIVATE_KEY: other,
    });
    const secrets = listSecrets(settings);
    for (const key of [own, other]) {
      expect(secrets).toContain(key);
      expect(secrets).toContain(key.split("\n")[2]);
    }
  });
});

describe("which GitHub it is", () => {
  it.each([
    [{}, undefined],
    [{ GHE_HOST: "" }, undefined],
    [{ GHE_HOST: "github.com" }, undefined],
    [{ GHE_HOST: "ghe.example" }, "https://ghe.example/api/v3"],
    [{ GHE_HOST: "ghe.example:8443", GHE_PROTOCOL: "http" }, "http://ghe.example:8443/api/v3"],
  ])("%j is told by the server's name", (env, baseUrl) => {
    expect(readServeSettings({ ...ENV, ...env }).baseUrl).toBe(baseUrl);
  });

  it.each([
    [{ GHE_HOST: "https://ghe.example" }, "GHE_HOST"],
    [{ GHE_HOST: "ghe.example/api/v3" }, "GHE_HOST"],
    [{ GHE_HOST: "me@ghe.example" }, "GHE_HOST"],
    [{ GHE_HOST: "ghe.example", GHE_PROTOCOL: "ftp" }, "GHE_PROTOCOL"],
  ])("%j is refused", (env, name) => {
    expect(refuse({ ...ENV, ...env })).toContain(name);
  });
});
