import type { App, Installation } from "../state/app.ts";
import { formatNodeId } from "../state/ids.ts";
import { formatOptionalTime, formatTime, type Schema, type Urls, type View } from "../view.ts";
import { serializeAccount } from "./serialize-account.ts";

/** https://docs.github.com/en/rest/apps/apps#get-the-authenticated-app */
export function serializeApp(urls: Urls, app: App): NonNullable<Schema<"integration">> {
  return {
    id: app.id,
    client_id: app.clientId,
    slug: app.slug,
    node_id: formatNodeId("A", app.id),
    owner: serializeAccount(urls, app.owner),
    name: app.name,
    description: "",
    external_url: `${urls.html}/apps/${app.slug}`,
    html_url: `${urls.html}/apps/${app.slug}`,
    created_at: formatTime(app.createdAt),
    updated_at: formatTime(app.createdAt),
    permissions: app.permissions,
    events: [...app.events],
  };
}

/** https://docs.github.com/en/rest/apps/apps#get-an-installation-for-the-authenticated-app */
export function serializeInstallation({ urls, world }: View, installation: Installation): Schema<"installation"> {
  const account = installation.account;
  const app = world.appOf(installation);
  return {
    id: installation.id,
    account: account === null ? null : serializeAccount(urls, account),
    repository_selection: "all",
    access_tokens_url: `${urls.api}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${urls.api}/installation/repositories`,
    html_url: `${urls.html}/settings/installations/${installation.id}`,
    app_id: app.id,
    client_id: app.clientId,
    app_slug: app.slug,
    target_id: account?.id ?? 0,
    target_type: account?.type ?? "Organization",
    permissions: app.permissions,
    events: [...app.events],
    created_at: formatTime(installation.createdAt),
    updated_at: formatTime(installation.createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: formatOptionalTime(installation.suspendedAt),
  };
}
