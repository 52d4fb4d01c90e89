import { z } from "zod";
import { email } from "#worker/platform/contract.ts";

/** The exact address of the person. */
export const PersonQuery = z.strictObject({ email });
export type PersonQuery = z.input<typeof PersonQuery>;

/** `csv`: a line for each field, for spreadsheets. */
export const PersonExportQuery = PersonQuery.extend({ format: z.enum(["json", "csv"]).default("json") });
export type PersonExportQuery = z.input<typeof PersonExportQuery>;

/** The kinds of stored personal data, in the order shown. Engagements are those with the person as the contact. */
export const heldKinds = [
  "applications",
  "messages",
  "bookings",
  "comments",
  "subscription",
  "membership",
  "letters",
  "mails",
  "engagements",
] as const;
export type HeldKind = (typeof heldKinds)[number];
export type HeldCounts = Record<HeldKind, number>;

/** A record about a person. `at` is milliseconds UTC; times in `data` are ISO 8601. */
export type Held = { id: string; at: number; title: string; data: Record<string, unknown> };

export type Person = {
  email: string;
  counts: HeldCounts;
  /** The latest records of each non-empty kind, newest first. */
  latest: { kind: HeldKind; items: Held[] }[];
  /** Whether a user has this address. Accounts are managed in the Users tab. */
  hasAccount: boolean;
};

export const NOTHING_HELD = "There’s no data about this address.";
