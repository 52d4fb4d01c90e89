import { LetterInput, Segment } from "#worker/letters/contract.ts";
import { draftKey } from "#worker/platform/contract.ts";
import { checkbox, checkedValues, dateTime, object, text, textToChange } from "../form/read.ts";

const segment = object({ sources: checkedValues, since: dateTime, until: dateTime });

/** The form's segment; null while a date is incomplete. */
export const readSegment = (form: FormData) => Segment.safeParse(segment(form, "segment")).data ?? null;

/** `isPublic` is unchanged if the form does not have it. */
export const letterForm = {
  schema: LetterInput.partial({ isPublic: true }).extend({ draftKey }),
  fields: {
    draftKey: textToChange,
    subject: text,
    preheader: text,
    content: text,
    segment,
    isPublic: checkbox,
  },
};
