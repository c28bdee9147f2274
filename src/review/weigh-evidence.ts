/** What a located quote can prove: a comment proves no behaviour, a skipped test tests nothing. */

const slashes =
  /\.(?:[cm]?[jt]sx?|java|kts?|scala|groovy|go|rs|c|cc|cpp|h|hpp|cs|swift|php|dart|vue|svelte|css|scss|less)$/iu;
const hashes = /\.(?:py|rb|sh|bash|zsh|pl|ex|exs|ya?ml|toml|php|r|jl)$/iu;
const dashes = /\.(?:sql|lua|hs|elm)$/iu;

/** Whether every line of a quote is blank or a comment, as far as the file's name tells the language. */
export function isCommentOnly(path: string, quote: string): boolean {
  const starts: RegExp[] = [];
  if (slashes.test(path)) starts.push(/^(?:\/\/|\/\*|\*(?:\/|\s|$))/u);
  if (hashes.test(path)) starts.push(/^#(?!!)/u);
  if (dashes.test(path)) starts.push(/^--/u);
  if (starts.length === 0) return false;
  return quote.split("\n").every((line) => {
    const text = line.trim();
    if (text === "") return true;
    // Code may stand behind a comment that ends on the same line.
    const after = text.startsWith("/*") ? text.replace(/^\/\*.*?\*\//u, "").trim() : text;
    return after === "" || starts.some((start) => start.test(after));
  });
}

const skipped =
  /\b(?:it|test|describe|suite|context)\.(?:skip|todo)\b|\bx(?:it|test|describe)\s*\(|@(?:pytest\.mark\.skip|unittest\.skip|Ignore|Disabled)\b|\bt\.Skip(?:Now|f)?\(|#\[ignore|\bskip:\s*(?:true|["'])|\btodo:\s*true/u;

/** Whether a quote is of a test that does not run. */
export function isSkippedTest(quote: string): boolean {
  return skipped.test(quote);
}
