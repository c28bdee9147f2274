/** Puts a role's prompt together: our instructions, then everything else as marked data. */
import { createHash } from "node:crypto";
import type { AgentRole } from "../../contracts/agent-request.ts";
import type { PlanLens } from "../../contracts/names.ts";
import { PROMPT_TEXTS } from "./prompt-texts.ts";

type PromptName = keyof typeof PROMPT_TEXTS;

export interface DataBlock {
  /** Lower-case word the instructions refer to. */
  readonly name: string;
  /** Untrusted text. */
  readonly text: string;
}

export interface PromptInput {
  readonly role: AgentRole;
  readonly job: string;
  readonly commit: string;
  readonly lens?: PlanLens;
  /** JSON Schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** implement: one sentence about what already stands in the work tree. */
  readonly start?: string;
  readonly blocks: readonly DataBlock[];
}

export interface BuiltPrompt {
  readonly text: string;
  /** Prompt files and their versions, e.g. `implement@1`; recorded with each attempt. */
  readonly version: string;
}

export function buildPrompt(input: PromptInput): BuiltPrompt {
  const instructions = loadPrompt(input.role);
  const common = loadPrompt("common");
  const lens = input.lens === undefined ? null : loadPrompt(`lens-${input.lens}`);
  const fence = deriveFence(input.job, input.blocks);
  const values: Readonly<Record<string, string>> = {
    fence,
    job: input.job,
    commit: input.commit,
    lens: lens?.text.trim() ?? "",
    lensName: input.lens ?? "",
    schema: JSON.stringify(input.schema),
    start: input.start ?? "",
  };
  const parts = [
    fill(instructions.text, values).trim(),
    fill(common.text, values).trim(),
    ...input.blocks.map((block) => formatBlock(fence, block)),
  ];
  const files = [`${input.role}@${instructions.version}`, `common@${common.version}`];
  if (lens !== null) files.push(`lens-${input.lens}@${lens.version}`);
  return { text: `${parts.join("\n\n")}\n`, version: files.join(" ") };
}

function formatBlock(fence: string, block: DataBlock): string {
  const text = block.text.endsWith("\n") ? block.text : `${block.text}\n`;
  return `<<<${fence} ${block.name}\n${text}${fence}>>> ${block.name}`;
}

/**
 * A border nobody can write into a block beforehand: it depends on the job and on every block, and it
 * occurs in none of them.
 */
export function deriveFence(job: string, blocks: readonly DataBlock[]): string {
  for (let round = 0; ; round += 1) {
    const hash = createHash("sha256").update(JSON.stringify([job, round, blocks]));
    const fence = `data-${hash.digest("hex").slice(0, 16)}`;
    if (!blocks.some((block) => block.text.includes(fence))) return fence;
  }
}

function loadPrompt(name: PromptName): { readonly text: string; readonly version: string } {
  const text: string = PROMPT_TEXTS[name];
  const match = /^version: (\d+)\n/u.exec(text);
  if (match?.[1] === undefined) throw new TypeError(`prompt ${name} has no version`);
  return { text: text.slice(match[0].length), version: match[1] };
}

/** @throws TypeError on a placeholder that nothing fills. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/gu, (_match, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`the prompt asks for {{${name}}}, which nothing fills`);
    return value;
  });
}
