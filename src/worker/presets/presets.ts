import type { AgentConfig } from "../../contracts/config.ts";
import { claudePreset } from "./claude.ts";
import { codexPreset } from "./codex.ts";
import { commandPreset } from "./command.ts";
import { copilotPreset } from "./copilot.ts";
import { geminiPreset } from "./gemini.ts";
import { opencodePreset } from "./opencode.ts";
import type { Preset } from "./preset.ts";

export const PRESETS: Readonly<Record<AgentConfig["preset"], Preset>> = {
  claude: claudePreset,
  codex: codexPreset,
  command: commandPreset,
  copilot: copilotPreset,
  gemini: geminiPreset,
  opencode: opencodePreset,
};
