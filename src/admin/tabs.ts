/** The ten tabs in their order. */
export const tabs = [
  { path: "speaking", label: "Speaking" },
  { path: "articles", label: "Articles" },
  { path: "media", label: "Media" },
  { path: "podcast", label: "Podcast" },
  { path: "ventures", label: "Ventures" },
  { path: "newsletter", label: "Newsletter" },
  { path: "users", label: "Users" },
  { path: "guests", label: "Guests" },
  { path: "analytics", label: "Analytics" },
  { path: "settings", label: "Settings" },
] as const;
