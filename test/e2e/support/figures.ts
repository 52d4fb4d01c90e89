/** Statements that take the demo's figures away, for a test that counts: they end on the day on which they were made. */
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
].map((table) => `delete from ${table}`);
