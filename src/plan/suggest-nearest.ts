/**
 * A hint for a name that is nearly one of the known ones, ready to be appended to a message
 * (`; did you mean "auth-api"?`), or the empty string.
 */
export function suggestNearest(name: string, known: Iterable<string>): string {
  const nearest = findNearest(name, known);
  return nearest === null ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
}

const maxCompared = 100;

/** The known name that differs least, at most by a third of its length (and by three edits); the first of equals. */
export function findNearest(name: string, known: Iterable<string>): string | null {
  if (name.length > maxCompared) return null;
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.min(3, Math.floor(Math.max(name.length, 3) / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= bestDistance || candidate === name) continue;
    const distance = countEdits(wanted, candidate.toLowerCase());
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let edits = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (same ? 0 : 1));
      // Before the first character there is nothing, which equals none.
      if (from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        edits = Math.min(edits, before[column - 2]! + 1);
      }
      current.push(edits);
    }
    before = previous;
    previous = current;
  }
  return previous[to.length]!;
}
