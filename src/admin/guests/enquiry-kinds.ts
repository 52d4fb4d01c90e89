import type { ComponentProps } from "react";
import type { Badge } from "#site/ui/badge.tsx";
import type { EnquiryBox, EnquiryKind } from "#worker/enquiries/contract.ts";
import { dialogPaths } from "../lists/dialog-address.ts";
import { listAddress } from "../lists/list-filters.tsx";
import { NEW } from "../form/new-item.ts";

/** The names and addresses of a kind. */
type KindNames = {
  list: string;
  title: string;
  /** "messages". */
  noun: string;
  /** Below /api/admin. */
  api: string;
  /** An error of its list. */
  failed: string;
  empty: string;
};

export const kinds: Record<EnquiryKind, KindNames> = {
  application: {
    list: "/admin/guests",
    title: "Guest Applications",
    noun: "applications",
    api: "guest-applications",
    failed: "Failed to load applications",
    empty: "No applications found",
  },
  message: {
    list: "/admin/guests/messages",
    title: "Messages",
    noun: "messages",
    api: "contact-messages",
    failed: "Failed to load messages",
    empty: "No messages found",
  },
  booking: {
    list: "/admin/guests/bookings",
    title: "Booking requests",
    noun: "bookings",
    api: "speaking-bookings",
    failed: "Failed to load bookings",
    empty: "No bookings found",
  },
};

/** The list's dialogs: one adds a guest, the other an applicant to an episode. */
export const guestPaths = dialogPaths(kinds.application.list);

/** The form of a new episode that names an approved applicant. */
export const newEpisodeWith = (id: number) => `/admin/podcast/${NEW}?guest=${id}`;

export const enquiryPath = (kind: EnquiryKind, id: number) => `${kinds[kind].list}/${id}`;

/** A tab of a list. */
export type BoxName = EnquiryBox | "all";

/** The tabs of each list in their order; the first is the default. */
export const tabsOf: Record<EnquiryKind, readonly BoxName[]> = {
  application: ["all", "pending", "approved", "rejected", "spam", "unconfirmed"],
  message: ["new", "read", "done", "spam", "unconfirmed", "all"],
  booking: ["new", "read", "done", "spam", "unconfirmed", "all"],
};

/** The address of a tab; the default tab has no parameter. */
export const boxAddress = (kind: EnquiryKind, box: BoxName, query: Record<string, string> = {}) =>
  listAddress(kinds[kind].list, { ...(box !== tabsOf[kind][0] && { box }), ...query });

type Look = { label: string; tone: ComponentProps<typeof Badge>["tone"] };

export const boxes: Record<BoxName, Look> = {
  all: { label: "All", tone: "neutral" },
  pending: { label: "Pending", tone: "signal" },
  approved: { label: "Approved", tone: "accent" },
  rejected: { label: "Rejected", tone: "danger" },
  new: { label: "New", tone: "signal" },
  read: { label: "Read", tone: "neutral" },
  done: { label: "Done", tone: "accent" },
  spam: { label: "Spam", tone: "danger" },
  unconfirmed: { label: "Unconfirmed", tone: "neutral" },
};
