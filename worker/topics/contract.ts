import { z } from "zod";
import { basedOn, draftKey, line, lines, orderOf, sortOrder } from "#worker/platform/contract.ts";

/** Subscribers choose among them on one page. */
export const MOST_TOPICS = 20;

const TopicFields = z.strictObject({
  name: line(60, "A name has at most 60 characters.")
    .min(1, "Name is required")
    .refine((name) => !name.includes(";"), "A name has no semicolon: it separates topics in exported lists."),
  /** What its letters are about, and how often they come. */
  description: lines(300, "A description has at most 300 characters."),
  /** Whether subscribers may choose it. Those who already have can still leave it. */
  isOffered: z.boolean(),
  sortOrder,
});
export type TopicInput = z.output<typeof TopicFields>;

export const NewTopic = TopicFields.partial().required({ name: true }).extend({ draftKey });
export type NewTopic = z.input<typeof NewTopic>;

export const topicDefaults = { description: "", isOffered: true } as const satisfies Partial<TopicInput>;

export const TopicChange = TopicFields.partial().extend({ basedOn });
export type TopicChange = z.input<typeof TopicChange>;

/** Every topic's id once, in their new order. */
export const TopicOrder = orderOf(MOST_TOPICS);
export type TopicOrder = z.input<typeof TopicOrder>;

/** A topic in the owner's list. */
export type TopicRow = TopicInput & {
  id: number;
  /** Confirmed subscribers who chose it. */
  chosenBy: number;
};

/** A topic as subscribers see it. */
export type Topic = { id: number; name: string; description: string };

/** The topics that a subscriber may choose among. */
export type TopicOffer = {
  topics: Topic[];
  /** The ids of those that they chose; null if they get every letter. */
  chosen: number[] | null;
};

export const CHOOSE = "Choose every letter, or some topics.";

/** A number, or its digits in an HTML form. */
export const topicId = z.union(
  [
    z.int().positive(),
    z
      .string()
      .regex(/^[1-9]\d{0,14}$/)
      .transform(Number),
  ],
  CHOOSE,
);
const topicIds = z.array(topicId, CHOOSE).max(MOST_TOPICS, CHOOSE);

/** The fields of a form in which a subscriber chooses: every letter, or only those on some topics. */
export const choiceFields = {
  choice: z.enum(["all", "some"], CHOOSE),
  /** Ids, as texts in an HTML form. */
  topics: topicIds.default([]),
};

export const TopicChoice = z.strictObject(choiceFields);
export type TopicChoice = z.input<typeof TopicChoice>;
