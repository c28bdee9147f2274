/**
 * A command as it will run, with characters nobody sees made visible (`\u{202E}`): the person who
 * approves it must see what the shell sees.
 */
export function formatVisibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, formatCodePoint)
    .replaceAll(/(?! )\p{Zs}/gu, formatCodePoint);
}

function formatCodePoint(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase() ?? ""}}`;
}
