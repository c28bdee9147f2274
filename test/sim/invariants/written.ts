import type { GitHubModel } from "../model/github-model.ts";
import type { ModelComment } from "../model/things.ts";

/** Also what people have deleted since: they have seen it. */
export function listWritten(model: GitHubModel): readonly ModelComment[] {
  return [...model.comments.values(), ...model.deletedComments.values()];
}
