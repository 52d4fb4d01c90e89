export const ROLES = ["super_admin", "admin", "editor", "user"] as const;
export type Role = (typeof ROLES)[number];

/** A permission of a signed-in user; each use case requires one on its first line. */
export type Capability =
  | "edit"
  | "analytics"
  | "audience"
  | "settings"
  | "users"
  | "restore"
  | "keys"
  | "transport";

const capabilities: Record<string, readonly Capability[]> = {
  super_admin: ["edit", "analytics", "audience", "settings", "users", "restore", "keys", "transport"],
  admin: ["edit", "analytics", "audience", "settings", "users"],
  editor: ["edit", "analytics"],
  user: [],
} satisfies Record<Role, readonly Capability[]>;

/** Why a role that needs a second factor may do nothing without one. */
export const NEEDS_SECOND_FACTOR =
  "Your role needs a second factor. Set one up under Your account, and everything is back.";

export const can = (role: string, capability: Capability) =>
  capabilities[role]?.includes(capability) ?? false;

/** What an API token may be used for. `publish` and `letters:send` come on top of the scope that writes. */
export const SCOPES = [
  "public:read",
  "drafts:read",
  "articles:write",
  "episodes:write",
  "publish",
  "letters:write",
  "letters:send",
  "subscribers",
  "enquiries",
  "figures",
] as const;
export type Scope = (typeof SCOPES)[number];
