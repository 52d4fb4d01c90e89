import { z } from "zod";
import { basedOn, draftKey, line, lines, optionalEmail } from "#worker/platform/contract.ts";

export const engagementStatuses = ["upcoming", "completed", "cancelled"] as const;
export type EngagementStatus = (typeof engagementStatuses)[number];

const AUDIENCE = "Audience size must be a whole number of at most a million.";
const FEE = "A fee must be an amount of at most ten million, with at most two decimals.";

/** For users who may see personal data: the contact, and what was agreed. */
const confidential = {
  contactEmail: optionalEmail,
  contactPhone: line(40),
  fee: z.number(FEE).min(0, FEE).max(10_000_000, FEE).multipleOf(0.01, FEE).nullable(),
  notes: lines(5000),
};

const EngagementFields = z.strictObject({
  title: line(255).min(1, "Title is required"),
  description: lines(2000),
  /** Its day, yyyy-mm-dd; null while undecided. */
  date: z.iso
    .date("Enter a date.")
    .refine((day) => day >= "1970", "Enter a date after 1970.")
    .nullable(),
  venue: line(160),
  location: line(160),
  audienceSize: z.int(AUDIENCE).min(0, AUDIENCE).max(1_000_000, AUDIENCE).nullable(),
  status: z.enum(engagementStatuses),
  ...confidential,
});
type EngagementInput = z.output<typeof EngagementFields>;

/** Only the title is required; the rest has `engagementDefaults`. */
export const NewEngagement = EngagementFields.partial().extend({
  title: EngagementFields.shape.title,
  draftKey,
});
export type NewEngagement = z.input<typeof NewEngagement>;

export const EngagementChange = EngagementFields.partial().extend({ basedOn });
export type EngagementChange = z.input<typeof EngagementChange>;

export const engagementDefaults: Omit<EngagementInput, "title"> = {
  description: "",
  date: null,
  venue: "",
  location: "",
  audienceSize: null,
  status: "upcoming",
  contactEmail: "",
  contactPhone: "",
  fee: null,
  notes: "",
};

export const confidentialFields = Object.keys(confidential) as (keyof typeof confidential)[];
export type Confidential = Pick<EngagementInput, keyof typeof confidential>;

/** An engagement as visitors see it: nothing of contact, fee and notes. */
export type Engagement = {
  id: number;
  title: string;
  description: string;
  /** Its day, as milliseconds at midnight UTC. */
  date: number | null;
  venue: string;
  location: string;
  audienceSize: number | null;
};

/** An engagement in the owner's list. */
export type EngagementRow = Engagement & { status: EngagementStatus };

/** An engagement as it is edited. `updatedAt` is in milliseconds UTC. */
export type EditableEngagement = {
  id: number;
  updatedAt: number;
  values: Omit<EngagementInput, keyof Confidential>;
  /** Null for users who may not see personal data. */
  confidential: Confidential | null;
};
