/** What an archive does not have. test/site-export.test.ts fails for a table that is neither in it nor here. */

const SECRET = "It is a secret, or counts attempts to guess one.";
const BOUND = "It works at this site’s address only, and its owner adds another one in a minute.";
const OF_SIGN_INS =
  "It says what a sign-in needs. The users of a restored site set up their second factors first.";
const AT_STRIPE = "It follows from the account at Stripe, whose keys and prices are entered again.";
const UNDERWAY = "It is work that has not ended. Continued from a copy, it would be done twice.";
const DERIVED = "It is derived from the other tables.";
const OF_COPIES = "It lists the copies in this site's second bucket, which another site does not have.";
const DELETED = "It was deleted, and is in the bin for at most 30 days.";
const BRIEF = "It is stored for at most 90 days. The figures made from it are in the archive.";

/** Tables, each with the reason. */
export const LEFT_OUT: Record<string, string> = {
  sessions: SECRET,
  ended_sessions: SECRET,
  member_sessions: SECRET,
  api_tokens: SECRET,
  login_attempts: SECRET,
  rate_limits: SECRET,
  left_out_refusals: UNDERWAY,
  log_alerts: UNDERWAY,
  log_checks: DERIVED,
  analytics_salts: SECRET,
  known_devices: SECRET,
  second_factors: SECRET,
  recovery_codes: SECRET,
  factor_keys: SECRET,

  passkeys: BOUND,
  member_passkeys: BOUND,
  factor_rules: OF_SIGN_INS,

  transcription_keys: SECRET,
  proposal_keys: SECRET,
  payment_keys: SECRET,
  payment_setup: AT_STRIPE,
  payment_subscriptions: AT_STRIPE,
  payment_notices: AT_STRIPE,
  tier_prices: AT_STRIPE,

  webhooks: BOUND,
  webhook_secrets: SECRET,
  webhook_tries: UNDERWAY,

  transcriptions: UNDERWAY,
  transcription_pieces: UNDERWAY,
  proposal_runs: UNDERWAY,
  proposals: UNDERWAY,

  outbox: UNDERWAY,
  outbox_bodies: UNDERWAY,
  dead_letters: UNDERWAY,
  imports: UNDERWAY,
  import_items: UNDERWAY,
  file_parts: UNDERWAY,
  cron_runs: UNDERWAY,
  analytics_batches: UNDERWAY,

  analytics_events: BRIEF,
  download_parts: BRIEF,

  csp_reports: "It counts what browsers blocked on this site in the last 30 days.",

  backup_files: OF_COPIES,
  backup_runs: OF_COPIES,

  bin: DELETED,
  binned_article_former_slugs: DELETED,
  binned_article_old_addresses: DELETED,
  binned_articles: DELETED,
  binned_comments: DELETED,
  binned_enquiries: DELETED,
  binned_enquiry_mails: DELETED,
  binned_episode_former_audio: DELETED,
  binned_episode_former_slugs: DELETED,
  binned_episode_old_addresses: DELETED,
  binned_episode_passages: DELETED,
  binned_episodes: DELETED,
  binned_favorites: DELETED,
  binned_file_peaks: DELETED,
  binned_files: DELETED,
  binned_letters: DELETED,
  binned_playlist_items: DELETED,
  binned_press_items: DELETED,
  binned_progress: DELETED,

  cache_tags: DERIVED,
  comment_counts: DERIVED,
  comment_box_counts: DERIVED,
  enquiry_counts: DERIVED,
  feed_items: DERIVED,
  file_uses: DERIVED,
  object_hashes: DERIVED,
  render_passes: DERIVED,
  search_documents: DERIVED,
  search_pending: DERIVED,
};

/**
 * Columns, by table. A password is set by a mailed link after the restore, and the stamp signs such links. The keys of
 * other links (`signing_keys`) are in the archive, encrypted if the site's are: without them, no letter that was sent could be
 * unsubscribed from.
 */
export const COLUMNS_LEFT_OUT: Record<string, readonly string[]> = {
  users: [
    "password_hash",
    "stamp",
    "email_verified",
    "pending_email",
    "password_reset_attempts",
    "others_ended_at",
    "remaining_session",
  ],
  files: ["upload_id", "last_part_at", "status"],
};

/** SQL of the rows that are in it, by table; otherwise all. */
export const ROWS: Record<string, string> = {
  files: "status = 'complete'",
  // The others sign sessions: who reads an archive must not be able to open one.
  signing_keys: "use = 'lasting'",
  // Those of an item in the bin stay in these tables.
  revisions: "kind || ':' || item not in (select key from bin)",
  publications: "kind || ':' || item_id not in (select key from bin)",
  preview_links: "kind || ':' || item not in (select key from bin)",
};
