import type { Role } from "#worker/access/contract.ts";

export const roleNames: Record<Role, string> = {
  super_admin: "Super admin",
  admin: "Admin",
  editor: "Editor",
  user: "User",
};

/** What a role may do, in one line. */
export const roleMeanings: Record<Role, string> = {
  super_admin: "Everything, including other admins.",
  admin: "Everything except other admins.",
  editor: "Articles, pages, media, podcast, ventures and speaking; reads analytics.",
  user: "Can sign in, and sees only their own account.",
};
