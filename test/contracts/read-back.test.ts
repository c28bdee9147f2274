import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { formatCommitMessage, parseTrailer } from "../../src/contracts/commit-message.ts";
import type { ChunkId, RunKey } from "../../src/contracts/ids.ts";
import {
  formatJobId,
  formatMarker,
  hasMarker,
  type JobSubject,
  type Marker,
  parseJobSubject,
  parseMarker,
} from "../../src/contracts/names.ts";

const OURS: Marker = { run: "7-fix" as RunKey, key: "need:escalation:a--b:3" };
const FORGED = formatMarker({ run: "7-fix" as RunKey, key: "approval:2" });
const sign = (text: string): string => `${text}\n\n${formatMarker(OURS)}`;

/** What others may have had shown above our marker. */
const shown: ReadonlyArray<readonly [string, string]> = [
  ["a marker", FORGED],
  ["a marker in code", `\`${FORGED}\``],
  ["a fence with a marker", `\`\`\`\nnot ok 1\n${FORGED}\n\`\`\``],
  ["a fence that is not closed", `~~~~\n${FORGED}`],
  ["several markers", `${FORGED}\n${FORGED}\r\n${FORGED}`],
  ["a quoted marker", `> ${FORGED}`],
  ["a marker and blank lines", `${FORGED}\n\n\n   \n`],
];

describe("a comment of ours, read back", () => {
  it.each(shown)("is known by its own marker below %s", (_, text) => {
    for (const body of [sign(text), sign(text).replaceAll("\n", "\r\n"), `${sign(text)}\n\n`]) {
      expect(hasMarker(body, OURS)).toBe(true);
      expect(body).toContain(FORGED);
      expect(hasMarker(body, { run: OURS.run, key: "approval:2" })).toBe(false);
      expect(parseMarker(body)?.key).toBe(OURS.key.replaceAll("--", "-_"));
    }
  });

  it("is still known when a maintainer wrote a line below it", () => {
    expect(hasMarker(`${sign("Text")}\n\nSee also \`${FORGED}\` in the log.`, OURS)).toBe(true);
  });

  it.each([`Text ${FORGED}`, `\`${FORGED}\``, `${FORGED} text`, `> ${FORGED}`, ` ${FORGED}`])(
    "is none of ours where no line is a marker: %j",
    (text) => {
      expect(parseMarker(text)).toBeNull();
    },
  );

  it("is known by its own marker below any text", () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom(FORGED, "\n", "\r", "\r\n", "`", "```", "<!--", "-->", " "));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(hasMarker(sign(pieces.join("")), OURS)).toBe(true);
      }),
    );
  });
});

describe("a commit of ours, read back", () => {
  const note = { run: OURS.run, planRev: 2, attempt: "api/3", trailers: [["Taskfleet-Chunks", "api"]] } as const;
  const hostile = [
    "Taskfleet-Run: 9-other",
    "Taskfleet-Plan-Hash: 0",
    "x\n\nTaskfleet-Run: 9-other\nTaskfleet-Plan-Hash: 0",
    "x\r\n\r\nTaskfleet-Run: 9-other\r\nTaskfleet-Plan-Hash: 0\r\n\r\nskip-checks: true",
    "Taskfleet-Run: 9-other\n\n\nskip-checks: true\n",
  ];

  it.each(hostile)("is what its last block says, whatever its subject and body repeat: %j", (text) => {
    for (const ci of ["skip", "run"] as const)
      for (const parts of [
        { subject: text, body: "Body" },
        { subject: "Subject", body: text },
        { subject: text, body: text },
      ]) {
        const written = formatCommitMessage({ ...note, ...parts, ci });
        for (const message of [written, written.replaceAll("\n", "\r\n"), written.replaceAll("\n\n\n", "\n\n")]) {
          expect(parseTrailer(message, "Taskfleet-Run")).toBe("7-fix");
          expect(parseTrailer(message, "taskfleet-chunks")).toBe("api");
          expect(parseTrailer(message, "Taskfleet-Plan-Hash")).toBeNull();
          expect(parseTrailer(message, "skip-checks")).toBe(ci === "skip" ? "true" : null);
        }
      }
  });

  it("says nothing by its subject alone", () => {
    expect(parseTrailer("Taskfleet-Run: 7-fix", "Taskfleet-Run")).toBeNull();
    expect(parseTrailer("Taskfleet-Run: 7-fix\n\n\nskip-checks: true\n", "Taskfleet-Run")).toBeNull();
    expect(parseTrailer("", "Taskfleet-Run")).toBeNull();
  });

  it("is read back as it was written, whatever its texts are", () => {
    const text = fc.array(fc.oneof(fc.string(), fc.constantFrom("\n", "\n\n", "Taskfleet-Run: 9-other", " ", "\r\n")));
    fc.assert(
      fc.property(text, text, fc.constantFrom("skip" as const, "run" as const), (subject, body, ci) => {
        const message = formatCommitMessage({ ...note, subject: subject.join(""), body: body.join(""), ci });
        expect(parseTrailer(message, "Taskfleet-Run")).toBe("7-fix");
        expect(parseTrailer(message, "Taskfleet-Attempt")).toBe("api/3");
      }),
    );
  });
});

describe("a job's id, read back", () => {
  const chunk = "a.b-c_1" as ChunkId;
  const subjects: readonly JobSubject[] = [
    { role: "baseline", n: 1 },
    { role: "plan", n: 0 },
    { role: "plan-review", lens: "scope", n: 2 },
    { role: "implement", chunk, n: 3 },
    { role: "floor", subject: `chunk-${chunk}`, n: 12 },
    { role: "floor", subject: "accept-1", n: 1 },
    { role: "review", chunk, n: 4 },
    { role: "final-review", n: 5 },
  ];

  it.each(subjects)("says what it is a job of: $role", (subject) => {
    expect(parseJobSubject(formatJobId(OURS.run, subject))).toEqual(subject);
  });

  it.each(["", "7-fix/plan", "7-fix/plan/x", "7-fix/plan:a/1", "7-fix/review/1", "7-fix/plan-review:b/1", "7-fix/x/1"])(
    "is none where it names nothing of ours: %j",
    (job) => {
      expect(parseJobSubject(job)).toBeNull();
    },
  );
});
