/** Zero configuration: what a repository's own files say about how it is checked. */
import { detectGo } from "./detect/go.ts";
import { detectJvm } from "./detect/jvm.ts";
import { detectNode } from "./detect/node.ts";
import { detectPython } from "./detect/python.ts";
import { detectRust } from "./detect/rust.ts";
import type { RepositoryView } from "./detect/repository-view.ts";
import type { DetectedFloor } from "./effective-config.ts";

/**
 * The commands of the first ecosystem that is at home in the root folder. What is not recognised is
 * left out: a gate without a command is told, never guessed.
 *
 * @param files all paths of the tree; @param readText null when there is no such file.
 */
export function detectFloor(files: readonly string[], readText: (path: string) => string | null): DetectedFloor {
  const view: RepositoryView = { files: new Set(files), readText };
  for (const detect of [detectNode, detectGo, detectRust, detectPython, detectJvm]) {
    const found = detect(view);
    if (found !== null) return found;
  }
  return {};
}
