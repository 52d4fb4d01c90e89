/** Statements that take every figure of the analytics away. */
export const WITHOUT_FIGURES = [
  "analytics_batches",
  "analytics_events",
  "analytics_totals",
  "analytics_counts",
  "analytics_sources",
  "analytics_rejections",
  "downloads",
  "download_parts",
  "download_totals",
  "analytics_zones",
].map((table) => `delete from ${table}`);
