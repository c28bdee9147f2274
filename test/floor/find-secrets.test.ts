import { describe, expect, it } from "@jest/globals";
import { findSecrets } from "../../src/floor/find-secrets.ts";

/** Written in pieces, so that no scanner takes this file for a leak. */
const body = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2dE3fG4hI5jK6";
const hex = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const keyWords = ["PRIVATE", "KEY"].join(" ");
const upper = "QWERTYUIOPASDFGH";
const samples: ReadonlyArray<readonly [string, string]> = [
  ["GitHub token", `ghp_${body.slice(0, 36)}`],
  ["GitHub token", `ghs_${body}`],
  ["GitHub fine-grained token", `github_pat_${body.slice(0, 22)}_${body}`],
  ["AWS access key id", `AKIA${upper}`],
  ["Anthropic key", `sk-ant-api03-${body}`],
  ["OpenAI key", `sk-proj-${body}`],
  ["Google API key", `AIza${body.slice(0, 35)}`],
  ["Slack token", `xoxb-1234567890-${body.slice(0, 24)}`],
  ["Stripe key", `sk_live_${body.slice(0, 24)}`],
  ["npm token", `npm_${body.slice(0, 36)}`],
  ["GitLab token", `glpat-${body.slice(0, 20)}`],
  ["Hugging Face token", `hf_${body.slice(0, 36)}`],
  ["SendGrid key", `SG.${body.slice(0, 22)}.${body.slice(0, 43)}`],
  ["DigitalOcean token", `dop_v1_${hex}`],
  ["private key", `-----BEGIN RSA ${keyWords}-----\n${body}${body}\n-----END RSA PRIVATE KEY-----`],
  ["private key", `"-----BEGIN ${keyWords}-----\\n${body}${body}"`],
];

describe("secrets in text", () => {
  it.each(samples)("are found: %s", (kind, sample) => {
    expect(findSecrets(`first line\nconst key = '${sample}';\n`)).toEqual([{ kind, line: 2 }]);
  });

  it.each([
    "const tokenPattern = /ghp_[A-Za-z0-9]{36}/;",
    "Set GITHUB_TOKEN to ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx in your shell.",
    "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
    "sk-ant-your-api-key-goes-here-and-nowhere-else-please",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "if (pem.startsWith('-----BEGIN RSA PRIVATE KEY-----')) return parse(pem);",
    `integrity sha512-${body}${body}==`,
    `commit ${hex.slice(0, 40)}`,
    "const stripe = process.env.STRIPE_SK_LIVE_KEY;",
    "class SG.Sample { }",
    "task-sk-learn-and-other-words-in-a-long-kebab-case-identifier-name",
    "https://example.com/AIza?x=1",
  ])("raise no false alarm: %s", (text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  it("are never repeated in the finding", () => {
    const sample = samples[0]?.[1] ?? "";
    expect(JSON.stringify(findSecrets(sample))).not.toContain(sample);
  });

  it("are looked for in linear time", () => {
    const started = performance.now();
    findSecrets("-----BEGIN PRIVATE KEY-----\n".repeat(20_000) + "A: b\n".repeat(100_000) + "sk-".repeat(200_000));
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
