/** Words that follow a slash as parts of addresses and paths, although they come near a command's name. */
const PATH_WORDS = new Set(["channel", "parse", "ship", "skin", "state", "static", "tale", "tape"]);

/** Names up to so many letters allow for one slip, longer ones for two. */
const SHORT_NAME = 5;

/** Whether somebody may have meant one of these names: the same first letter, and one or two slips. */
export function isMistyped(written: string, names: readonly string[]): boolean {
  const word = written.toLowerCase();
  if (PATH_WORDS.has(word)) return false;
  return names.some(
    (name) => name[0] === word[0] && name !== word && isWithin(name, word, name.length <= SHORT_NAME ? 1 : 2),
  );
}

/** Letters left out, added, or written for another one, and neighbours that changed places, each count as one. */
function isWithin(name: string, word: string, slips: number): boolean {
  if (Math.abs(name.length - word.length) > slips) return false;
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: word.length + 1 }, (_, n) => n);
  for (let row = 1; row <= name.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= word.length; column += 1) {
      const same = name[row - 1] === word[column - 1];
      const swapped = row > 1 && name[row - 1] === word[column - 2] && name[row - 2] === word[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = next;
  }
  return (last.at(-1) ?? 0) <= slips;
}
