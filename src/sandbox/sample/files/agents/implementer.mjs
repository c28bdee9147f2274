/**
 * Builds a chunk by its recipe. At the first try it is careless, as agents are; told what was wrong, it
 * does it properly.
 */
import { openWorkshop, Puzzled } from "./recipes/toolkit.mjs";

/** @returns {Promise<object | string>} a report, or prose when nothing came of it */
export async function implement(request, root) {
  const { chunk, attempt = 1, feedback = [] } = request;
  const recipe = await loadRecipe(chunk.id);
  if (recipe === null) return `I am not sure how to go about "${chunk.title}". Could you tell me more?\n`;
  const careful = attempt > 1 || feedback.length > 0;
  try {
    const report = await recipe.apply({ workshop: openWorkshop(root), chunk, attempt, careful });
    if (report !== null) return report;
    return `Looking at ${chunk.files.join(" and ")} first. The change seems straightforward; shall I go ahead?\n`;
  } catch (error) {
    if (error instanceof Puzzled) return `I got stuck: ${error.message}\n`;
    throw error;
  }
}

/** A chunk that continues another one, e.g. `commands-2`, has the same recipe. */
async function loadRecipe(id) {
  const name = id.replace(/-\d+$/, "");
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(name) || name === "toolkit") return null;
  try {
    return await import(new URL(`./recipes/${name}.mjs`, import.meta.url));
  } catch (error) {
    if (error.code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}
