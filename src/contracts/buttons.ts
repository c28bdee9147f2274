/**
 * Buttons on check runs: the commands that need no further words. GitHub allows three per check, a label
 * and an identifier of 20 characters and a description of 40 (docs.github.com/en/rest/checks/runs).
 */
export const BUTTONS = {
  approve: { label: "Approve", identifier: "approve", description: "Approve this plan revision" },
  resume: { label: "Resume", identifier: "resume", description: "Go on" },
  cancel: { label: "Cancel", identifier: "cancel", description: "End the run" },
} as const;

export type ButtonName = keyof typeof BUTTONS;

export interface CheckButton {
  readonly label: string;
  readonly identifier: string;
  readonly description: string;
}

export function isButtonName(text: string): text is ButtonName {
  return Object.hasOwn(BUTTONS, text);
}
