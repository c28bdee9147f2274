/** What the recipes write with: a checkout's files, and texts that wait beside the recipes. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Thrown when the tree is not what a recipe was written for. */
export class Puzzled extends Error {}

/**
 * @param {string} root the checkout
 */
export function openWorkshop(root) {
  return {
    /** The text of a file, "" when there is none. */
    async read(file) {
      try {
        return await readFile(path.join(root, file), "utf8");
      } catch (error) {
        if (error.code === "ENOENT") return "";
        throw error;
      }
    },
    async write(file, text) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), text);
    },
    /** A text of this folder, by its name without `.txt`. */
    async recall(name) {
      return await readFile(new URL(`${name}.txt`, import.meta.url), "utf8");
    },
  };
}

/** Replaces a text that must stand there; where the new one stands already nothing changes. */
export function replaceOnce(text, before, after) {
  if (text.includes(after)) return text;
  const at = text.indexOf(before);
  if (at < 0) throw new Puzzled(`nowhere in the file: ${before}`);
  return `${text.slice(0, at)}${after}${text.slice(at + before.length)}`;
}

/** Puts a block in front of an anchor, once. */
export function insertBefore(text, anchor, block) {
  if (text.includes(block)) return text;
  return replaceOnce(text, anchor, `${block}${anchor}`);
}

/** Puts a block behind an anchor, once. */
export function insertAfter(text, anchor, block) {
  if (text.includes(block)) return text;
  return replaceOnce(text, anchor, `${anchor}${block}`);
}

/** Puts a block at the end, once. */
export function append(text, block) {
  return text.includes(block) ? text : `${text}${block}`;
}

/** Adds names to an `import { … } from "source"` line, in alphabetical order. */
export function importNames(text, source, names) {
  const pattern = new RegExp(`import \\{ ([^}]+) \\} from "${source.replaceAll(".", "\\.")}";`);
  const match = pattern.exec(text);
  if (match === null) throw new Puzzled(`nothing is imported from ${source}`);
  const all = [...new Set([...match[1].split(", "), ...names])].sort(byName);
  return text.replace(match[0], `import { ${all.join(", ")} } from "${source}";`);
}

function byName(left, right) {
  return left.toLowerCase() < right.toLowerCase() ? -1 : 1;
}
