/**
 * Full Unicode case folding after NFC: two names with the same folding are one file, branch or id
 * on a case-insensitive disk.
 *
 * JavaScript has no folding function. Lower, upper, lower again reaches the same classes
 * (`ß`/`ẞ`/`SS`, Kelvin sign, `ſ`) with two exceptions that are set right here: final sigma, and
 * the dotless i, which folds to itself (CaseFolding.txt, status T applies to Turkic only).
 */
export function foldCase(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize("NFC").split("ı").map(foldPart).join("ı").normalize("NFC");
}

function foldPart(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

const nonAscii = /[^\0-\x7f]/;

function isAscii(text: string): boolean {
  return !nonAscii.test(text);
}
