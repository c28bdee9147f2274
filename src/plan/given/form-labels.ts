/** Labels of the shipped issue form (.github/ISSUE_TEMPLATE/taskfleet.yml): GitHub keeps nothing else of a field. */
export const FORM_LABELS = {
  brief: "What should be different",
  assertions: "What a reviewer must find true",
  untouched: "What must stay as it is",
  files: "Files that may change",
  checks: "Commands that must pass",
  plan: "Plan with several chunks",
} as const;
