import type { Chunk } from "../../contracts/plan.ts";

/** In capitals only: a `todo` may be what the plan is about. */
const placeholder = /\b(?:TODO|TBD|FIXME|XXX)\b|\?\?\?/;
const pointsElsewhere =
  /\b(?:as (?:discussed|described|above|agreed)|see (?:the )?(?:issue|ticket|above)|to be (?:decided|defined))\b/i;
const minWords = 8;

/** What is wrong with a chunk's brief, as the end of a sentence, or `null`. */
export function findBriefWeakness(chunk: Pick<Chunk, "title" | "brief" | "files_touched">): string | null {
  const brief = chunk.brief.trim();
  if (placeholder.test(brief) || pointsElsewhere.test(brief)) return "leaves something open or points elsewhere";
  if (normalise(brief) === normalise(chunk.title)) return "only repeats the title";
  const words = countWords(brief);
  return words < minWords ? `has ${words} ${words === 1 ? "word" : "words"}` : null;
}

const subject =
  "(?:it|this|that|all|everything|things?|(?:the |all |our )*(?:code|feature|chunk|change|changes|implementation|app|application|system|api|ui|page|module|function|functionality|solution|tests?))";
const praise =
  "(?:works?|functions?|behaves?|runs?|is (?:good|fine|ok|okay|done|complete|completed|correct|clean|ready|working|implemented|finished)|are (?:good|fine|ok|okay|done|complete|correct|clean|working|implemented)|looks? (?:good|fine|ok|nice|right|clean)|pass(?:es)?)";
const manner =
  "(?: (?:as (?:expected|intended|required|desired|specified|it should)|correctly|properly|well|fine|good|nicely|reliably|without (?:any )?(?:problems?|issues?|errors?|bugs?)|successfully|smoothly))*";
const vaguePatterns = [
  new RegExp(`^(?:${subject} )?(?:should |must |will )?${praise}${manner}$`),
  /^(?:good|high|decent|great) (?:code |overall )?quality$/,
  /^(?:no|without) (?:known |obvious |major )?(?:bugs|errors|issues|problems|regressions)$/,
  /^(?:clean|good|nice|readable|maintainable|robust|high[- ]quality|well[- ]written|idiomatic) (?:code|implementation|solution|design)$/,
  /^(?:the )?code (?:is|looks) .{0,20}(?:good|clean|readable|maintainable|nice)$/,
  /^(?:follows?|uses?) (?:the )?best practices$/,
  /^(?:handles?|covers?) (?:all )?(?:errors?|edge cases|everything)(?: correctly| properly)?$/,
  /^(?:user[- ]friendly|fast|performant|secure|scalable|robust|done|ok|okay|tbd|todo)$/,
];

/** True when nobody could say what would make the criterion false. */
export function isVague(text: string): boolean {
  const plain = normalise(text);
  return countWords(plain) === 1 || vaguePatterns.some((pattern) => pattern.test(plain));
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s.!,;:]+/gu, " ")
    .trim();
}

/** Words by blanks; scripts written without blanks count a word per two characters. */
function countWords(text: string): number {
  const blanks = text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return Math.max(blanks, Math.floor(dense / 2));
}
