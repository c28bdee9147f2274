import type { Account } from "../state/account.ts";
import { formatNodeId } from "../state/ids.ts";
import type { Schema, Urls } from "../view.ts";

const NODE_PREFIX = { User: "U", Organization: "O", Bot: "BOT" } as const;

/** https://docs.github.com/en/rest/users/users#get-a-user */
export function serializeAccount(urls: Urls, account: Account): Schema<"simple-user"> {
  const url = `${urls.api}/users/${encodeURIComponent(account.login)}`;
  // A bot's page is its App's: https://github.com/apps/<slug>
  const page = account.type === "Bot" ? `apps/${account.login.replace(/\[bot\]$/, "")}` : account.login;
  return {
    login: account.login,
    id: account.id,
    node_id: formatNodeId(NODE_PREFIX[account.type], account.id),
    avatar_url: `${urls.html}/avatars/${account.id}`,
    gravatar_id: "",
    url,
    html_url: `${urls.html}/${page}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    site_admin: false,
    user_view_type: "public",
  };
}

/** What webhooks of an organisation's repositories carry. https://docs.github.com/en/webhooks/webhook-events-and-payloads#webhook-payload-object-common-properties */
export function serializeOrganization(urls: Urls, account: Account): Schema<"organization-simple"> {
  const url = `${urls.api}/orgs/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: formatNodeId(NODE_PREFIX.Organization, account.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${urls.html}/avatars/${account.id}`,
    description: "",
  };
}
