import { LetterInput } from "#worker/letters/contract.ts";
import { checkbox, checkedValues, dateTime, object, text } from "../form/read.ts";

/** `isPublic` stays as it is where the form does not ask for it. */
export const letterForm = {
  schema: LetterInput.partial({ isPublic: true }),
  fields: {
    subject: text,
    preheader: text,
    content: text,
    segment: object({ sources: checkedValues, since: dateTime, until: dateTime }),
    isPublic: checkbox,
  },
};
