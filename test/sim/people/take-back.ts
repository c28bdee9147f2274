import { formatBranch, parseBranch } from "../../../src/contracts/names.ts";
import { pushFiles, setRef } from "../model/branches.ts";
import { mayPush } from "./access.ts";
import { WILL } from "./cast.ts";
import { MINUTE, type Scene } from "./scene.ts";

/** Pushes to an integration branch and, a few minutes later, sets it back by force, unless it went on meanwhile. */
export function takeBack(scene: Scene): void {
  const { model, chance } = scene;
  scene.intend("pushes-aside", chance.int("pushes-aside-at", 20, 240) * MINUTE, "will pushes what he regrets", () => {
    const name = [...model.refs.keys()].map(parseBranch).findLast((branch) => branch?.kind === "integration");
    const branch = name === undefined || name === null ? null : formatBranch(name);
    const before = branch === null ? null : model.head(branch);
    if (branch === null || before === null || !mayPush(model)) return;
    const pushed = pushFiles(model, branch, WILL, "Too early", { "src/aside.js": "const aside = 1;\n" });
    scene.intend("takes-back", chance.int("takes-back-after", 1, 8) * MINUTE, "will sets the branch back", () => {
      if (model.head(branch) === pushed && mayPush(model)) setRef(model, branch, before, WILL);
    });
  });
}
