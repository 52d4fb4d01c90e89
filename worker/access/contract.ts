export const ROLES = ["super_admin", "admin", "editor", "user"] as const;
export type Role = (typeof ROLES)[number];

/** A permission of a signed-in user; each use case requires one on its first line. */
export type Capability = "edit" | "analytics" | "audience" | "settings" | "users" | "restore" | "keys";

const capabilities: Record<string, readonly Capability[]> = {
  super_admin: ["edit", "analytics", "audience", "settings", "users", "restore", "keys"],
  admin: ["edit", "analytics", "audience", "settings", "users"],
  editor: ["edit", "analytics"],
  user: [],
} satisfies Record<Role, readonly Capability[]>;

export const can = (role: string, capability: Capability) =>
  capabilities[role]?.includes(capability) ?? false;
