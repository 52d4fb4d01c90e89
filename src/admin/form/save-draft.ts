import { useRef } from "react";
import type { z } from "zod";
import { ApiError } from "#site/api.ts";
import { isRefused, type SaveDraft } from "./autosave.tsx";
import { readForm, type FormSpec } from "./read.ts";
import { basedOnOf } from "./submit.ts";

type Change<S extends z.ZodType> = z.output<S> & { automatic: true; basedOn: number | undefined };

type Automatic<S extends z.ZodType> = z.output<S> & { automatic: true };

type Attempt<S extends z.ZodType> = {
  /** The version that the form held. */
  held: number | undefined;
  change: Change<S>;
  /** That is stored now, once it is known. */
  version?: number;
};

type Options<S extends z.ZodType> = {
  spec: FormSpec<S>;
  /** What is stored; null for a new item. */
  item: { id: number; values: { status: string } } | null;
  /** Whether the form holds something worth keeping; by default a title. */
  isBegun?: (form: FormData) => boolean;
  /** Items are edited below this address, by their ids. */
  path: string;
  create: (input: Automatic<S>) => Promise<{ id: number; updatedAt: number }>;
  update: (id: string, change: Change<S>) => Promise<{ updatedAt: number }>;
};

/**
 * Saves a draft while it is written; the first time, and as a new one, it gets its own address, where its form goes on.
 */
export function useSaveDraft<S extends z.ZodType>(options: Options<S>): SaveDraft {
  const { spec, item, path, create, update, isBegun = hasTitle } = options;
  const created = useRef<number>(undefined);
  /** Of a new draft in place of one that was deleted: if the answer is lost, the next save goes on with it. */
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
    // The page of what was deleted may not be left yet.
    const id = created.current ?? item?.id;
    if (id === undefined) return saveFirst(input);
    const held = basedOnOf(data);
    // The key has done its work.
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

  /** The version that the next save is based on: what was not answered may have been saved, which the same again tells. */
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

/** @throws {ApiError} for what the form itself refuses, as the API would */
function inputOf<S extends z.ZodType>(data: FormData, spec: FormSpec<S>) {
  const read = readForm(data, spec);
  if ("input" in read) return read.input;
  const [message = "Some fields still need filling in."] = Object.values(read.errors.fields);
  throw new ApiError(422, { code: "invalid", message });
}
