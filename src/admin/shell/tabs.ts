import type { Capability } from "#worker/access/contract.ts";

type Row = { path: string; label: string; capability: Capability };

/** The tabs in their order, with the capability that each needs. */
export const tabs = [
  { path: "speaking", label: "Speaking", capability: "edit" },
  { path: "articles", label: "Articles", capability: "edit" },
  { path: "media", label: "Media", capability: "edit" },
  { path: "podcast", label: "Podcast", capability: "edit" },
  { path: "ventures", label: "Ventures", capability: "edit" },
  { path: "newsletter", label: "Newsletter", capability: "audience" },
  { path: "users", label: "Users", capability: "users" },
  { path: "guests", label: "Guests", capability: "audience" },
  { path: "analytics", label: "Analytics", capability: "analytics" },
  { path: "settings", label: "Settings", capability: "settings" },
] as const satisfies Row[];

export type TabPath = (typeof tabs)[number]["path"];
