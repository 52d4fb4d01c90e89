import { latestDownloads } from "#worker/analytics/latest-downloads.ts";
import { downloadTotals } from "#worker/analytics/table.ts";
import { noun } from "#worker/nouns/noun.ts";

export const analyticsNoun = noun({ table: downloadTotals, desk: () => ({ downloads: latestDownloads }) });
