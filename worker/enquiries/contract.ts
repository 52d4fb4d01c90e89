import { z } from "zod";
import { engagementTypes, enquiryLimits, honoraria } from "#worker/enquiries/limits.ts";
import { messageTypes } from "#worker/pages/contract.ts";
import { email, textOf, webLink } from "#worker/platform/contract.ts";
import { isLongerThan } from "#worker/platform/text/graphemes.ts";
import { completeLink } from "#worker/platform/text/typed-link.ts";

/** The kinds of enquiries: an application to be a guest, a message, a request for a speaking engagement. */
export const enquiryKinds = ["application", "message", "booking"] as const;
export type EnquiryKind = (typeof enquiryKinds)[number];

/** An application is pending, approved or rejected; a message or booking is new, read or done. */
export const enquiryStatuses = ["pending", "approved", "rejected", "new", "read", "done"] as const;
export type EnquiryStatus = (typeof enquiryStatuses)[number];

/** The box of an enquiry: its status, spam, or unconfirmed. */
export const enquiryBoxes = [...enquiryStatuses, "spam", "unconfirmed"] as const;
export type EnquiryBox = (typeof enquiryBoxes)[number];

const { name, linkedinProfile, topic, position } = enquiryLimits;
const { subject, message, organization, eventName, additionalInfo } = enquiryLimits;

const sender = { name: textOf(name, { of: "Name" }), email };

function hasNoName(link: string) {
  const url = URL.parse(link);
  return url === null || (url.username === "" && url.password === "");
}

export const NewApplication = z.strictObject({
  ...sender,
  linkedinProfile: z
    .string("LinkedIn profile is required")
    .trim()
    .min(1, "LinkedIn profile is required")
    .refine((link) => !isLongerThan(linkedinProfile, link), {
      error: `LinkedIn profile has at most ${linkedinProfile} characters.`,
      abort: true,
    })
    .transform(completeLink)
    .pipe(webLink)
    // A name before the host would look like a host: https://linkedin.com@other.example.
    .refine(hasNoName, "Leave out the user and password.")
    // In ASCII, so that it shows where it leads.
    .transform((link) => new URL(link).href),
  topic: textOf(topic, { of: "Topic" }),
  position: textOf(position, { of: "Position", isLong: true }),
  /** A form without scripts sends the checkbox's value. */
  consent: z.union([z.literal(true), z.literal("on").transform(() => true as const)], "Please agree first."),
});
export type NewApplication = z.input<typeof NewApplication>;

/** A guest whom the owner adds without an application. */
export const NewGuest = NewApplication.omit({ consent: true }).extend({
  linkedinProfile: z.union([z.literal(""), NewApplication.shape.linkedinProfile]).default(""),
  position: textOf(position, { of: "Position", isLong: true, isOptional: true }).default(""),
});
export type NewGuest = z.input<typeof NewGuest>;

export const NewMessage = z.strictObject({
  ...sender,
  subject: textOf(subject, { of: "Subject" }),
  message: textOf(message, { of: "Message", isLong: true }),
  type: z.enum(messageTypes, "Choose what it’s about.").default("general"),
});
export type NewMessage = z.input<typeof NewMessage>;

export const NewBooking = z.strictObject({
  ...sender,
  organization: textOf(organization, { of: "Organisation" }),
  eventName: textOf(eventName, { of: "Event" }),
  /** Its day, yyyy-mm-dd; empty while undecided. */
  eventDate: z.union([z.literal(""), z.iso.date("Enter a date.")]).default(""),
  engagementType: z.enum(engagementTypes, "Choose a type."),
  honorarium: z.enum(honoraria, "Choose an honorarium."),
  additionalInfo: textOf(additionalInfo, {
    of: "Additional information",
    isLong: true,
    isOptional: true,
  }).default(""),
});
export type NewBooking = z.input<typeof NewBooking>;

/** The fields of each kind, besides its sender. */
export type EnquiryFields = {
  application: Omit<z.output<typeof NewApplication>, "name" | "email" | "consent"> & {
    /** The full name of the user who added a guest without an application. */
    addedBy?: string;
  };
  message: Omit<z.output<typeof NewMessage>, "name" | "email">;
  booking: Omit<z.output<typeof NewBooking>, "name" | "email">;
};

/** A parsed enquiry of any kind. `title` is its topic, subject or event. */
export type Sent = {
  [K in EnquiryKind]: { kind: K; name: string; email: string; title: string; fields: EnquiryFields[K] };
}[EnquiryKind];

/** Characters. Far more than a token has. */
const MAX_TOKEN = 1000;

export const ConfirmEnquiryInput = z.strictObject({
  token: z.string().max(MAX_TOKEN, "This link isn’t valid."),
});
export type ConfirmEnquiryInput = z.input<typeof ConfirmEnquiryInput>;

export const INVALID_LINK = "This link has expired. Please send the form again to get a new one by email.";
export const ENQUIRY_CONFIRMED = "Thank you. We’ve got it.";

/** The state of a confirmation link's page. */
export type EnquiryLink =
  | { state: "ready"; kind: EnquiryKind; email: string }
  | { state: "invalid"; message: string };

/** The result of a form: an unconfirmed one needs its sender to open a link. */
export type Submitted = { isUnconfirmed: boolean };
