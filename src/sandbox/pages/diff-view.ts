import { html } from "hono/html";
import type { FileDiff } from "../git/diff.ts";
import { type DiffLine, parseDiffLines } from "../git/diff-lines.ts";
import type { Services } from "../services.ts";
import type { ReviewComment } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { type Html, renderAccount, renderTime } from "./layout.ts";
import { renderBody } from "./markdown-box.ts";

function renderCode(rows: readonly Html[]): Html {
  return html`<table class="diff">
    ${rows}
  </table>`;
}

function renderLine(line: DiffLine): Html {
  const text = line.hunk.slice(line.hunk.lastIndexOf("\n") + 1);
  const kind = line.left === null ? "add" : line.right === null ? "del" : "";
  return html`<tr class="${kind}">
    <td class="n">${line.left ?? ""}</td>
    <td class="n">${line.right ?? ""}</td>
    <td>${text}</td>
  </tr>`;
}

/** An inline comment with the lines above it. */
export function renderThread(services: Services, repository: Repository, comment: ReviewComment): Html {
  const lines = parseDiffLines(comment.diffHunk).slice(-4);
  return html`<div id="discussion_r${comment.id}">
    <div class="mono meta">${comment.path}:${comment.line}</div>
    ${renderCode(lines.map(renderLine))}
    <p>${renderAccount(comment.author)} ${renderTime(comment.createdAt)}</p>
    ${renderBody(services, repository, comment.body)}
  </div>`;
}

function renderFile(
  services: Services,
  repository: Repository,
  file: FileDiff,
  comments: readonly ReviewComment[],
): Html {
  const rows = parseDiffLines(file.patch ?? "").flatMap((line, index, all) => {
    const starts = all[index - 1] === undefined || line.position !== (all[index - 1]?.position ?? 0) + 1;
    const header = starts
      ? [
          html`<tr class="hunk">
            <td class="n"></td>
            <td class="n"></td>
            <td>${line.hunk.split("\n")[0]}</td>
          </tr>`,
        ]
      : [];
    const here = comments.filter((comment) => comment.position === line.position);
    return [
      ...header,
      renderLine(line),
      ...here.map(
        (comment) =>
          html`<tr>
            <td class="thread" colspan="3">
              <p>${renderAccount(comment.author)} ${renderTime(comment.createdAt)}</p>
              ${renderBody(services, repository, comment.body)}
            </td>
          </tr>`,
      ),
    ];
  });
  const name = file.previousPath === null ? file.path : `${file.previousPath} → ${file.path}`;
  return html`<div class="box">
    <div class="head mono">
      <b>${name}</b> · ${file.status}
      <span class="right"
        ><span class="plus">+${file.additions}</span> <span class="minus">−${file.deletions}</span></span
      >
    </div>
    ${file.patch === null ? html`<div class="body meta">Binary file, or too large to show.</div>` : renderCode(rows)}
  </div>`;
}

/** A whole diff, inline comments in their places. */
export function renderDiff(
  services: Services,
  repository: Repository,
  files: readonly FileDiff[],
  comments: readonly ReviewComment[] = [],
): Html {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return html`<p class="meta">
      ${files.length} changed files with <span class="plus">${additions} additions</span> and
      <span class="minus">${deletions} deletions</span>
    </p>
    ${files.map((file) =>
      renderFile(
        services,
        repository,
        file,
        comments.filter(({ path }) => path === file.path),
      ),
    )}`;
}
