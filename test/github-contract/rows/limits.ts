import { answers, gives } from "../behaviour.ts";
import { type Area, everywhere, inSandbox, type SandboxGround } from "../ground.ts";
import { DOCS } from "../links.ts";

const because = "GitHub's limits are not to be run into";
/** Of a local GitHub with limits; each row gets on with a clock of its own. */
const start = Date.parse("2026-11-30T12:00:00Z");

async function open(ground: SandboxGround): Promise<{ there: SandboxGround; clock: { now: number } }> {
  const clock = { now: start };
  const there = await ground.elsewhere({ limits: "github", clock: () => clock.now });
  // What setting it up has cost is forgiven.
  clock.now += 3_600_000;
  return { there, clock };
}

function comment({ octokit, repo }: SandboxGround, issue: number) {
  return octokit.rest.issues.createComment({ ...repo, issue_number: issue, body: "x" });
}

export const limits: Area = {
  title: "Limits",
  rows: [
    inSandbox(because, "Eighty writes a minute that people see.", {
      expected: answers(403, "secondary rate limit"),
      sources: [DOCS.limits],
      ask: async (ground) => {
        const { there } = await open(ground);
        const issue = await there.issue();
        for (let n = 0; n < 79; n += 1) await comment(there, issue);
        return comment(there, issue);
      },
    }),
    inSandbox(because, "The refusal says when to come back, and then it is let through.", {
      expected: gives({ wait: 60, after: 201 }),
      sources: [DOCS.practices],
      ask: async (ground) => {
        const { there, clock } = await open(ground);
        const issue = await there.issue();
        for (let n = 0; n < 79; n += 1) await comment(there, issue);
        const wait = await comment(there, issue).then(
          () => 0,
          (error: { response: { headers: Record<string, string> } }) => Number(error.response.headers["retry-after"]),
        );
        clock.now += wait * 1000;
        return { wait, after: (await comment(there, issue)).status };
      },
    }),
    inSandbox(because, "Five hundred of them an hour.", {
      expected: answers(403, "secondary rate limit"),
      sources: [DOCS.limits],
      ask: async (ground) => {
        const { there, clock } = await open(ground);
        const issue = await there.issue();
        for (let n = 1; n < 500; n += 1) {
          if (n % 60 === 0) clock.now += 60_000;
          await comment(there, issue);
        }
        clock.now += 60_000;
        return comment(there, issue);
      },
    }),
    inSandbox(because, "Git's objects and branches are not among them.", {
      expected: answers(201),
      sources: [DOCS.limits],
      ask: async (ground) => {
        const { there } = await open(ground);
        const issue = await there.issue();
        for (let n = 0; n < 79; n += 1) await comment(there, issue);
        const ref = `refs/heads/${there.name()}`;
        return there.octokit.rest.git.createRef({ ...there.repo, ref, sha: there.main.sha });
      },
    }),
    inSandbox(because, "Nine hundred points a minute: a read has one, a write five.", {
      expected: answers(403, "secondary rate limit"),
      sources: [`${DOCS.limits}#calculating-points-for-the-secondary-rate-limit`],
      ask: async (ground) => {
        const { there } = await open(ground);
        for (let n = 0; n < 180; n += 1) await there.octokit.rest.git.createBlob({ ...there.repo, content: `${n}` });
        return there.octokit.rest.repos.get(there.repo);
      },
    }),
    everywhere("Five thousand requests an hour, or more.", {
      expected: gives(true),
      sources: [`${DOCS.limits}#about-primary-rate-limits`],
      ask: async ({ octokit, repo }) => {
        const { headers } = await octokit.rest.repos.get(repo);
        return Number(headers["x-ratelimit-limit"]) >= 5_000;
      },
    }),
    inSandbox(because, "Sixty without a token; the refusal tells when the next hour begins.", {
      expected: gives({ status: 403, remaining: "0", inSeconds: 3600 }),
      sources: [`${DOCS.limits}#primary-rate-limit-for-unauthenticated-users`],
      ask: async (ground) => {
        const { there, clock } = await open(ground);
        const nobody = there.as("nobody");
        for (let n = 0; n < 60; n += 1) await nobody.rest.repos.get(there.repo);
        return nobody.rest.repos.get(there.repo).then(
          () => null,
          (error: { status: number; response: { headers: Record<string, string> } }) => ({
            status: error.status,
            remaining: error.response.headers["x-ratelimit-remaining"],
            inSeconds: Number(error.response.headers["x-ratelimit-reset"]) - clock.now / 1000,
          }),
        );
      },
    }),
    inSandbox(because, "An answer that nothing has changed costs nothing.", {
      expected: gives(1),
      sources: [DOCS.practices],
      ask: async (ground) => {
        const { there } = await open(ground);
        const { headers } = await there.octokit.rest.repos.get(there.repo);
        await there.octokit.rest.repos
          .get({ ...there.repo, headers: { "if-none-match": headers.etag ?? "" } })
          .catch(() => null);
        return (await there.octokit.rest.rateLimit.get()).data.resources.core.used;
      },
    }),
  ],
};
