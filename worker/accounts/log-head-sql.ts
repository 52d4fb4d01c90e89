/**
 * The statements that make the last entry before the first without a hash the head of the chain, for a restored database: its
 * tables were read one after another, while entries were chained. The minute's cron chains the others again.
 */
export const setLogHead = [
  `UPDATE "log_chain" SET last_id = coalesce((SELECT max(id) FROM "security_events" WHERE id < coalesce(
    (SELECT min(id) FROM "security_events" WHERE hash IS NULL), 9007199254740991)), pruned_id)`,
  `UPDATE "log_chain" SET last_hash = coalesce((SELECT hash FROM "security_events" WHERE id = last_id), pruned_hash)`,
].map((statement) => statement.replaceAll(/\s+/g, " "));
