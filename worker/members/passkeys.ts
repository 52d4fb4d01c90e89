import { asc, eq } from "drizzle-orm";
import type { MemberPasskeys } from "#worker/members/contract.ts";
import { isRecent, type SignedInMember } from "#worker/members/sessions.ts";
import { memberPasskeys } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { relyingParty } from "#worker/webauthn/ceremonies.ts";
import { passkeyOf } from "#worker/webauthn/columns.ts";
import { userHandle } from "#worker/webauthn/user-handle.ts";

/** The member as authenticators know them. */
export const memberHandle = (memberId: number) => userHandle("member", String(memberId));

/** The member's passkeys, in the order in which they were added, and whether they may add and remove some now. */
export async function listMemberPasskeys(
  ctx: Context,
  member: Pick<SignedInMember, "id" | "signedInAt">,
): Promise<MemberPasskeys> {
  const own = await ctx.db
    .select()
    .from(memberPasskeys)
    .where(eq(memberPasskeys.memberId, member.id))
    .orderBy(asc(memberPasskeys.createdAt), asc(memberPasskeys.id));
  return {
    items: own.map(passkeyOf),
    rpId: relyingParty(ctx).rpId,
    userHandle: memberHandle(member.id),
    mayChange: isRecent(ctx, member),
  };
}
