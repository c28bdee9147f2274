/**
 * The `update` hook of every repository: it refuses single refs of a push with GitHub's sentences. What
 * the pusher may do comes in by environment from the HTTP side (`../git-http.ts`).
 * - SANDBOX_WORKFLOWS=deny: an App's token without `workflows` may not touch workflow files, see
 *   https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps and
 *   https://github.com/peter-evans/create-pull-request/issues/1713
 * - SANDBOX_LOCKED: one full ref per line that a ruleset protects from this pusher (GH013).
 */
export const RECEIVE_HOOK = `#!/bin/sh
ref="$1" old="$2" new="$3"
case "$new" in *[!0]*) ;; *) new="" ;; esac
case "$old" in *[!0]*) ;; *) old="" ;; esac
if printf '%s\\n' "$SANDBOX_LOCKED" | grep -qxF -- "$ref"; then
  echo "error: GH013: Repository rule violations found for $ref." >&2
  exit 1
fi
if [ "$SANDBOX_WORKFLOWS" = deny ] && [ -n "$new" ]; then
  if [ -n "$old" ]; then
    touched=$(git diff --name-only "$old" "$new" -- .github/workflows | head -n 1)
  else
    touched=$(git log --format= --name-only -m --first-parent "$new" --not --all -- .github/workflows | head -n 1)
  fi
  if [ -n "$touched" ]; then
    echo "refusing to allow a GitHub App to create or update workflow \\\`$touched\\\` without \\\`workflows\\\` permission" >&2
    exit 1
  fi
fi
exit 0
`;
