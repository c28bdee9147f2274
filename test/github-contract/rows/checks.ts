import { answers, gives } from "../behaviour.ts";
import { type Area, asApp, everywhere, type Ground, inSandbox } from "../ground.ts";
import { DOCS, REPORTS } from "../links.ts";

function create({ octokit, repo }: Ground, sha: string, fields: object) {
  return octokit.rest.checks.create({ ...repo, name: "contract", head_sha: sha, ...fields });
}

function annotate(count: number, more: object = {}) {
  return Array.from({ length: count }, (_, n) => ({
    path: "README.md",
    start_line: n + 1,
    end_line: n + 1,
    annotation_level: "notice" as const,
    message: `Line ${n + 1}`,
    ...more,
  }));
}

const output = { title: "T", summary: "S" };
const button = { label: "Retry", description: "Try again", identifier: "retry" };

export const checks: Area = {
  title: "Checks and statuses",
  rows: [
    asApp("A check run stands on a commit that exists.", {
      expected: answers(422, "No commit found for SHA"),
      sources: [DOCS.checks],
      ask: (ground) => create(ground, "1".repeat(40), {}),
    }),
    asApp("Fifty annotations at a time.", {
      expected: answers(422),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: async (ground) =>
        create(ground, (await ground.branch()).sha, { output: { ...output, annotations: annotate(51) } }),
    }),
    asApp("Those of an update are added.", {
      expected: gives(3),
      sources: [`${DOCS.checks}#update-a-check-run`],
      ask: async (ground) => {
        const { sha } = await ground.branch();
        const { data } = await create(ground, sha, { output: { ...output, annotations: annotate(2) } });
        const target = { ...ground.repo, check_run_id: data.id };
        await ground.octokit.rest.checks.update({ ...target, output: { ...output, annotations: annotate(1) } });
        return (await ground.octokit.rest.checks.listAnnotations(target)).data.length;
      },
    }),
    asApp("Columns are for one line only.", {
      expected: answers(422),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: async (ground) =>
        create(ground, (await ground.branch()).sha, {
          output: { ...output, annotations: annotate(1, { end_line: 3, start_column: 1, end_column: 2 }) },
        }),
    }),
    asApp("An annotation's message has 64 KB at most.", {
      expected: answers(422),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: async (ground) =>
        create(ground, (await ground.branch()).sha, {
          output: { ...output, annotations: annotate(1, { message: "x".repeat(64 * 1024 + 1) }) },
        }),
    }),
    asApp("A summary has 65,535 bytes at most, whatever its characters.", {
      expected: answers(422),
      sources: [REPORTS.outputBytes],
      ask: async (ground) =>
        create(ground, (await ground.branch()).sha, { output: { title: "T", summary: "ü".repeat(32_768) } }),
    }),
    asApp("An output has a title.", {
      expected: answers(422),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: async (ground) => create(ground, (await ground.branch()).sha, { output: { summary: "S" } }),
    }),
    asApp("Three buttons at most.", {
      expected: answers(422),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: async (ground) => create(ground, (await ground.branch()).sha, { actions: [button, button, button, button] }),
    }),
    asApp("A button's label has 20 characters at most.", {
      expected: answers(422),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: async (ground) =>
        create(ground, (await ground.branch()).sha, { actions: [{ ...button, label: "x".repeat(21) }] }),
    }),
    asApp("A conclusion completes.", {
      expected: gives("completed"),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: async (ground) => (await create(ground, (await ground.branch()).sha, { conclusion: "success" })).data.status,
    }),
    asApp("Completing takes a conclusion.", {
      expected: answers(422),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: async (ground) => create(ground, (await ground.branch()).sha, { status: "completed" }),
    }),
    asApp("Nobody but GitHub calls a check stale.", {
      expected: answers(422),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: async (ground) => create(ground, (await ground.branch()).sha, { conclusion: "stale" }),
    }),
    asApp("Of one name the newest is listed, all of them on request.", {
      expected: gives([["success"], 2]),
      sources: [`${DOCS.checks}#list-check-runs-for-a-git-reference`],
      ask: async (ground) => {
        const { sha } = await ground.branch();
        await create(ground, sha, { conclusion: "failure" });
        await create(ground, sha, { conclusion: "success" });
        const list = async (filter: "latest" | "all") =>
          (await ground.octokit.rest.checks.listForRef({ ...ground.repo, ref: sha, check_name: "contract", filter }))
            .data;
        return [(await list("latest")).check_runs.map(({ conclusion }) => conclusion), (await list("all")).total_count];
      },
    }),
    inSandbox("a thousand writes", "A suite keeps a thousand check runs of one name.", {
      expected: gives({ count: 1000, oldest: "1" }),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: async (ground) => {
        const { sha } = await ground.branch();
        const first = (await create(ground, sha, { external_id: "0" })).data.id;
        // Copies of the first one stand for those in between.
        const runs = ground.sandbox.world.findRepository(ground.repo.owner, ground.repo.repo)?.checkRuns;
        const original = runs?.get(first);
        if (original === undefined) throw new Error("it was just created");
        for (let n = 1; n < 1000; n += 1) {
          const id = ground.sandbox.world.ids.take("checkRun");
          runs?.set(id, { ...original, id, externalId: `${n}` });
        }
        await create(ground, sha, { external_id: "1000" });
        const { data } = await ground.octokit.rest.checks.listForRef({
          ...ground.repo,
          ref: sha,
          filter: "all",
          per_page: 1,
          page: 1000,
        });
        return { count: data.total_count, oldest: data.check_runs[0]?.external_id };
      },
    }),
    inSandbox("it takes somebody who is no App", "A person creates no check run.", {
      expected: answers(403, "You must authenticate via a GitHub App"),
      sources: [`${DOCS.checks}#create-a-check-run`],
      ask: ({ repo, main, as }) => as("writer").rest.checks.create({ ...repo, name: "x", head_sha: main.sha }),
    }),
    inSandbox("it takes two Apps", "No App changes another's check.", {
      expected: answers(403),
      sources: [`${DOCS.checks}#update-a-check-run`],
      ask: async (ground) => {
        const { name, sha } = await ground.branch();
        await ground.octokit.rest.actions.createWorkflowDispatch({
          ...ground.repo,
          workflow_id: ground.workflow,
          ref: name,
          inputs: { role: "plan", request: "1" },
        });
        await ground.sandbox.idle();
        const { data } = await ground.octokit.rest.checks.listForRef({ ...ground.repo, ref: sha });
        return ground.octokit.rest.checks.update({
          ...ground.repo,
          check_run_id: data.check_runs[0]?.id ?? 0,
          conclusion: "success",
        });
      },
    }),
    inSandbox("the App reads statuses only", "Of one context the newest status counts.", {
      expected: gives({ state: "success", count: 1 }),
      sources: [`${DOCS.statuses}#get-the-combined-status-for-a-specific-reference`],
      ask: async ({ repo, as, branch }) => {
        const { sha } = await branch();
        const writer = as("writer");
        await writer.rest.repos.createCommitStatus({ ...repo, sha, state: "failure", context: "lint" });
        await writer.rest.repos.createCommitStatus({ ...repo, sha, state: "success", context: "lint" });
        const { data } = await writer.rest.repos.getCombinedStatusForRef({ ...repo, ref: sha });
        return { state: data.state, count: data.total_count };
      },
    }),
    everywhere("Without any status the combined one is pending.", {
      expected: gives({ state: "pending", count: 0 }),
      sources: [`${DOCS.statuses}#get-the-combined-status-for-a-specific-reference`],
      ask: async ({ octokit, repo, branch }) => {
        const { sha } = await branch();
        const { data } = await octokit.rest.repos.getCombinedStatusForRef({ ...repo, ref: sha });
        return { state: data.state, count: data.total_count };
      },
    }),
    inSandbox("a thousand writes", "A commit has a thousand statuses per context at most.", {
      expected: answers(422, "reached the maximum number of statuses"),
      sources: [REPORTS.statusLimit, `${DOCS.statuses}#create-a-commit-status`],
      ask: async ({ sandbox, repo, as, branch }) => {
        const { sha } = await branch();
        const add = () =>
          as("writer").rest.repos.createCommitStatus({ ...repo, sha, state: "success", context: "full" });
        await add();
        // The first one stands for those in between.
        const statuses = sandbox.world.findRepository(repo.owner, repo.repo)?.statuses;
        const first = statuses?.find((status) => status.sha === sha);
        if (first !== undefined) for (let n = 1; n < 999; n += 1) statuses?.push({ ...first, id: -n });
        await add();
        return add();
      },
    }),
  ],
};
