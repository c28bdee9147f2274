import type { Line, Mark } from "./narrate.ts";

export interface LineStyle {
  readonly colour: "on" | "off";
  /** Columns of the screen; an address that does not fit goes on a line of its own. */
  readonly width: number;
}

const signs: Readonly<Record<Mark, string>> = { step: "·", good: "✓", bad: "✗", ask: "?", say: "›", land: "★" };
const colours: Readonly<Record<Mark, number>> = { step: 2, good: 32, bad: 31, ask: 33, say: 36, land: 35 };
const whoWidth = 14;
const textStart = 8 + whoWidth + 3;

/** One or two lines: time, what it is about, what happened and why, where to look. */
export function formatLine(line: Line, { colour, width }: LineStyle): readonly string[] {
  const who = line.who.length > whoWidth ? `${line.who.slice(0, whoWidth - 1)}…` : line.who.padEnd(whoWidth);
  const head = `${formatClock(line.at)}  ${paint(who, 1, colour)} ${paint(signs[line.mark], colours[line.mark], colour)} `;
  const text = line.mark === "step" ? paint(line.text, 2, colour) : line.text;
  const address = paint(line.url, 2, colour);
  if (line.url === "") return [`${head}${text}`];
  const onOneLine = textStart + line.text.length + 2 + line.url.length <= width;
  return onOneLine ? [`${head}${text}  ${address}`] : [`${head}${text}`, `${" ".repeat(textStart)}${address}`];
}

/** Minutes and seconds, e.g. ` 1:07`. */
export function formatClock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param code an SGR code: 1 bold, 2 dim, 31 red, … */
export function paint(text: string, code: number, colour: "on" | "off"): string {
  return colour === "on" ? `\u001B[${code}m${text}\u001B[0m` : text;
}
