import type { MemberSource, MemberState } from "#worker/members/contract.ts";

type Membership = { source: MemberSource; since: Date; until: Date | null };

/** The state of a membership at a time. It has ended from the moment `until` on, also if it never began. */
export function stateOf({ source, since, until }: Membership, now: Date): MemberState {
  if (until !== null && until <= now) return "ended";
  if (since > now) return "upcoming";
  return source === "free" ? "free" : "active";
}
