import { asc, eq } from "drizzle-orm";
import { membersCsv } from "#worker/members/export.ts";
import { forgetMembers } from "#worker/members/forget-members.ts";
import { memberColumns } from "#worker/members/owner-queries.ts";
import { members, tiers } from "#worker/members/table.ts";
import { noun } from "#worker/nouns/noun.ts";
import { holdingOf, inWriting } from "#worker/people/held.ts";

export const tierNoun = noun({
  table: tiers,
  title: "name",
  exported: { list: "tiers.json", order: [asc(tiers.sortOrder), asc(tiers.id)] },
  // A deleted tier is not noted as erased: a restored one has no personal data.
  eraseAgain: () => [],
});

/** A person's membership, at most one. */
const heldMembership = holdingOf({
  table: members,
  key: members.id,
  isAbout: (email) => eq(members.email, email),
  select: ({ db }) =>
    db
      .select({ ...memberColumns, createdAt: members.createdAt })
      .from(members)
      .innerJoin(tiers, eq(tiers.id, members.tierId)),
  toHeld: ({ id, tierId: _tier, ...row }) => ({
    key: id,
    at: row.createdAt.getTime(),
    title: row.tier,
    data: inWriting(row),
  }),
});

export const memberNoun = noun({
  table: members,
  exported: (ctx) => [{ path: "members.csv", text: membersCsv(ctx) }],
  held: { membership: heldMembership },
  forget: (ctx, email) => ({ statements: forgetMembers(ctx, eq(members.email, email)) }),
});
