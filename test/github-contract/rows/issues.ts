import { answers, gives } from "../behaviour.ts";
import { type Area, everywhere, inSandbox } from "../ground.ts";
import { DOCS, REPORTS } from "../links.ts";

export const issues: Area = {
  title: "Issues, comments, labels, people",
  rows: [
    everywhere("An issue that is not there is 404.", {
      expected: answers(404),
      sources: [`${DOCS.issues}#get-an-issue`],
      ask: ({ octokit, repo }) => octokit.rest.issues.get({ ...repo, issue_number: 99_999_999 }),
    }),
    everywhere("An issue has a title.", {
      expected: answers(422),
      sources: [`${DOCS.issues}#create-an-issue`],
      ask: ({ octokit, repo }) => octokit.rest.issues.create({ ...repo, title: "" }),
    }),
    everywhere("A title has 256 characters at most.", {
      expected: answers(422, "title is too long (maximum is 256 characters)"),
      sources: ["https://github.com/DavyJonesLocker/party_foul/pull/122", REPORTS.longTitle],
      ask: ({ octokit, repo }) => octokit.rest.issues.create({ ...repo, title: "x".repeat(257) }),
    }),
    everywhere("A comment has 65,536 characters at most.", {
      expected: answers(422, "ody is too long"),
      sources: [REPORTS.longBody],
      ask: async ({ octokit, repo, issue }) =>
        octokit.rest.issues.createComment({ ...repo, issue_number: await issue(), body: "x".repeat(65_537) }),
    }),
    everywhere("An empty comment is refused.", {
      expected: answers(422),
      sources: [`${DOCS.comments}#create-an-issue-comment`],
      ask: async ({ octokit, repo, issue }) =>
        octokit.rest.issues.createComment({ ...repo, issue_number: await issue(), body: "" }),
    }),
    everywhere("Comments are listed oldest first.", {
      expected: gives(["first", "second"]),
      sources: [`${DOCS.comments}#list-issue-comments`],
      ask: async ({ octokit, repo, issue }) => {
        const target = { ...repo, issue_number: await issue() };
        await octokit.rest.issues.createComment({ ...target, body: "first" });
        await octokit.rest.issues.createComment({ ...target, body: "second" });
        return (await octokit.rest.issues.listComments(target)).data.map(({ body }) => body);
      },
    }),
    everywhere("Editing a comment keeps its place and its id.", {
      expected: gives({ same: true, body: "edited" }),
      sources: [`${DOCS.comments}#update-an-issue-comment`],
      ask: async ({ octokit, repo, issue }) => {
        const target = { ...repo, issue_number: await issue() };
        const { data } = await octokit.rest.issues.createComment({ ...target, body: "first" });
        await octokit.rest.issues.updateComment({ ...repo, comment_id: data.id, body: "edited" });
        const [found] = (await octokit.rest.issues.listComments(target)).data;
        return { same: found?.id === data.id, body: found?.body };
      },
    }),
    everywhere("Lists have 100 entries a page at most, and tell the next page.", {
      expected: gives({ entries: 1, next: true }),
      sources: [DOCS.pagination],
      ask: async ({ octokit, repo, issue }) => {
        const target = { ...repo, issue_number: await issue() };
        await octokit.rest.issues.createComment({ ...target, body: "first" });
        await octokit.rest.issues.createComment({ ...target, body: "second" });
        const { data, headers } = await octokit.rest.issues.listComments({ ...target, per_page: 1 });
        return { entries: data.length, next: /rel="next"/u.test(headers.link ?? "") };
      },
    }),
    everywhere("A new title is an event, a new description is none: that something changed is all that tells of it.", {
      expected: gives({ events: ["renamed"], later: true }),
      sources: [DOCS.issueEvents, "https://docs.github.com/en/rest/using-the-rest-api/issue-event-types"],
      ask: async ({ octokit, repo, issue }) => {
        const target = { ...repo, issue_number: await issue() };
        const before = (await octokit.rest.issues.get(target)).data.updated_at;
        await octokit.rest.issues.update({ ...target, body: "Another text." });
        const { data } = await octokit.rest.issues.update({ ...target, title: "Another title" });
        const events = (await octokit.rest.issues.listEvents(target)).data.map(({ event }) => event);
        return { events, later: Date.parse(data.updated_at) >= Date.parse(before) };
      },
    }),
    everywhere("A label is known in whatever case it is written.", {
      expected: gives(["bug", "bug"]),
      sources: [DOCS.labels, "https://github.com/Mergifyio/mergify/pull/3935"],
      ask: async ({ octokit, repo, issue }) => {
        const target = { ...repo, issue_number: await issue() };
        const add = async (name: string) => (await octokit.rest.issues.addLabels({ ...target, labels: [name] })).data;
        return [...(await add("bug")), ...(await add("BUG"))].map(({ name }) => name.toLowerCase());
      },
    }),
    everywhere("Taking a label away that is not on the issue is 404.", {
      expected: answers(404, "Label does not exist"),
      sources: [`${DOCS.labels}#remove-a-label-from-an-issue`],
      ask: async ({ octokit, repo, issue }) =>
        octokit.rest.issues.removeLabel({ ...repo, issue_number: await issue(), name: "not-there" }),
    }),
    everywhere("Closing without a reason means completed.", {
      expected: gives({ state: "closed", reason: "completed" }),
      sources: [`${DOCS.issues}#update-an-issue`],
      ask: async ({ octokit, repo, issue }) => {
        const { data } = await octokit.rest.issues.update({ ...repo, issue_number: await issue(), state: "closed" });
        return { state: data.state, reason: data.state_reason };
      },
    }),
    everywhere("The role of nobody is 404.", {
      expected: answers(404),
      sources: [DOCS.collaborators],
      ask: ({ octokit, repo }) =>
        octokit.rest.repos.getCollaboratorPermissionLevel({ ...repo, username: "x-nobody-has-this-name-x" }),
    }),
    inSandbox("it takes people of several ranks", "Roles are told by name, beside the four old words.", {
      expected: gives([
        ["write", "maintain"],
        ["write", "write"],
        ["read", "triage"],
        ["read", "read"],
      ]),
      sources: [DOCS.collaborators],
      ask: async ({ octokit, repo }) => {
        const roles: unknown[] = [];
        for (const username of ["maintainer", "writer", "triager", "reader"]) {
          const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({ ...repo, username });
          roles.push([data.permission, data.role_name]);
        }
        return roles;
      },
    }),
    inSandbox("it takes people of several ranks", "Who cannot push is not told others' roles.", {
      expected: answers(403, "Must have push access to view collaborator permission"),
      sources: [REPORTS.seePermission],
      ask: ({ repo, as }) => as("reader").rest.repos.getCollaboratorPermissionLevel({ ...repo, username: "writer" }),
    }),
    inSandbox("it takes people of several ranks", "Labels of somebody who may only read are dropped in silence.", {
      expected: gives([]),
      sources: [`${DOCS.issues}#create-an-issue`],
      ask: async ({ repo, as }) =>
        (await as("reader").rest.issues.create({ ...repo, title: "x", labels: ["taskfleet"] })).data.labels,
    }),
    inSandbox("it takes people of several ranks", "Whoever triages may label.", {
      expected: answers(200),
      sources: [
        "https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization",
      ],
      ask: async ({ repo, as, issue }) =>
        as("triager").rest.issues.addLabels({ ...repo, issue_number: await issue(), labels: ["taskfleet"] }),
    }),
    inSandbox("it takes people of several ranks", "On a locked issue only those with write access comment.", {
      expected: answers(403, "locked"),
      sources: ["https://docs.github.com/en/communities/moderating-comments-and-conversations/locking-conversations"],
      ask: async ({ octokit, repo, as, issue }) => {
        const number = await issue();
        await octokit.rest.issues.lock({ ...repo, issue_number: number });
        return as("reader").rest.issues.createComment({ ...repo, issue_number: number, body: "x" });
      },
    }),
  ],
};
