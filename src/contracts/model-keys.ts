/** The model keys the workflow file hands to the step that runs an agent: names of secrets. */
export const MODEL_KEYS = [
  "ANTHROPIC_API_KEY",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "OPENROUTER_API_KEY",
  "COPILOT_GITHUB_TOKEN",
] as const;
export type ModelKey = (typeof MODEL_KEYS)[number];
