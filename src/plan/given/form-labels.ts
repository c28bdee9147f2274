/** Labels of the shipped issue form (src/worker/workflow/plan-form.yml): GitHub keeps nothing else of a field. */
export const FORM_LABELS = {
  brief: "What should be different",
  files: "Files that may change",
  checks: "Commands that must pass",
  assertions: "What a reviewer must find true",
  plan: "Plan with several chunks",
} as const;
