/**
 * Draws up a plan: reads what the issue asks for, point by point, looks each point up in the catalogue
 * and adds what it builds on. For a new plan the person's request counts as one more point, and chunks
 * that have landed stay as they are.
 */
import { buildChunk, buildCommands, parts } from "./catalogue.mjs";
import { answerChecklist } from "./checklist.mjs";

export function plan(request) {
  const wishes = [...listPoints(request.intent ?? ""), ...(request.request ? [request.request] : [])];
  const missing = ["src/cli.js", "src/ledger.js", "README.md"].filter((file) => !request.files.includes(file));
  if (missing.length > 0) return { kind: "questions", questions: [`Where is ${missing.join(", ")}? I know tally by these files.`] };
  if (wishes.length === 0) return { kind: "questions", questions: ["What exactly shall be built? Please list it point by point."] };

  const running = (request.plan?.chunks ?? []).map((chunk) => chunk.id);
  const wanted = parts.filter((part) => running.includes(part.id) || wishes.some((wish) => part.asks?.test(wish)));
  const ids = withPrerequisites(wanted.filter((part) => !isDropped(part, request)));
  const dropped = parts.filter((part) => isDropped(part, request));
  const givenUp = wishes.filter((wish) => dropped.some((part) => part.asks?.test(wish)));
  const answered = wishes.filter((wish) => !givenUp.includes(wish));
  if (ids.length === 0) return { kind: "questions", questions: ["None of the points is about anything I know how to build."] };
  const kept = listKept(request);
  const planned = parts.filter((part) => ids.includes(part.id));
  const commands = buildCommands(kept.has("commands") ? "commands-2" : "commands", ids);
  const chunks = [
    ...kept.values(),
    ...planned.filter((part) => !kept.has(part.id)).map((part) => buildChunk(part, ids)),
    ...(sameCommands(kept.get("commands"), commands) ? [] : [commands]),
  ];
  return {
    kind: "plan",
    triage: chunks.length > 1 ? "complex" : "simple",
    title: firstLine(request.intent),
    goal: "tally answers by itself what the treasurer works out in a spreadsheet today.",
    task_brief: {
      type: "backend",
      complexity: "medium",
      inferred: { language: "JavaScript modules", tests: "node:test", dependencies: "none" },
      explicit_requirements: answered,
      implicit_requirements: ["Ledgers written by older versions stay readable.", "No new dependencies."],
      ambiguities: [],
      out_of_scope: ["Currencies", "Several ledgers at once", ...givenUp],
    },
    chunks,
    acceptance: buildAcceptance(ids),
    requirements: answered.map((text) => ({ text, chunks: mapWish(text, chunks) })),
    decisions: [
      { choice: "Pure functions on plain data, wired into the command line last", why: "the parts can be built and tested side by side" },
      { choice: "Entries without a category have no such key", why: "ledgers written by older versions stay as they are" },
      { choice: "Months are `YYYY-MM` texts", why: "they compare as text, and dates are texts already" },
    ],
    assignments: Object.fromEntries(chunks.map((chunk) => [chunk.id, pickBuilder(request.agents)])),
    unassignable: [],
    checklist: answerChecklist(chunks),
    open_questions: [],
    ...answerFindings(request.feedback),
  };
}

/** Findings of plan reviewers begin with an id; this planner draws the plan up anew and says so. */
function answerFindings(feedback = []) {
  const ids = feedback.flatMap((item) => (item.source.startsWith("review:") ? (/^F\d+/.exec(item.text) ?? []) : []));
  if (ids.length === 0) return {};
  return { answers: ids.map((finding) => ({ finding, fix: "Drawn up again from the issue's points and the catalogue." })) };
}

/** The points of a list in the issue. */
function listPoints(text) {
  return [...text.matchAll(/^\s*[-*]\s+(?:\[[ x]\]\s+)?(\S.*)$/gm)].map((match) => match[1].trim());
}

function withPrerequisites(wanted) {
  const ids = new Set();
  const add = (id) => {
    if (ids.has(id)) return;
    for (const need of parts.find((part) => part.id === id).needs) add(need);
    ids.add(id);
  };
  for (const part of wanted) add(part.id);
  return [...ids];
}

/** Whether the person who asks for a new plan wants to do without a part; what has landed stays. */
function isDropped(part, { request = "", landed = [] }) {
  if (landed.includes(part.id) || !/\b(?:drop|without|leave out|forget)\b/i.test(request)) return false;
  return part.asks?.test(request) || request.toLowerCase().includes(part.id);
}

/** Chunks of the running plan that have landed, by id. */
function listKept({ plan, landed = [] }) {
  const chunks = plan?.chunks ?? [];
  return new Map(chunks.filter((chunk) => landed.includes(chunk.id)).map((chunk) => [chunk.id, chunk]));
}

function sameCommands(kept, commands) {
  return kept !== undefined && kept.brief === commands.brief;
}

/**
 * The chunks that answer a point: those whose words it uses with the groundwork they need, and the
 * command line where it asks for commands or an option.
 */
function mapWish(text, chunks) {
  const asked = parts.filter((part) => part.asks?.test(text)).map((part) => part.id);
  const groundwork = parts.filter((part) => part.asks === null).map((part) => part.id);
  const needed = parts.filter((part) => asked.includes(part.id)).flatMap((part) => part.needs);
  const wiring = asked.length === 0 || /\bcommands?\b|--\w+/.test(text);
  return chunks
    .map((chunk) => chunk.id)
    .filter(
      (id) =>
        asked.includes(id) ||
        (groundwork.includes(id) && needed.includes(id)) ||
        (wiring && id.startsWith("commands")),
    );
}

function pickBuilder(agents = []) {
  const builder = agents.find((agent) => /\bwrites javascript\b/i.test(agent.description)) ?? agents[0];
  return builder?.name ?? "default";
}

function buildAcceptance(ids) {
  const sample = [
    'ledger="$(mktemp -d)/club.json"',
    'node bin/tally.js --file "$ledger" add 2026-03-01 120 Fees',
    'node bin/tally.js --file "$ledger" add 2026-03-04 -38.50 Rope --category boats',
  ];
  const items = [{ kind: "check", desc: "all tests of tally pass together: `run`, `addEntry` and the rest", run: "node --test" }];
  if (ids.includes("monthly-report")) {
    items.push({
      kind: "check",
      desc: "`report` shows entries with and without a category, also those that are `uncategorised`",
      run: [...sample, 'node bin/tally.js --file "$ledger" report 2026-03 | grep -e boats -e uncategorised'].join(" && "),
    });
    items.push({ kind: "assertion", desc: "`buildReport` counts entries without a category as `uncategorised`" });
  }
  if (ids.includes("search")) items.push({ kind: "assertion", desc: "`search` finds entries by text, `--category`, `--from` and `--to`" });
  if (ids.includes("csv-export")) items.push({ kind: "assertion", desc: "`report` with `--csv` gives the categories to a spreadsheet" });
  return items;
}

function firstLine(intent) {
  return intent.split("\n").find((line) => line.trim() !== "")?.replace(/^#+\s*/, "").trim() ?? "tally";
}
