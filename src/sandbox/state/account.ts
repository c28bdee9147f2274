/** A user, organization or bot. Bots are `<slug>[bot]`. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Organization" | "Bot";
}

/** https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization */
export type Role = "admin" | "maintain" | "write" | "triage" | "read";

const RANK: Readonly<Record<Role, number>> = { read: 1, triage: 2, write: 3, maintain: 4, admin: 5 };

/** True when `role` includes everything `needed` allows. */
export function roleIncludes(role: Role | null, needed: Role): boolean {
  return role !== null && RANK[role] >= RANK[needed];
}
