import type { SandboxOptions } from "../../src/sandbox/sandbox-options.ts";
import { type HookReceiver, startReceiver } from "../sandbox/hook-receiver.ts";
import { createWorld, REPO } from "../sandbox/sandbox-world.ts";
import { buildGround } from "./build-ground.ts";
import { CONTRACT_WORKFLOW, type SandboxGround } from "./ground.ts";

const files = {
  "README.md": "# Shop\n\nSomething to sell.\n",
  "src/cart.js": "export const add = (a, b) => a + b;\n",
  [CONTRACT_WORKFLOW.path]: CONTRACT_WORKFLOW.text,
};

export interface OpenSandboxGround extends SandboxGround {
  close(): Promise<void>;
}

/** A local GitHub with one repository, people of every rank, and jobs that succeed at once. */
export async function openSandboxGround(
  options: Partial<SandboxOptions> = {},
  more: Readonly<Record<string, string>> = {},
): Promise<OpenSandboxGround> {
  const world = await createWorld({
    files: { ...files, ...more },
    runner: async (request, host) => {
      host.jobCompleted(host.jobStarted({ name: "work" }), "success");
      const inputs = request.event.name === "workflow_dispatch" ? request.event.inputs : {};
      return { conclusion: "success", runName: `contract ${inputs["request"] ?? ""}` };
    },
    ...options,
  });
  const { data } = await world.as(world.tokens.writer).rest.git.getRef({ ...REPO, ref: "heads/main" });
  const children: OpenSandboxGround[] = [];
  const receivers: HookReceiver[] = [];
  const ground = buildGround({
    octokit: world.app,
    repo: REPO,
    main: { name: "main", sha: data.object.sha },
    workflow: CONTRACT_WORKFLOW.path.split("/").at(-1) ?? "",
    prefix: "contract",
    async eventually(read, good) {
      await world.sandbox.idle();
      const value = await read();
      if (!good(value)) throw new Error("nothing is under way any more, and it has not happened");
      return value;
    },
  });
  return {
    ...ground,
    world,
    sandbox: world.sandbox,
    as: (who) => world.as(who === "nobody" ? null : world.tokens[who]),
    async elsewhere(otherOptions, otherFiles) {
      const child = await openSandboxGround(otherOptions, otherFiles);
      children.push(child);
      return child;
    },
    async receive(answer) {
      const receiver = await startReceiver(answer);
      receivers.push(receiver);
      world.sandbox.setWebhookTarget(receiver.url);
      return receiver;
    },
    async close() {
      for (const child of children) await child.close();
      await world.close();
      for (const receiver of receivers) await receiver.close();
    },
  };
}
