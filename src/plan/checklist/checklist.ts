/** What a checklist item concerns; `when` says which plans have to answer it. */
export interface ChecklistItem {
  /** Stable id that a draft's answer names. */
  readonly id: string;
  readonly section: ChecklistSection;
  /** The demand, as the planner reads it. */
  readonly demand: string;
}

export type ChecklistSection =
  | "architecture"
  | "dependencies"
  | "api"
  | "security"
  | "interface"
  | "external"
  | "completeness";

export const checklistSections: Readonly<Record<ChecklistSection, string>> = {
  architecture: "Architecture",
  dependencies: "Dependency graph",
  api: "API contract",
  security: "Security",
  interface: "User interface",
  external: "External dependencies",
  completeness: "Completeness",
};

/**
 * The pre-flight checklist. Every item is answered by every complex plan: where it is met, or why
 * it does not apply (no endpoints, no screens, no services). The graph's own rules are not asked
 * for here, since the App computes them (src/plan/lint, src/plan/rules).
 */
export const checklist: readonly ChecklistItem[] = [
  {
    id: "layers",
    section: "architecture",
    demand: "Data is reached through one layer made for it, never straight from a route or handler.",
  },
  { id: "single-purpose", section: "architecture", demand: "Each chunk has one purpose and about five files at most." },
  {
    id: "errors",
    section: "architecture",
    demand: "It is said how errors are typed and how they cross from one layer to the next.",
  },
  {
    id: "configuration",
    section: "architecture",
    demand: "Settings of external services come from the environment; nothing is hard-coded.",
  },
  { id: "minimal-deps", section: "dependencies", demand: "A chunk depends only on chunks whose result it uses." },
  {
    id: "parallel",
    section: "dependencies",
    demand: "Chunks that could be built at the same time do not wait for each other.",
  },
  {
    id: "wiring",
    section: "dependencies",
    demand: "A chunk joins the parts and makes the feature reachable; nothing stays built but unused.",
  },
  {
    id: "endpoints",
    section: "api",
    demand: "Every endpoint has its method, path, request schema, all status codes and error bodies.",
  },
  {
    id: "messages",
    section: "api",
    demand: "Every message of a socket or event protocol is listed, in both directions, with its type.",
  },
  {
    id: "protocol",
    section: "api",
    demand: "Heartbeat, reconnection and acknowledgement are decided where a connection stays open.",
  },
  { id: "status-codes", section: "api", demand: "Responses name their status code and what they contain." },
  { id: "trust-boundaries", section: "security", demand: "It is said which inputs are untrusted." },
  { id: "input-validation", section: "security", demand: "Every input has a schema and a largest size." },
  { id: "rate-limits", section: "security", demand: "Expensive operations have a rate limit." },
  { id: "authorisation", section: "security", demand: "It is said who may do what, and where that is enforced." },
  {
    id: "secrets",
    section: "security",
    demand: "It is said where secrets live and how they stay out of the repository.",
  },
  { id: "user-flows", section: "interface", demand: "Each flow has its trigger, steps and visible outcome." },
  { id: "screens", section: "interface", demand: "Each screen is sketched in text with what can be done on it." },
  { id: "view-states", section: "interface", demand: "Empty, loading and error states are defined for each view." },
  { id: "mounting", section: "interface", demand: "A chunk places the new views into the application." },
  { id: "component-tree", section: "interface", demand: "It is said which component shows which." },
  { id: "services", section: "external", demand: "All external services, APIs and SDKs are named." },
  { id: "credentials", section: "external", demand: "Needed credentials are named, with how to get them." },
  {
    id: "service-checkpoint",
    section: "external",
    demand: "A person confirms before the first chunk that needs an external service.",
  },
  { id: "degradation", section: "external", demand: "It is said what happens while credentials are missing." },
  { id: "env-example", section: "external", demand: "The example environment file lists every variable." },
  { id: "checkpoints", section: "completeness", demand: "Every stop for a person that was asked for is planned." },
  { id: "coverage", section: "completeness", demand: "Everything asked for is the work of at least one chunk." },
  { id: "tooling", section: "completeness", demand: "All chunks use the same package manager and tools." },
  { id: "chunk-size", section: "completeness", demand: "No chunk has more than about five files or three concerns." },
  { id: "splits", section: "completeness", demand: "Work that was split has its parts in order through deps." },
];
