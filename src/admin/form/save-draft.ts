import { useRef } from "react";
import type { z } from "zod";
import { ApiError } from "#site/api.ts";
import { isRefused, type SaveDraft } from "./autosave.tsx";
import { readForm, type FormSpec } from "./read.ts";
import { basedOnOf } from "./submit.ts";

type Change<S extends z.ZodType> = z.output<S> & { automatic: true; basedOn: number | undefined };

type Automatic<S extends z.ZodType> = z.output<S> & { automatic: true };

type Attempt<S extends z.ZodType> = {
  /** The version that the form was based on. */
  held: number | undefined;
  change: Change<S>;
  /** The stored version, once known. */
  version?: number;
};

type Options<S extends z.ZodType> = {
  spec: FormSpec<S>;
  /** The stored item; null for a new one. */
  item: { id: number; values: { status: string } } | null;
  /** Whether the form has something worth saving; by default a title. */
  isBegun?: (form: FormData) => boolean;
  /** Items are edited below this address, by their ids. */
  path: string;
  create: (input: Automatic<S>) => Promise<{ id: number; updatedAt: number }>;
  update: (id: string, change: Change<S>) => Promise<{ updatedAt: number }>;
};

/** Autosaves a draft. The first save of a new item moves its form to the item's own address. */
export function useSaveDraft<S extends z.ZodType>(options: Options<S>): SaveDraft {
  const { spec, item, path, create, update, isBegun = hasTitle } = options;
  const created = useRef<number>(undefined);
  /**
   * The key of a new draft that replaces a deleted one: if the answer is lost, the next save updates the same draft.
   */
  const newKey = useRef<string>(undefined);
  const unanswered = useRef<Attempt<S>>(undefined);
  const addressOf = (id: number) => `${path}/${id}`;
  return (data, isNew) => {
    if (isNew) return saveAsNew(data);
    const isDraft =
      (item?.values.status ?? "draft") === "draft" && (data.get("status") ?? "draft") === "draft";
    return isDraft && isBegun(data) ? save(data) : null;
  };

  async function saveAsNew(data: FormData) {
    newKey.current ??= crypto.randomUUID();
    const saved = await saveFirst({ ...automatic(data), draftKey: newKey.current });
    newKey.current = undefined;
    return saved;
  }

  async function saveFirst(input: Automatic<S>) {
    const { id, updatedAt } = await create(input);
    created.current = id;
    return { updatedAt, address: addressOf(id) };
  }

  function automatic(data: FormData) {
    return { ...(inputOf(data, spec) as object), automatic: true } as Automatic<S>;
  }

  async function save(data: FormData) {
    const input = automatic(data);
    // The form may still be at the address of the deleted item.
    const id = created.current ?? item?.id;
    if (id === undefined) return saveFirst(input);
    const held = basedOnOf(data);
    // The key is only for creation.
    const change = { ...input, draftKey: undefined, basedOn: await settle(String(id), held) };
    try {
      const { updatedAt } = await update(String(id), change);
      unanswered.current = undefined;
      return { updatedAt, address: item?.id === id ? undefined : addressOf(id) };
    } catch (error) {
      if (!isRefused(error)) unanswered.current = { held, change };
      throw error;
    }
  }

  /** The version for the next save: an unanswered save may have succeeded, so repeat it first. */
  async function settle(id: string, held: number | undefined) {
    const attempt = unanswered.current;
    if (!attempt || attempt.held !== held) return held;
    attempt.version ??= await sendAgain(id, attempt.change);
    return attempt.version;
  }

  async function sendAgain(id: string, change: Change<S>) {
    try {
      return (await update(id, change)).updatedAt;
    } catch (error) {
      if (isRefused(error)) return change.basedOn;
      throw error;
    }
  }
}

const hasTitle = (form: FormData) => String(form.get("title")).trim() !== "";

/** @throws {ApiError} for values that the form refuses, as the API would */
function inputOf<S extends z.ZodType>(data: FormData, spec: FormSpec<S>) {
  const read = readForm(data, spec);
  if ("input" in read) return read.input;
  const [message = "Some fields still need filling in."] = Object.values(read.errors.fields);
  throw new ApiError(422, { code: "invalid", message });
}
