import { LetterInput, Question, Segment } from "#worker/letters/contract.ts";
import { draftKey } from "#worker/platform/contract.ts";
import { checkbox, checkedValues, dateTime, numberOrNull, object, text, textToChange } from "../form/read.ts";

/** The ids of checked boxes. */
const checkedIds = (form: FormData, name: string) => checkedValues(form, name).map(Number);

const segment = object({
  topic: numberOrNull,
  match: text,
  sources: checkedValues,
  tiers: checkedIds,
  since: dateTime,
  until: dateTime,
});

/** The form's segment; null while a date is incomplete. */
export const readSegment = (form: FormData) => Segment.safeParse(segment(form, "segment")).data ?? null;

/** Lines with words, trimmed. */
const writtenLines = (form: FormData, name: string) =>
  (text(form, name) ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const questionFields = object({
  text,
  answers: writtenLines,
  closesAt: dateTime,
  showsResults: checkbox,
});

/** The form's question; null while question and answers are both empty. */
function question(form: FormData, name: string) {
  const asked = questionFields(form, name);
  const isEmpty =
    String(asked["text"] ?? "").trim() === "" && writtenLines(form, `${name}.answers`).length === 0;
  return isEmpty ? null : asked;
}

/** The form's question; null while it is incomplete, too. */
export const readQuestion = (form: FormData) => Question.safeParse(question(form, "question")).data ?? null;

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
    question,
  },
};
