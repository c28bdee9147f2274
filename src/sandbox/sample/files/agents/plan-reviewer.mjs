/** Three ways of looking at a plan, each blind to the others. Findings are blocking or warnings. */

/** @returns {object} a plan verdict */
export function reviewPlan(request) {
  const findings = lenses[request.lens](request);
  const blocking = findings.filter((finding) => finding.severity === "blocking").length;
  const { chunks } = request.plan;
  return {
    v: 1,
    job: request.job,
    lens: request.lens,
    result: blocking === 0 ? "pass" : "fail",
    findings,
    summary:
      blocking === 0
        ? `${summaries[request.lens]} (${chunks.length} chunks read).`
        : `${blocking} of ${findings.length} findings must be settled first.`,
  };
}

const summaries = {
  feasibility: "Every path exists or has a parent that does, and every chunk can be built on what it depends on",
  completeness: "Every point of the issue is answered by a chunk, and every chunk can be verified",
  scope: "Every chunk serves a point of the issue, and none does more than its files need",
};

const lenses = {
  feasibility({ plan, files }) {
    const findings = [];
    const known = new Set(files);
    const folders = new Set(files.flatMap((file) => parentFolders(file)));
    const ids = new Set(plan.chunks.map((chunk) => chunk.id));
    for (const chunk of plan.chunks) {
      for (const file of chunk.files_touched) {
        const parent = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
        if (known.has(file) || parent === "" || folders.has(parent)) continue;
        findings.push(block(chunk.id, "A path that cannot be right", `${file}: there is no folder ${parent}`));
      }
      for (const dep of chunk.deps ?? []) {
        if (!ids.has(dep)) findings.push(block(chunk.id, "Depends on a chunk that does not exist", dep));
      }
      for (const module of modulesSpokenOf(chunk.brief)) {
        const writers = plan.chunks.filter((other) => other.files_touched.includes(module));
        if (known.has(module) || writers.some((writer) => comesBefore(plan, writer.id, chunk.id))) continue;
        findings.push(block(chunk.id, "Builds on a file that will not be there", `${module} is neither in the tree nor written by an earlier chunk`));
      }
    }
    return findings;
  },

  completeness({ plan, intent }) {
    const findings = [];
    const requirements = plan.requirements ?? [];
    const givenUp = plan.task_brief?.out_of_scope ?? [];
    for (const point of listPoints(intent ?? "")) {
      const requirement = requirements.find(({ text }) => sameWords(text, point));
      const answered = requirement?.chunks.length > 0 || givenUp.includes(point) || mentionsMost(plan, point);
      if (!answered) findings.push(block("", "A point of the issue that no chunk answers", point));
    }
    for (const chunk of plan.chunks) {
      const idle = chunk.checks.filter(({ run }) => /^\s*(?:true|echo\b.*|exit 0|:)\s*$/.test(run) || /\|\|\s*true\s*$/.test(run));
      for (const { run } of idle) findings.push(block(chunk.id, "A check that cannot fail", run));
      const tests = chunk.files_touched.filter((file) => file.startsWith("test/"));
      const code = chunk.files_touched.filter((file) => file.startsWith("src/"));
      if (code.length > 0 && tests.length === 0) findings.push(block(chunk.id, "Code without a test file in scope", code.join(", ")));
    }
    return findings;
  },

  scope({ plan }) {
    const findings = [];
    const served = new Set((plan.requirements ?? []).flatMap(({ chunks }) => chunks));
    for (const chunk of plan.chunks) {
      const useful = served.has(chunk.id) || plan.chunks.some((other) => served.has(other.id) && comesBefore(plan, chunk.id, other.id));
      if (served.size > 0 && !useful) findings.push(block(chunk.id, "Nobody asked for this", chunk.title));
      const foreign = chunk.files_touched.filter((file) => !/^(?:src|test|docs|bin)\/|^README\.md$/.test(file));
      if (foreign.length > 0) findings.push(block(chunk.id, "Files a feature has no business with", foreign.join(", ")));
      if (chunk.files_touched.length > 5) findings.push(warn(chunk.id, "A chunk of many files", chunk.files_touched.join(", ")));
    }
    return findings;
  },
};

function block(chunk, title, evidence) {
  return { severity: "blocking", chunk, title, evidence };
}

function warn(chunk, title, evidence) {
  return { severity: "warning", chunk, title, evidence };
}

function parentFolders(file) {
  const folders = [];
  for (let at = file.indexOf("/"); at >= 0; at = file.indexOf("/", at + 1)) folders.push(file.slice(0, at));
  return folders;
}

/** Modules a brief names in backticks. */
function modulesSpokenOf(brief) {
  return new Set([...brief.matchAll(/`(src\/[\w./-]+\.js)`/g)].map((match) => match[1]));
}

/** Whether `first` is `second` or one of the chunks it depends on, however far down. */
function comesBefore(plan, first, second, seen = new Set()) {
  if (first === second) return true;
  if (seen.has(second)) return false;
  seen.add(second);
  const deps = plan.chunks.find((chunk) => chunk.id === second)?.deps ?? [];
  return deps.some((dep) => comesBefore(plan, first, dep, seen));
}

function listPoints(text) {
  return [...text.matchAll(/^\s*[-*]\s+(?:\[[ x]\]\s+)?(\S.*)$/gm)].map((match) => match[1].trim());
}

function words(text) {
  return new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []);
}

function sameWords(left, right) {
  const [one, other] = [words(left), words(right)];
  return one.size > 0 && [...other].every((word) => one.has(word));
}

/** Where a plan lists no requirements: most of a point's words stand in the briefs. */
function mentionsMost(plan, point) {
  const spoken = words(plan.chunks.map((chunk) => `${chunk.title} ${chunk.brief} ${(chunk.assertions ?? []).join(" ")}`).join(" "));
  const wanted = [...words(point)];
  return wanted.filter((word) => spoken.has(word)).length * 2 > wanted.length;
}
