import type { RunState } from "../engine/state.ts";

/** Addresses of pages on GitHub, for one repository; every part that is not ours is percent-encoded. */
export interface Links {
  commit(sha: string): string;
  /** A file at a commit or branch. */
  file(ref: string, path: string): string;
  /** Lines of a file at a commit, 1-based and inclusive; `end` = `start` names one line. */
  lines(sha: string, path: string, start: number, end: number): string;
  /** A folder at a commit or branch. */
  folder(ref: string, path: string): string;
  /** A workflow run. */
  run(id: number): string;
  pull(number: number): string;
  issue(number: number): string;
  branch(name: string): string;
  /** A comment on an issue or pull request. */
  comment(on: number, id: number): string;
}

export function buildLinks(state: RunState): Links {
  const root = state.run.repository.url.replace(/\/+$/u, "");
  const file = (ref: string, path: string): string => `${root}/blob/${encodePath(ref)}/${encodePath(path)}`;
  return {
    commit: (sha) => `${root}/commit/${encodePath(sha)}`,
    file,
    lines: (sha, path, start, end) => `${file(sha, path)}#L${start}${end > start ? `-L${end}` : ""}`,
    folder: (ref, path) => `${root}/tree/${encodePath(ref)}/${encodePath(path)}`,
    run: (id) => `${root}/actions/runs/${id}`,
    pull: (number) => `${root}/pull/${number}`,
    issue: (number) => `${root}/issues/${number}`,
    branch: (name) => `${root}/tree/${encodePath(name)}`,
    comment: (on, id) => `${root}/issues/${on}#issuecomment-${id}`,
  };
}

/** A branch or path keeps its slashes; all that could end a Markdown link or an address is encoded. */
function encodePath(path: string): string {
  return path
    .toWellFormed()
    .split("/")
    .map((part) => encodeURIComponent(part).replaceAll(/[()!'*~]/gu, encodeSign))
    .join("/");
}

function encodeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
