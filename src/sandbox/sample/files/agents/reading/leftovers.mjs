/** What has no place in a change, wherever it stands. */

const rules = [
  { pattern: /\b(?:test|it|describe)\.(?:skip|only|todo)\(|\{ *(?:skip|only|todo):/, tests: true, title: "A test that does not run" },
  { pattern: /\b(?:TODO|FIXME|XXX)\b/, tests: true, title: "Unfinished work" },
  { pattern: /\b(?:eslint-disable|@ts-ignore|@ts-nocheck)\b/, tests: true, title: "A warning that was silenced" },
  { pattern: /\bconsole\.log\(/, tests: false, title: "A trace that was left behind" },
  { pattern: /\beval\(|\bnew Function\(/, tests: true, title: "Text that is run as code" },
];

/**
 * @param {readonly object[]} files the changed files
 * @param {readonly string[] | undefined} scope the paths the change may touch; undefined = any
 * @returns {object[]} findings
 */
export function findLeftovers(files, scope) {
  return files.flatMap((file) => [...findOutside(file, scope), ...findByRules(file)]);
}

function findOutside(file, scope) {
  if (scope === undefined || scope.includes(file.path)) return [];
  const at = file.lines.findIndex((line, index) => file.added.has(index + 1) && line.trim() !== "");
  if (at < 0) return [];
  return [finding("A file outside of the chunk's scope", `changes in ${scope.join(", ")} only`, file, at)];
}

function findByRules(file) {
  const found = [];
  file.lines.forEach((line, index) => {
    if (!file.added.has(index + 1)) return;
    for (const { pattern, tests, title } of rules) {
      if (pattern.test(line) && (tests || !file.test)) found.push(finding(title, "nothing of the kind", file, index));
    }
  });
  return found;
}

function finding(title, expected, file, index) {
  const line = file.lines[index];
  const where = { path: file.path, start: index + 1, end: index + 1, quote: line };
  return { severity: "blocking", title, expected, found: line.trim(), where };
}
