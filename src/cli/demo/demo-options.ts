import type { Scenario } from "../../sandbox/sample/sample-issue.ts";
import type { LocalAgent } from "../local-agent/choose-agent.ts";
import type { Sighting } from "./sighting.ts";

/** The App's process, as a test may treat it in the middle of a run. */
export interface AppControl {
  /** Of the process that was started last; null before the first. */
  readonly webhookUrl: string | null;
  /** SIGKILL, without a chance to tidy up; resolves when the process is gone. */
  killApp(): Promise<void>;
  /** Starts it again on the same data; resolves when it answers. */
  startApp(): Promise<void>;
}

export interface DemoHooks {
  /** Called for everything seen on the local GitHub, in order. */
  onEvent?(event: Sighting, control: AppControl): void;
  /** Called when the App's process has ended although nobody here ended it. */
  onAppDeath?(control: AppControl): void;
  /** Called at the end, good or bad, while the local GitHub still answers. */
  onEnd?(stage: StageView, summary: DemoSummary | null): Promise<void>;
}

/** What a reader of the local GitHub needs. */
export interface StageView {
  /** `http://localhost:<port>` */
  readonly url: string;
  /** Root of the REST API. */
  readonly apiUrl: string;
  readonly owner: string;
  readonly repository: string;
  /** Carries the maintainer's token. */
  readonly cloneUrl: string;
  readonly maintainerToken: string;
  readonly issue: number;
}

export interface DemoOptions {
  readonly scenario: Scenario;
  /** An installed program in place of the sample's own; null or absent = the sample's. */
  readonly agent?: LocalAgent | null;
  /** Where progress goes; one call per line, without a line break. */
  readonly print: (line: string) => void;
  readonly colour: "on" | "off";
  /** With "off" the local GitHub does not limit requests. */
  readonly limits: "github" | "off";
  /** Ends the demo early; everything is cleaned up. */
  readonly signal?: AbortSignal;
  /** The most the whole run may take, in milliseconds. */
  readonly deadlineMs: number;
  /** Further settings of the App's process. */
  readonly appEnv?: Readonly<Record<string, string>>;
  readonly hooks?: DemoHooks;
}

export interface AttemptSummary {
  readonly n: number;
  readonly floor: "pass" | "fail" | null;
  readonly review: "pass" | "fail" | null;
  /** What stopped it; "" for the attempt that landed. */
  readonly reason: string;
}

export interface ChunkSummary {
  readonly id: string;
  readonly title: string;
  readonly attempts: readonly AttemptSummary[];
  /** The commit that landed it. */
  readonly landed: string | null;
}

/** What came of a demo, computed from the local GitHub's API and git alone. */
export interface DemoSummary {
  readonly outcome: "merged" | "escalated" | "cancelled" | "failed";
  readonly runKey: string | null;
  readonly issue: number;
  readonly featurePr: number | null;
  readonly planRevs: readonly number[];
  readonly chunks: readonly ChunkSummary[];
  readonly commits: {
    readonly fork: string | null;
    readonly integration: string | null;
    readonly merged: string | null;
  };
  /** Requests of the App alone. */
  readonly requests: { readonly total: number; readonly contentCreating: number; readonly perChunk: number };
  readonly seconds: number;
}
