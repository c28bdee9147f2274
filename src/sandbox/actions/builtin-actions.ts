import type { BuiltinAction } from "./builtin/builtin-call.ts";
import { missCache, skipCacheSave } from "./builtin/cache.ts";
import { checkOut } from "./builtin/checkout.ts";
import { downloadArtifact } from "./builtin/download-artifact.ts";
import { setUpNode } from "./builtin/setup-node.ts";
import { uploadArtifact } from "./builtin/upload-artifact.ts";

/** GitHub's own actions this runner stands in for, whatever version is named. */
export const builtinActions: ReadonlyMap<string, BuiltinAction> = new Map([
  ["actions/checkout", checkOut],
  ["actions/setup-node", setUpNode],
  ["actions/upload-artifact", uploadArtifact],
  ["actions/download-artifact", downloadArtifact],
  ["actions/cache", missCache],
  ["actions/cache/restore", missCache],
  ["actions/cache/save", skipCacheSave],
]);
