import { z } from "zod";
import {
  CONTENT_LENGTH,
  everybody,
  PREHEADER_LENGTH,
  Segment,
  SUBJECT_LENGTH,
  type LetterPreview,
} from "#worker/letters/contract.ts";
import { draftKey, line, markdown } from "#worker/platform/contract.ts";

/** `publication`: a letter for each publication. The others are digests. */
export const frequencies = ["publication", "daily", "weekly", "monthly"] as const;
export type Frequency = (typeof frequencies)[number];

/** What it is about. */
export const itemChoices = ["both", "episode", "article"] as const;
export type ItemChoice = (typeof itemChoices)[number];

/** Whether its letters wait as drafts for the owner's approval, or are sent automatically. */
export const modes = ["hold", "send"] as const;
export type Mode = (typeof modes)[number];

export const MOST_AUTOMATIC_LETTERS = 20;
/** Of one digest; further ones wait for the next. */
export const MOST_DIGEST_ITEMS = 50;
/** That an automatic letter sends for each publication within a day; further ones wait for approval. */
export const MOST_SENT_A_DAY = 10;
/** Minutes from a publication to its letter, in which the publication can be taken back. */
export const WAIT_MINUTES = 5;

const fields = {
  /** For the owner only. */
  name: line(80, "A name has at most 80 characters.").min(1, "Name is required"),
  isOn: z.boolean(),
  frequency: z.enum(frequencies),
  /** From Monday, 1, to Sunday. */
  weekday: z.int().min(1).max(7),
  /** In a shorter month its last day. */
  monthday: z.int().min(1).max(31),
  /** In the site's time zone. */
  hour: z.int().min(0).max(23),
  items: z.enum(itemChoices),
  mode: z.enum(modes),
  /** With placeholders, as the preheader and the content. */
  subject: line(SUBJECT_LENGTH, `A subject has at most ${SUBJECT_LENGTH} characters.`),
  preheader: line(PREHEADER_LENGTH, `A preheader has at most ${PREHEADER_LENGTH} characters.`),
  /** Markdown. */
  content: markdown(CONTENT_LENGTH, "A letter has at most 50,000 characters. Gmail cuts off longer emails."),
  segment: Segment,
  isPublic: z.boolean(),
};

export const AutomaticLetterInput = z.strictObject(fields);
export type AutomaticLetterInput = z.infer<typeof AutomaticLetterInput>;

/** What a template may name, with what each becomes. */
export const itemPlaceholders = {
  title: "its title",
  summary: "the description of an episode, or the excerpt of an essay",
  text: "the show notes of an episode, or the whole essay",
  picture: "its picture",
  link: "the address of its page",
  action: "“Listen to the episode” or “Read on the site”",
  kind: "“Episode” or “Essay”",
} as const;
export const letterPlaceholders = {
  count: "how many items the letter has",
  date: "the date",
  site: "the site’s name",
} as const;

const ITEM = `{{picture}}

## {{title}}

{{summary}}

**[{{action}}]({{link}})**`;

/** The template that a new automatic letter begins with. */
export const firstTemplate = {
  subject: "{{title}}",
  preheader: "{{summary}}",
  content: `{{#items}}\n${ITEM}\n{{/items}}`,
};

export const automaticLetterDefaults: Omit<AutomaticLetterInput, "name"> = {
  isOn: false,
  frequency: "publication",
  weekday: 1,
  monthday: 1,
  hour: 9,
  items: "both",
  mode: "hold",
  ...firstTemplate,
  segment: everybody,
  isPublic: true,
};

/** Only the name is required; the rest has `automaticLetterDefaults`. */
export const NewAutomaticLetter = AutomaticLetterInput.partial()
  .required({ name: true })
  .extend({ draftKey });
export type NewAutomaticLetter = z.input<typeof NewAutomaticLetter>;

/** `basedOn` is the `updatedAt` that the change was made from. */
export const AutomaticLetterChange = AutomaticLetterInput.partial().extend({
  basedOn: z.int().nonnegative().optional(),
});
export type AutomaticLetterChange = z.input<typeof AutomaticLetterChange>;

/** Times are milliseconds UTC. */
export type EditableAutomaticLetter = { id: number; updatedAt: number; values: AutomaticLetterInput };

/** In the owner's list. */
export type AutomaticLetterRow = Pick<
  AutomaticLetterInput,
  "name" | "isOn" | "frequency" | "weekday" | "monthday" | "hour" | "items" | "mode"
> & {
  id: number;
  updatedAt: number;
  /** Published items that its next letter has, at most `MOST_DIGEST_ITEMS`. */
  waiting: number;
  /** Of a digest that is on. */
  nextAt: number | null;
  /** The last letter that it made; its address stays when the letter is deleted. */
  last: { letterId: number; at: number } | null;
};

export const AutomaticPreviewInput = z.strictObject({
  frequency: fields.frequency,
  items: fields.items,
  subject: fields.subject,
  preheader: fields.preheader,
  content: fields.content,
});
export type AutomaticPreviewInput = z.input<typeof AutomaticPreviewInput>;

/** `isExample`: nothing is published yet, so that it shows an invented item. */
export type AutomaticPreview = LetterPreview & { subject: string; isExample: boolean };
