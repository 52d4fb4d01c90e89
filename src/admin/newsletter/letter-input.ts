import { LetterInput } from "#worker/letters/contract.ts";
import { draftKey } from "#worker/platform/contract.ts";
import { checkbox, checkedValues, dateTime, object, text, textToChange } from "../form/read.ts";

/** `isPublic` stays as it is where the form does not ask for it. */
export const letterForm = {
  schema: LetterInput.partial({ isPublic: true }).extend({ draftKey }),
  fields: {
    draftKey: textToChange,
    subject: text,
    preheader: text,
    content: text,
    segment: object({ sources: checkedValues, since: dateTime, until: dateTime }),
    isPublic: checkbox,
  },
};
