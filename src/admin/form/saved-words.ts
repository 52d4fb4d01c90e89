import { formatDateTime } from "#site/ui/format.ts";
import { isFirstSave } from "./submit.ts";
import type { Status } from "../publishing/statuses.ts";
import type { ToastWords } from "../shell/toast.tsx";

type Saved = {
  status: Status;
  /** Milliseconds UTC; null unless the status is scheduled. */
  scheduledFor: number | null;
};

/** Whether an item has another status than its form was opened with. */
export const isNewStatus = (form: FormData, status: Status) =>
  form.has("savedStatus") && form.get("savedStatus") !== status;

/**
 * The toast after the button saved an item: its new status if that changed, otherwise that it was created or updated.
 * `noun`: "Episode".
 */
export function savedWords(noun: string, form: FormData, { status, scheduledFor }: Saved): ToastWords {
  const isNew = isNewStatus(form, status);
  if (
    status === "scheduled" &&
    scheduledFor !== null &&
    (isNew || form.get("savedPlan") !== String(scheduledFor))
  )
    return scheduledWords(noun, scheduledFor);
  if (isNew && status === "published") return `${noun} published successfully!`;
  if (isNew && status === "archived") return `${noun} archived successfully!`;
  if (isNew && status === "draft") return draftWords(noun);
  return createdOrUpdated(noun, form);
}

export const scheduledWords =
  (noun: string, at: number): ToastWords =>
  (locale) =>
    `${noun} scheduled for ${formatDateTime(at, locale)}`;

export const draftWords = (noun: string) => `The ${noun.toLowerCase()} is a draft again`;

/** A new item is created by the first press of its button, although it may have saved itself before. */
export const createdOrUpdated = (noun: string, form: FormData) =>
  `${noun} ${isFirstSave(form) ? "created" : "updated"} successfully!`;
