/** Characters a person cannot see and a model can read. */

/** Scripts that cannot be spelt without joiners, and pictures made of several. */
const joined =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
/** A picture, or a digit of a keycap. */
const pictured = /[\p{Extended_Pictographic}\p{Emoji_Component}]/u;
/**
 * Control and format characters (tags and bidirectional controls among them), private use, unassigned, and
 * letters and marks without a shape of their own.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Variation_Selector}\u115f\u1160\u2028\u2029\u2800\u3164\uffa0]/u;

/** Combining grapheme joiner, Khmer inherent vowels. */
const shapelessMarks = new Set(["\u034f", "\u17b4", "\u17b5"]);

const maxMarks = 4;

/** Removes them; line ends become `\n`, other white space a blank, half surrogate pairs U+FFFD. */
export function stripInvisible(text: string): string {
  const characters = Array.from(text.toWellFormed().replaceAll(/\r\n?|[\u2028\u2029\u0085]/gu, "\n"));
  let result = "";
  let last = "";
  let marks = 0;
  for (const [index, character] of characters.entries()) {
    if (!isVisible(character, last, characters[index + 1] ?? "")) continue;
    const shown = /[^\S\n]/u.test(character) && character !== "\t" ? " " : character;
    // A pile of accents hides what stands below it.
    marks = /\p{M}/u.test(shown) ? marks + 1 : 0;
    if (marks > maxMarks) continue;
    result += shown;
    last = character;
  }
  return result.normalize("NFC");
}

function isVisible(character: string, before: string, after: string): boolean {
  if (character === "\n" || character === "\t") return true;
  if (!invisible.test(character) && !shapelessMarks.has(character)) return true;
  switch (character) {
    case "\u200c":
    case "\u200d":
      return joined.test(before) && joined.test(after);
    case "\ufe0e":
    case "\ufe0f":
      return pictured.test(before);
    default:
      return false;
  }
}
