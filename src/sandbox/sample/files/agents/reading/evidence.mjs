/** Where the change does what a criterion says, and where it is tested: paths, lines and exact quotes. */

const mostLines = 8;

/** The names and literals a criterion gives in backticks, options without their dashes. */
function listTerms(criterion) {
  return [...criterion.matchAll(/`([^`]+)`/g)].map((match) => match[1].replace(/^--/, ""));
}

/** Names have to be in the code itself; literals such as `2026-13` only in its tests. */
function listNames(criterion) {
  return listTerms(criterion).filter((term) => /^[A-Za-z_$][\w$]*$/.test(term));
}

/**
 * @returns {{ evidence: object[], missing: string[] }} the new lines that name what the criterion names,
 *   and the names that are nowhere
 */
export function findImplementation(criterion, files) {
  const names = listNames(criterion);
  const sources = files.filter((file) => !file.test && file.path.endsWith(".js"));
  const pool = sources.length > 0 && names.length > 0 ? sources : files.filter((file) => !file.test);
  const missing = names.filter((name) => !pool.some((file) => file.lines.some((line) => !isComment(line) && mentions(line, name))));
  const evidence = [];
  for (const file of pool) {
    for (const name of names) {
      const at = file.lines.findIndex((line, index) => file.added.has(index + 1) && !isComment(line) && mentions(line, name));
      if (at >= 0) evidence.push(quote(file, at, endOfBlock(file, at)));
    }
  }
  if (names.length === 0 && pool.length > 0) evidence.push(...pool.slice(0, 1).map(quoteFirstNewLine));
  return { evidence: withoutDoubles(evidence).slice(0, 5), missing: evidence.length === 0 ? [...missing, ...names.slice(0, 1)] : missing };
}

/** Tests of the change that name everything the criterion names, and assert something. */
export function findTests(criterion, files) {
  const terms = listTerms(criterion);
  const evidence = [];
  for (const file of files.filter((candidate) => candidate.test)) {
    for (const [start, end] of listTestBlocks(file)) {
      const lines = file.lines.slice(start, end + 1);
      const all = terms.every((term) => lines.some((line) => mentions(line, term)));
      const asserts = lines.findIndex((line) => /\bassert\b/.test(line));
      if (all && terms.length > 0 && asserts >= 0) evidence.push(quote(file, start, Math.min(end, start + mostLines - 1)));
    }
  }
  return evidence.slice(0, 3);
}

/** For a criterion that is not met: the new code that comes closest to it, or null. */
export function findNearest(criterion, files) {
  const words = new Set(criterion.toLowerCase().match(/[a-z]{5,}/g) ?? []);
  let best = null;
  for (const file of files.filter((candidate) => !candidate.test)) {
    file.lines.forEach((line, index) => {
      if (!file.added.has(index + 1) || isComment(line) || line.trim().length < 8) return;
      const score = [...words].filter((word) => line.toLowerCase().includes(word.replace(/(?:ies|y|s)$/, ""))).length;
      if (score > (best?.score ?? 0)) best = { score, file, index };
    });
  }
  return best === null ? null : quote(best.file, best.index, best.index);
}

function mentions(line, term) {
  if (!/^[\w$]+$/.test(term)) return line.includes(term);
  return new RegExp(`(?<![\\w$])${term.replaceAll("$", "\\$")}(?![\\w$])`).test(line);
}

function isComment(line) {
  return /^\s*(?:\/\/|\/?\*)/.test(line);
}

/** Tests start at the margin with `test(` and end with the next `});` at the margin. */
function listTestBlocks(file) {
  const blocks = [];
  file.lines.forEach((line, index) => {
    if (!/^test\(/.test(line) || !file.added.has(index + 1)) return;
    const end = file.lines.findIndex((other, later) => later > index && other === "});");
    if (end > index) blocks.push([index, end]);
  });
  return blocks;
}

/** The last line worth quoting from a line on: to the end of its block, of the new lines, or eight lines. */
function endOfBlock(file, start) {
  let end = start;
  while (end + 1 < file.lines.length && end - start + 1 < mostLines) {
    const next = file.lines[end + 1];
    if (next.trim() === "" || !file.added.has(end + 2)) break;
    end += 1;
    if (/^\S/.test(next)) break;
  }
  return end;
}

function quoteFirstNewLine(file) {
  const at = Math.max(0, file.lines.findIndex((line, index) => file.added.has(index + 1) && line.trim() !== ""));
  return quote(file, at, at);
}

/** @param {number} start from 0, as `end`, both included */
function quote(file, start, end) {
  return { path: file.path, start: start + 1, end: end + 1, quote: file.lines.slice(start, end + 1).join("\n") };
}

function withoutDoubles(evidence) {
  const seen = new Set();
  return evidence.filter(({ path, start }) => !seen.has(`${path}:${start}`) && seen.add(`${path}:${start}`));
}
