/** The log of one job: secrets masked, size bounded. */
export interface JobLog {
  write(line: string): void;
  /** From now on the value (and each of its lines) is written as `***`. */
  mask(value: string): void;
  /** Whether a text holds something that is masked. */
  contains(text: string): boolean;
  /** Later writes are dropped: a background process may outlive its step for a moment. */
  close(): void;
}

/**
 * @param sink receives masked lines without line ends
 * @param maxBytes after which one notice is written and everything else is dropped
 */
export function createJobLog(sink: (line: string) => void, maxBytes: number): JobLog {
  const masks = new Set<string>();
  let ordered: readonly string[] = [];
  let left = maxBytes;
  let open = true;
  return {
    write(line) {
      if (!open) return;
      for (const part of line.split(/\r\n|\r|\n/)) {
        if (!open) return;
        const masked = ordered.reduce((text, secret) => text.replaceAll(secret, "***"), part);
        left -= Buffer.byteLength(masked) + 1;
        if (left < 0) {
          open = false;
          sink(`The log is cut here: it is larger than ${maxBytes} bytes.`);
        } else sink(masked);
      }
    },
    mask(value) {
      const lines = value.split(/\r\n|\r|\n/);
      for (const text of [value, ...lines, ...listEncodings(value), ...lines.flatMap(listEncodings)])
        if (text.trim() !== "") masks.add(text.trim());
      // The longest first: a secret that contains another must not leave its rest readable.
      ordered = [...masks].sort((a, b) => b.length - a.length);
    },
    contains: (text) => ordered.some((secret) => text.includes(secret)),
    close() {
      open = false;
    },
  };
}

/** Shorter secrets have encodings that occur by chance. */
const minEncodedLength = 8;

/**
 * The encodings in which tools print credentials; GitHub masks these as well. Base64 depends on what
 * stands before a secret, so all three alignments are covered, up to where the next bytes matter.
 */
function listEncodings(secret: string): readonly string[] {
  if (secret.length < minEncodedLength) return [];
  const bytes = Buffer.from(secret);
  const shifted = [0, 1, 2].map((shift) => {
    const rest = bytes.subarray(shift);
    return rest.toString("base64").slice(0, Math.floor((rest.length * 8) / 6));
  });
  return [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...shifted];
}
