/** Keys and tokens in text, by the shapes their makers document; ordinary code raises no alarm. */

export interface SecretFinding {
  /** What it looks like; the value itself is never repeated. */
  readonly kind: string;
  /** 1-based. */
  readonly line: number;
}

interface SecretShape {
  readonly kind: string;
  /** Cheap test before the expression: the text must hold it. */
  readonly hint: string;
  readonly pattern: RegExp;
}

const shapes: readonly SecretShape[] = [
  { kind: "GitHub token", hint: "gh", pattern: /\bgh[pousr]_[A-Za-z0-9_]{36,}/gu },
  {
    kind: "GitHub fine-grained token",
    hint: "github_pat_",
    pattern: /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{40,}/gu,
  },
  { kind: "AWS access key id", hint: "A", pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/gu },
  { kind: "Anthropic key", hint: "sk-ant-", pattern: /\bsk-ant-[A-Za-z0-9_-]{32,}/gu },
  {
    kind: "OpenAI key",
    hint: "sk-",
    pattern: /\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}|\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}/gu,
  },
  { kind: "Google API key", hint: "AIza", pattern: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/gu },
  { kind: "Slack token", hint: "xox", pattern: /\bxox[abeoprs]-[0-9]{6,}-[A-Za-z0-9-]{20,}/gu },
  {
    kind: "Slack webhook",
    hint: "hooks.slack.com",
    pattern: /hooks\.slack\.com\/services\/T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{20,}/gu,
  },
  { kind: "Stripe key", hint: "_live_", pattern: /\b[rs]k_live_[A-Za-z0-9]{20,}/gu },
  { kind: "npm token", hint: "npm_", pattern: /\bnpm_[A-Za-z0-9]{36}\b/gu },
  { kind: "PyPI token", hint: "pypi-AgE", pattern: /\bpypi-AgE[A-Za-z0-9_-]{50,}/gu },
  { kind: "GitLab token", hint: "glpat-", pattern: /\bglpat-[A-Za-z0-9_-]{20,}/gu },
  { kind: "Hugging Face token", hint: "hf_", pattern: /\bhf_[A-Za-z0-9]{34,}\b/gu },
  { kind: "SendGrid key", hint: "SG.", pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/gu },
  { kind: "DigitalOcean token", hint: "do", pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/gu },
  { kind: "Azure storage key", hint: "AccountKey=", pattern: /AccountKey=[A-Za-z0-9+/]{86}==/gu },
  { kind: "Shopify token", hint: "shp", pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/gu },
  {
    kind: "private key",
    hint: "PRIVATE KEY",
    // The header alone stands in documentation and parsers: key material must follow.
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|\s)*(?:[A-Za-z-]+: [^\n]*\n|\s)*[A-Za-z0-9+/=]{40,}/gu,
  },
];

/** The findings of a text in order of their lines, at most 20. */
export function findSecrets(text: string): readonly SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const { kind, hint, pattern } of shapes) {
    if (!text.includes(hint)) continue;
    for (const match of text.matchAll(pattern)) {
      if (isPlaceholder(match[0])) continue;
      findings.push({ kind, line: countLines(text, match.index) });
      if (findings.length >= 20) break;
    }
  }
  return findings.sort((a, b) => a.line - b.line).slice(0, 20);
}

/** `AKIAIOSFODNN7EXAMPLE`, `ghp_xxxx…`, `ghp_0000…`: made to be shown. */
function isPlaceholder(value: string): boolean {
  if (/example|placeholder|redacted|dummy|fake|your[_-]?(?:api|token|key)/iu.test(value)) return true;
  const body = value.slice(Math.min(8, value.length / 2));
  return new Set(body).size < 8;
}

function countLines(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
