import { z } from "zod";
import { email } from "#worker/platform/contract.ts";

/** Who is asked about: whoever has this address, exactly. */
export const PersonQuery = z.strictObject({ email });
export type PersonQuery = z.input<typeof PersonQuery>;

/** `csv`: a line for each field, for spreadsheets. */
export const PersonExportQuery = PersonQuery.extend({ format: z.enum(["json", "csv"]).default("json") });
export type PersonExportQuery = z.input<typeof PersonExportQuery>;

/** What is held about people, in the order in which it is shown. Engagements are those that name them as the contact. */
export const heldKinds = [
  "applications",
  "messages",
  "bookings",
  "comments",
  "subscription",
  "letters",
  "mails",
  "engagements",
] as const;
export type HeldKind = (typeof heldKinds)[number];
export type HeldCounts = Record<HeldKind, number>;

/** Something that is held about a person. `at` is milliseconds UTC; times in `data` are ISO 8601. */
export type Held = { id: string; at: number; title: string; data: Record<string, unknown> };

export type Person = {
  email: string;
  counts: HeldCounts;
  /** The latest of each kind, newest first, that there is anything of. */
  latest: { kind: HeldKind; items: Held[] }[];
  /** Whether a user signs in with the address. Accounts are the Users tab's. */
  hasAccount: boolean;
};

export const NOTHING_HELD = "There’s no data about this address.";
