/** Which routes GitHub's description has to hold beside the App's operations, and which it cannot, each with the reason. */
export const FURTHER: Readonly<Record<string, string>> = {
  "POST /app/installations/{installation_id}/access_tokens": "Octokit asks for tokens on our behalf",
  "GET /app/hook/config": "`taskfleet doctor`",
  "GET /repos/{owner}/{repo}/actions/secrets": "`taskfleet doctor`, with a person's token",
  "GET /repos/{owner}/{repo}/actions/organization-secrets": "`taskfleet doctor`, with a person's token",
  "GET /repos/{owner}/{repo}/actions/permissions": "`taskfleet doctor`, with a person's token",
  "POST /app-manifests/{code}/conversions": "`taskfleet setup`",
};

export const UNDESCRIBED: Readonly<Record<string, string>> = {
  "POST /graphql": "the description is of the REST API; two mutations are asked for, each with a test of its own",
};
