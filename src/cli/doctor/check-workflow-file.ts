/** Is the installed workflow the one this version installs, and is the worker pinned? */
import { WORKFLOW_PATH } from "../../contracts/names.ts";
import type { RepositoryPort } from "../../github/port.ts";
import { loadVersion } from "../init/resolve-worker.ts";
import { loadWorkflowText } from "../init/setup-files.ts";
import { type Finding, ok } from "./finding.ts";

const uses = /uses:\s*taskfleet\/taskfleet\/\.github\/actions\/worker@(\S+)(?:[ \t]+#[ \t]*(\S+))?/gu;

/** Nothing is said of a missing file: the preflight does. */
export async function checkWorkflowFile(port: RepositoryPort, branch: string): Promise<readonly Finding[]> {
  const file = await port.loadFile(WORKFLOW_PATH, branch);
  if (file === null) return [];
  const version = await loadVersion();
  return [checkText(file.text, await loadWorkflowText({ ref: version, version })), checkPin(file.text, version)];
}

function checkText(installed: string, shipped: string): Finding {
  if (normalise(installed) === normalise(shipped)) return ok("workflow", "as this version installs it");
  return {
    check: "workflow",
    level: "warning",
    what: `${WORKFLOW_PATH} differs from the one this version installs`,
    why: "Steps of your own are fine; a changed permission, secret or run name is not.",
    fix: "Compare it with `taskfleet init` in a fresh clone without the file.",
  };
}

/** The pin and the line ends may differ. */
function normalise(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(uses, "uses: worker")
    .replace(/^ *# `taskfleet init` replaces v0 .*\n/mu, "")
    .trim();
}

function checkPin(text: string, version: string): Finding {
  const pins = [...text.matchAll(uses)].map(([, ref = "", comment = ""]) => ({ ref, comment }));
  const refs = new Set(pins.map(({ ref }) => ref));
  const why = "The worker's code runs beside your model key and judges nothing, but what it reports is looked at.";
  if (refs.size === 0) return ok("worker", "another action than the released one is used");
  if (refs.size > 1)
    return {
      check: "worker",
      level: "problem",
      what: `several versions are used: ${[...refs].join(", ")}`,
      why,
      fix: "Use one everywhere in the file.",
    };
  const [{ ref, comment } = { ref: "", comment: "" }] = pins;
  if (!/^[0-9a-f]{40}$/u.test(ref))
    return {
      check: "worker",
      level: "warning",
      what: `the worker is named by ${ref}, which can be moved`,
      why,
      fix: "Pin it to the commit of the release, as `taskfleet init` does.",
    };
  if (comment !== "" && comment !== version)
    return {
      check: "worker",
      level: "warning",
      what: `the worker is ${comment}, this is ${version}`,
      why: "App and worker of one release are tested together.",
      fix: "Pin the commit of this version's release, as `taskfleet init` in a fresh clone writes it.",
    };
  return ok("worker", `pinned to ${ref.slice(0, 12)}${comment === "" ? "" : ` (${comment})`}`);
}
