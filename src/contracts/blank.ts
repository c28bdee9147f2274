const nothingVisible = /^[\p{White_Space}\p{Cc}\p{Cf}]*$/u;

/** True when nothing is left of the text after removing white space, control and format characters. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first > 0x20 && first < 0x7f) return false;
  return nothingVisible.test(text);
}
