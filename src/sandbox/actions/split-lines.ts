import { StringDecoder } from "node:string_decoder";

/** A line longer than this is delivered in pieces, so that output without line ends needs no memory. */
const maxLineCharacters = 65_536;

export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** Delivers what came after the last line end. */
  end(): void;
}

/** Turns chunks of UTF-8 into lines without their line ends. */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const take = (text: string): void => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    while (rest.length > maxLineCharacters) {
      onLine(rest.slice(0, maxLineCharacters));
      rest = rest.slice(maxLineCharacters);
    }
  };
  return {
    push: (chunk) => take(decoder.write(Buffer.from(chunk))),
    end() {
      take(decoder.end());
      if (rest !== "") onLine(rest);
      rest = "";
    },
  };
}
