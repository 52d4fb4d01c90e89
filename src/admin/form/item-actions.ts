import { redirect } from "react-router";
import type { z } from "zod";
import { ensureOk } from "#site/api.ts";
import type { BinKind } from "#worker/bin/contract.ts";
import { undoDeletion } from "../lists/undo-deletion.ts";
import { toast } from "../shell/toast.tsx";
import type { FormSpec } from "./read.ts";
import { act, basedOnOf, saved, submit } from "./submit.ts";

type Answer = Parameters<typeof ensureOk>[0];
type Id = { param: { id: string } };

/** A noun in the typed client, such as `api.ventures`. */
type ItemApi<Input> = {
  $post(call: { json: Input }): Answer;
  ":id": {
    $patch(call: Id & { json: Input & { basedOn: number | undefined } }): Answer;
    $delete(call: Id): Answer;
  };
};

type Item<S extends z.ZodType<object>> = FormSpec<S> & {
  /** In the toasts: "venture". */
  noun: string;
  api: ItemApi<z.output<S>>;
  /** The address of the list, which opens after a save. */
  list: string;
  /** The kind of its items in the bin, if they are deleted into it. */
  bin?: BinKind;
};

type Save<Input> = {
  send: (input: Input) => Answer;
  /** The toast: its verb, or all of it. */
  done: string | ((input: Input) => string);
  /** What the action answers after a save; the list, if not given. */
  close?: () => Response;
};

/** The actions of a noun's form and list. Errors are shown in the form, and a toast reports the failure. */
export function itemActions<S extends z.ZodType<object>>({ noun, api, list, bin, ...spec }: Item<S>) {
  type Input = z.output<S>;
  const name = noun.charAt(0).toUpperCase() + noun.slice(1);
  const save = (form: FormData, { send, done, close = () => redirect(list) }: Save<Input>) =>
    submit(form, {
      ...spec,
      words: { toast: () => `Failed to save ${noun}` },
      async send(input) {
        await ensureOk(send(input));
        toast.success(typeof done === "string" ? `${name} ${done} successfully` : done(input));
        return close();
      },
    });
  return {
    create: (form: FormData, close?: () => Response) =>
      save(form, { send: (json) => api.$post({ json }), done: "created", close }),
    update: (
      form: FormData,
      id: string,
      { done = "updated", close }: Partial<Pick<Save<Input>, "done" | "close">> = {},
    ) =>
      save(form, {
        send: (input) => api[":id"].$patch({ param: { id }, json: { ...input, basedOn: basedOnOf(form) } }),
        done,
        close,
      }),
    remove: (form: FormData) =>
      act(
        form,
        async () => {
          await ensureOk(api[":id"].$delete({ param: { id: String(form.get("id")) } }));
          const undo = bin && undoDeletion(bin, form.get("id"));
          return saved(form, `${name} deleted successfully`, { undo });
        },
        { toast: (message) => `Failed to delete ${noun}. ${message}` },
      ),
  };
}
