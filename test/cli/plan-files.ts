import { compileExecutionPlan } from "../../src/plan/compile/compile-execution-plan.ts";
import { buildContext } from "../plan/build-context.ts";
import { buildChunk, buildPlanOf, buildValidPlan, copyLoosely } from "../plan/build-valid-plan.ts";
import { createFolder, type Folder } from "./run-taskfleet.ts";

/** Valid, with one warning. */
export const improvable = buildPlanOf(buildChunk("a", { checks: [{ desc: "done", run: "npm test || true" }] }));

/** A folder with documents good and bad. */
export async function createPlanFolder(): Promise<Folder> {
  const folder = await createFolder();
  const broken = copyLoosely(buildValidPlan());
  broken.chunks[1].deps = ["stoer"];
  broken.chunks[0].tier = "hihg";
  await folder.write("plan.json", buildValidPlan());
  await folder.write("broken.json", broken);
  await folder.write("improvable.json", improvable);
  await folder.write("next.json", {
    ...buildValidPlan(),
    plan_rev: 2,
    chunks: [
      buildChunk("store", { title: "Other" }),
      buildChunk("api", { brief: "Serve what src/store/index.ts holds." }),
    ],
  });
  await folder.write("rewritten.json", { ...buildValidPlan(), intent_rev: 2 });
  await folder.write("execution.json", compileExecutionPlan(buildValidPlan(), buildContext()));
  await folder.write("syntax.json", '{\n  "schema_version": 3,\n  "plan_rev": 1,,\n}');
  await folder.write("neither.json", "{}");
  await folder.write("latin1.json", Uint8Array.of(0x22, 0xe9, 0x22));
  return folder;
}
