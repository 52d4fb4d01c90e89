import { data } from "react-router";
import type { z } from "zod";
import { ApiError } from "#site/api.ts";
import { toast, type ToastWords, type Undo } from "../shell/toast.tsx";
import { placeErrors, readForm, type FormSpec } from "./read.ts";
import type { FormErrors, FormResult } from "./result.ts";

/** A screen's own error messages, if the specification has them. */
export type Words = {
  /** An API error without a field. */
  failed?: (error: ApiError) => string;
  /** Anything else: a bug, or no connection. */
  unexpected?: string;
  /** Also shows the first message as a toast. */
  toast?: (message: string) => string;
};

type Submission<S extends z.ZodType, Answer> = FormSpec<S> & {
  /** Calls the API. Returns the toast of a success, or another answer of the action, such as a redirect. */
  send: (input: z.output<S>) => Promise<Answer>;
  words?: Words;
  /** An error of this field, or of this status, or of one of these fields, means that the page is out of date: its loader runs again. */
  reloadOn?: string | number | string[];
};

export const SESSION_ENDED =
  "Your session has ended. Sign in in another tab, then save again. Nothing here is lost.";

type Defaults = { lost: string; unexpected: string };

const FORM_WORDS: Defaults = {
  lost: "The connection was lost, so it may not be saved. Your text is still here. Try again.",
  unexpected: "Something went wrong. Your text is still here. Try again.",
};
/** For actions without typed values. */
const ACTION_WORDS: Defaults = {
  lost: "The connection was lost, so it may not be done. Try again.",
  unexpected: "Something went wrong. Try again.",
};

export const intentOf = (form: FormData) => String(form.get("intent"));

/** The `updatedAt` of the version that was edited; undefined once the owner chose to overwrite a newer one. */
export const basedOnOf = (form: FormData) =>
  form.has("overwrite") ? undefined : Number(form.get("basedOn"));

/** The field of a new item's form until its button has saved it once. */
export const FIRST_SAVE = "firstSave";

export const isFirstSave = (form: FormData) => form.has(FIRST_SAVE);

/** The body of a `clientAction`: reads a form, sends it to the API, and answers what its `Form` shows. */
export async function submit<S extends z.ZodType, Answer>(
  form: FormData,
  { send, words = {}, reloadOn, ...spec }: Submission<S, Answer>,
) {
  const read = readForm(form, spec);
  if ("errors" in read) return notSaved(form, read.errors);
  try {
    const answer = await send(read.input);
    return typeof answer === "string" ? saved(form, answer) : (answer as Exclude<Answer, string>);
  } catch (error) {
    const errors = errorsOf(form, error, words, FORM_WORDS);
    if (words.toast) toast.error(words.toast(firstMessage(errors)));
    const isOutOfDate =
      error instanceof ApiError &&
      reloadOn !== undefined &&
      [reloadOn].flat().some((on) => on === error.field || on === error.status);
    return notSaved(form, errors, isOutOfDate);
  }
}

/**
 * The body of a `clientAction` for an `ActionButton`: success, which `send` words unless it answers otherwise, and error
 * are toasts.
 */
export async function act<Answer>(form: FormData, send: () => Promise<Answer>, words: Words = {}) {
  try {
    const answer = await send();
    return typeof answer === "string" ? saved(form, answer) : (answer as Exclude<Answer, string>);
  } catch (error) {
    const errors = errorsOf(form, error, words, ACTION_WORDS);
    const message = firstMessage(errors);
    toast.error(words.toast?.(message) ?? message);
    return notSaved(form, errors, error instanceof ApiError && [404, 409].includes(error.status));
  }
}

/** An action's answer after a save; `address` moves a new item's form, and `undo` takes the save back. */
export function saved(
  form: FormData,
  message: ToastWords,
  { address, updatedAt, undo }: Pick<FormResult, "address" | "updatedAt"> & { undo?: Undo } = {},
): FormResult {
  toast.success(message, { undo });
  return { intent: intentOf(form), at: Date.now(), errors: null, address, updatedAt };
}

/** After a 422 React Router runs no loader, so the page does not change, also without a connection. */
function notSaved(form: FormData, errors: FormErrors, isOutOfDate = false) {
  const result: FormResult = { intent: intentOf(form), at: Date.now(), errors };
  return data(result, { status: isOutOfDate ? 200 : 422 });
}

function errorsOf(form: FormData, error: unknown, words: Words, defaults: Defaults): FormErrors {
  if (!(error instanceof ApiError)) {
    console.error(error);
    return {
      fields: {},
      message: words.unexpected ?? (isConnectionLost(error) ? defaults.lost : defaults.unexpected),
    };
  }
  const { field, message, status } = error;
  const placed = placeErrors(form, field === undefined ? [] : [{ path: field.split("."), message }]);
  if (Object.keys(placed.fields).length > 0) return placed;
  return {
    fields: {},
    message: words.failed?.(error) ?? defaultWords(error, words),
    isConflict: status === 409 && form.has("basedOn"),
    isGone: status === 404 && form.has("basedOn"),
  };
}

function defaultWords({ status, code, message }: ApiError, { unexpected }: Words) {
  if (status === 401) return SESSION_ENDED;
  return code === "internal" ? (unexpected ?? message) : message;
}

/** fetch throws a TypeError when it reaches no server. */
const isConnectionLost = (error: unknown) => error instanceof TypeError;

const firstMessage = ({ fields, message }: FormErrors) =>
  Object.values(fields)[0] ?? message ?? "Unknown error";
