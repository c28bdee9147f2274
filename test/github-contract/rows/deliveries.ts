import type { Octokit } from "@octokit/rest";
import { issueRunToken } from "../../../src/sandbox/auth/tokens.ts";
import { buildOctokit } from "../../sandbox/sandbox-world.ts";
import { answers, gives } from "../behaviour.ts";
import { type Area, inSandbox, ON_PUSH, type SandboxGround } from "../ground.ts";
import { DOCS } from "../links.ts";

const because = "webhooks have to arrive somewhere";
const DAY_MS = 24 * 3_600_000;

async function list({ world }: SandboxGround) {
  return (await world.appJwt.rest.apps.listWebhookDeliveries()).data;
}

async function openIssue(there: SandboxGround, labels: string[] = []): Promise<void> {
  await there.as("writer").rest.issues.create({ ...there.repo, title: "Told", labels });
  await there.sandbox.idle();
}

export const deliveries: Area = {
  title: "Webhooks",
  rows: [
    inSandbox(because, "Labels given at creation are told one by one, beside the opening.", {
      expected: gives(["issues.labeled", "issues.labeled", "issues.opened"]),
      sources: [`${DOCS.events}#issues`],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const receiver = await there.receive();
        await openIssue(there, ["a", "taskfleet"]);
        return receiver.names().toSorted();
      },
    }),
    inSandbox(because, "A label's webhook holds the issue's text of that moment, and null for no description.", {
      expected: gives([
        ["Told", null],
        ["Told", "Another text."],
      ]),
      sources: [`${DOCS.events}#issues`],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const receiver = await there.receive();
        const { issues } = there.as("writer").rest;
        const { data } = await issues.create({ ...there.repo, title: "Told", labels: ["first"] });
        const target = { ...there.repo, issue_number: data.number };
        await issues.update({ ...target, body: "Another text." });
        await issues.addLabels({ ...target, labels: ["second"] });
        await issues.update({ ...target, title: "Another title" });
        await there.sandbox.idle();
        return receiver.received
          .map(({ body }) => JSON.parse(body) as { action: string; issue: { title: string; body: string | null } })
          .filter(({ action }) => action === "labeled")
          .map(({ issue }) => [issue.title, issue.body]);
      },
    }),
    inSandbox(because, "The App hears what it subscribed to, and nothing else.", {
      expected: gives(["check_suite.requested", "push"]),
      sources: ["https://docs.github.com/en/webhooks/types-of-webhooks#github-app-webhooks"],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const receiver = await there.receive();
        // Nothing but the branch: GitHub also has an event `create`, which the App did not ask for.
        await there.branch({ "quiet.txt": "x\n" });
        await there.sandbox.idle();
        return receiver
          .names()
          .filter((name) => !name.startsWith("workflow_run") && !name.startsWith("check_run"))
          .filter((name) => name !== "check_suite.completed")
          .toSorted();
      },
    }),
    inSandbox(
      "it takes a job's token",
      "What a job pushes with its own token starts nothing; what the App pushes does.",
      {
        expected: gives({ job: 0, app: 1 }),
        sources: [DOCS.githubToken],
        ask: async (ground) => {
          const there = await ground.elsewhere({}, ON_PUSH);
          const repository = there.sandbox.world.findRepository(there.repo.owner, there.repo.repo);
          const token = issueRunToken(there.sandbox.world, {
            repositoryId: repository?.id ?? 0,
            runId: 1,
            permissions: { contents: "write" },
          });
          const push = async (octokit: Octokit): Promise<number> => {
            const before = repository?.runs.size ?? 0;
            const ref = `refs/heads/${there.name()}`;
            await octokit.rest.git.createRef({ ...there.repo, ref, sha: there.main.sha });
            await there.sandbox.idle();
            return (repository?.runs.size ?? 0) - before;
          };
          return { job: await push(buildOctokit(there.sandbox.apiUrl, token)), app: await push(there.octokit) };
        },
      },
    ),
    inSandbox(because, "A delivery that failed is not sent again by itself.", {
      expected: gives([1, 500]),
      sources: [DOCS.failures],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const receiver = await there.receive(() => 500);
        await openIssue(there);
        return [receiver.received.length, (await list(there))[0]?.status_code];
      },
    }),
    inSandbox(because, "One that is not answered within ten seconds has failed.", {
      expected: gives("timed out"),
      sources: [
        "https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks#respond-within-10-seconds",
      ],
      ask: async (ground) => {
        const there = await ground.elsewhere({ webhookTimeoutMs: 200 });
        await there.receive(() => null);
        await openIssue(there);
        return (await list(there))[0]?.status;
      },
    }),
    inSandbox(because, "Sent again on request it has the same GUID and another id.", {
      expected: gives({ guid: true, id: false, redelivery: true }),
      sources: [DOCS.redelivery, DOCS.deliveries],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        let status = 500;
        await there.receive(() => status);
        await openIssue(there);
        status = 200;
        const [failed] = await list(there);
        await there.world.appJwt.rest.apps.redeliverWebhookDelivery({ delivery_id: failed?.id ?? 0 });
        await there.sandbox.idle();
        const [again] = await list(there);
        return { guid: again?.guid === failed?.guid, id: again?.id === failed?.id, redelivery: again?.redelivery };
      },
    }),
    inSandbox(because, "Three days long, and no longer.", {
      expected: gives([202, 404]),
      sources: [DOCS.redelivery],
      ask: async (ground) => {
        const clock = { now: Date.now() };
        const there = await ground.elsewhere({ clock: () => clock.now });
        await there.receive(() => 500);
        await openIssue(there);
        const [failed] = await list(there);
        const ask = (): Promise<number> =>
          there.world.appJwt.rest.apps.redeliverWebhookDelivery({ delivery_id: failed?.id ?? 0 }).then(
            ({ status }) => status,
            (error: { status: number }) => error.status,
          );
        clock.now += 2 * DAY_MS;
        const first = await ask();
        clock.now += 2 * DAY_MS;
        return [first, await ask()];
      },
    }),
    inSandbox(because, "Deliveries are listed newest first, page by page with a cursor.", {
      expected: gives({ pages: [1, 1], order: true }),
      sources: [`${DOCS.deliveries}#list-deliveries-for-an-app-webhook`],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        await there.receive();
        await openIssue(there);
        await openIssue(there);
        const page = (more: object) => there.world.appJwt.rest.apps.listWebhookDeliveries({ per_page: 1, ...more });
        const first = await page({});
        const second = await page({ cursor: /cursor=([^&>]+)/u.exec(first.headers.link ?? "")?.[1] ?? "" });
        const [newer, older] = [first.data[0]?.id ?? 0, second.data[0]?.id ?? 0];
        return { pages: [first.data.length, second.data.length], order: newer > older };
      },
    }),
    inSandbox(because, "More than 25 MB is never sent.", {
      expected: gives(0),
      sources: [`${DOCS.events}#payload-cap`],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const receiver = await there.receive();
        const { world } = there.sandbox;
        const repository = world.findRepository(there.repo.owner, there.repo.repo);
        const issue = await there.issue();
        await there.sandbox.idle();
        const before = receiver.received.length;
        const stored = repository?.issues.get(issue);
        // No request could carry a body of this size; GitHub's own payloads can (pushes, matrix runs).
        if (stored !== undefined) stored.body = "x".repeat(25 * 1024 * 1024);
        await there.octokit.rest.issues.createComment({ ...there.repo, issue_number: issue, body: "x" });
        await there.sandbox.idle();
        return receiver.received.length - before;
      },
    }),
    inSandbox(because, "A button reaches only the App whose check it is on.", {
      expected: gives(["check_run.requested_action"]),
      sources: [`${DOCS.events}#check_run`],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const { data } = await there.octokit.rest.checks.create({
          ...there.repo,
          name: "contract",
          head_sha: there.main.sha,
          conclusion: "failure",
          actions: [{ label: "Retry", description: "Try again", identifier: "retry" }],
        });
        const receiver = await there.receive();
        await there.sandbox.pressCheckButton({
          repository: `${there.repo.owner}/${there.repo.repo}`,
          checkRunId: data.id,
          press: "retry",
          by: "writer",
        });
        await there.sandbox.idle();
        return receiver.names();
      },
    }),
    inSandbox("it takes the App's key", "Deliveries are told to the App itself, not to an installation.", {
      expected: answers(401),
      sources: [DOCS.deliveries],
      ask: async ({ sandbox, world }) =>
        buildOctokit(sandbox.apiUrl, await world.installationToken()).rest.apps.listWebhookDeliveries(),
    }),
  ],
};
