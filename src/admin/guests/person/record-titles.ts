import type { HeldCounts, HeldKind } from "#worker/people/contract.ts";
import { heldKinds } from "#worker/people/contract.ts";

export const kindTitles: Record<HeldKind, string> = {
  applications: "Applications",
  messages: "Messages",
  bookings: "Bookings",
  comments: "Comments",
  subscription: "Subscription",
  membership: "Membership",
  letters: "Letters",
  mails: "Emails",
  engagements: "Contact for engagements",
};

const counted: Record<HeldKind, [one: string, many: string]> = {
  applications: ["application", "applications"],
  messages: ["message", "messages"],
  bookings: ["booking", "bookings"],
  comments: ["comment", "comments"],
  subscription: ["subscription", "subscriptions"],
  membership: ["membership", "memberships"],
  letters: ["letter sent to them", "letters sent to them"],
  mails: ["email in the outbox", "emails in the outbox"],
  engagements: ["engagement that names them as the contact", "engagements that name them as the contact"],
};

/** "3 messages", for each non-empty kind. */
export const inNumbers = (counts: HeldCounts) =>
  heldKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => {
      const [one, many] = counted[kind];
      return { kind, words: `${counts[kind].toLocaleString("en")} ${counts[kind] === 1 ? one : many}` };
    });

/** The admin page of a record, by id. */
export const pathsOf: Partial<Record<HeldKind, (id: string) => string>> = {
  applications: (id) => `/admin/guests/${id}`,
  messages: (id) => `/admin/guests/messages/${id}`,
  bookings: (id) => `/admin/guests/bookings/${id}`,
  subscription: (id) => `/admin/newsletter/subscribers/${id}`,
  membership: (id) => `/admin/newsletter/members/${id}`,
  letters: (id) => `/admin/newsletter/${id}/report`,
  mails: (id) => `/admin/settings/mails/${id}`,
  engagements: (id) => `/admin/speaking?edit=${id}`,
};

const ownNames: Record<string, string> = {
  linkedinProfile: "LinkedIn profile",
  isSpam: "Spam",
  answer: "Provider’s answer",
  providerId: "Provider’s ID",
  contentType: "Comment on",
  contentId: "ID of the page",
  parentId: "In reply to comment",
  replyTo: "Reply to",
  answers: "What it answers",
};

/** "eventDate" is "Event date". */
export function fieldName(field: string) {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return ownNames[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
