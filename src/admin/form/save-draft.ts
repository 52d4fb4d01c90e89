import { useRef } from "react";
import type { z } from "zod";
import { ApiError } from "#site/api.ts";
import { isRefused, type SaveDraft } from "./autosave.tsx";
import { readForm, type FormSpec } from "./read.ts";
import { basedOnOf } from "./submit.ts";

type Change<S extends z.ZodType> = z.output<S> & { automatic: true; basedOn: number | undefined };

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
  create: (input: z.output<S> & { automatic: true }) => Promise<{ id: number; updatedAt: number }>;
  update: (id: string, change: Change<S>) => Promise<{ updatedAt: number }>;
};

/** Saves a draft while it is written; the first time it gets its own address, where its form goes on. */
export function useSaveDraft<S extends z.ZodType>(options: Options<S>): SaveDraft {
  const { spec, item, path, create, update, isBegun = hasTitle } = options;
  const created = useRef<number>(undefined);
  const unanswered = useRef<Attempt<S>>(undefined);
  const addressOf = (id: number) => `${path}/${id}`;
  return (data) => {
    const isDraft =
      (item?.values.status ?? "draft") === "draft" && (data.get("status") ?? "draft") === "draft";
    return isDraft && isBegun(data) ? save(data) : null;
  };

  async function save(data: FormData) {
    const input = { ...(inputOf(data, spec) as object), automatic: true } as z.output<S> & {
      automatic: true;
    };
    const id = item?.id ?? created.current;
    if (id === undefined) {
      const saved = await create(input);
      created.current = saved.id;
      return { updatedAt: saved.updatedAt, address: addressOf(saved.id) };
    }
    const held = basedOnOf(data);
    // The key has done its work.
    const change = { ...input, draftKey: undefined, basedOn: await settle(String(id), held) };
    try {
      const { updatedAt } = await update(String(id), change);
      unanswered.current = undefined;
      return { updatedAt, address: item ? undefined : addressOf(id) };
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
  const [message = "Something is not filled in yet."] = Object.values(read.errors.fields);
  throw new ApiError(422, { code: "invalid", message });
}
