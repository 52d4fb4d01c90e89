import { PARTS_CLOSED } from "./export.ts";
import type { WxrItem } from "./wxr.ts";

/**
 * Fields by which a plugin closes a whole post: Jetpack’s newsletter, Members, Restrict Content Pro and Memberful. With the
 * values that leave it open.
 */
const CLOSING: Record<string, RegExp> = {
  _jetpack_newsletter_access: /^(?:everybody)?$/,
  _members_access_role: /^$/,
  rcp_subscription_level: /^(?:a:0:\{\})?$/,
  rcp_access_level: /^(?:none|0)?$/i,
  rcp_user_level: /^(?:all)?$/i,
  memberful_acl: /^(?:a:0:\{\})?$/,
  memberful_available_to_any_registered_user: /^0?$/,
};
export const accessFields = Object.keys(CLOSING);

/** Blocks and shortcodes of the same plugins, and of others, around what only members read. */
const CLOSED_PART =
  /<!--\s+wp:(?:jetpack\/paywall|premium-content\/(?:container|subscriber-view)|memberful\/|restrict-content)|\[(?:restrict|members_access|members_logged_in|pmpro_member|membership|mepr-(?:show|active)|mepr-[\w-]*protect|memberful|wlm_private|wlm_ismember|ihc-hide-content|s2If|membersonly|member_only|paid_content)\b[^\]]{0,300}\]/i;

/** Why only some readers had access to a post, which makes it a draft here; null if everyone had. */
export function closedBy({ meta }: WxrItem, content: string) {
  const isClosed = Object.entries(CLOSING).some(([name, open]) => !open.test(meta.get(name)?.trim() ?? ""));
  if (isClosed) return "It was for members only, so it’s imported as a draft.";
  return CLOSED_PART.test(content) ? PARTS_CLOSED : null;
}
