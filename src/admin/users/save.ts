import { replace } from "react-router";
import { api, ensureOk, readJson, type ApiError } from "#site/api.ts";
import { UserChange, UserInput } from "#worker/accounts/contract.ts";
import { checkbox, text, textToChange } from "../form/read.ts";
import { act, basedOnOf, intentOf, SESSION_ENDED, submit, type Words } from "../form/submit.ts";
import { toast } from "../shell/toast.tsx";
import { listPath, RESET_FACTOR } from "./addresses.ts";

/** Users are added and edited in dialogs; the query of their address names the user. */
export async function saveUser(request: Request) {
  const form = await request.formData();
  const { searchParams } = new URL(request.url);
  const id = searchParams.get("edit") ?? "";
  const list = listPath(searchParams);
  switch (intentOf(form)) {
    case "add":
      return addUser(form, list);
    case "edit":
      return editUser(id, form, list);
    case "invite":
      return act(form, () => inviteAgain(id), words);
    case RESET_FACTOR:
      return act(form, () => resetFactor(id), words);
    case "delete":
      return act(form, () => deleteUser(String(form.get("id"))), words);
    default:
      throw new Error(`Unknown intent: ${intentOf(form)}`);
  }
}

const addUser = (form: FormData, list: string) =>
  submit(form, {
    fields: { email: text, fullName: text, role: text, password: text },
    schema: UserInput,
    words,
    async send(json) {
      await readJson(api.users.$post({ json }));
      toast.success("User created successfully!");
      return replace(list);
    },
  });

const editUser = (id: string, form: FormData, list: string) =>
  submit(form, {
    fields: { email: text, fullName: text, role: text, password: textToChange, isActive: checkbox },
    schema: UserChange,
    words,
    async send(change) {
      const json = { ...change, basedOn: basedOnOf(form) };
      await readJson(api.users[":id"].$patch({ param: { id }, json }));
      toast.success("User updated successfully!");
      return replace(list);
    },
  });

async function inviteAgain(id: string) {
  await ensureOk(api.users[":id"].invitation.$post({ param: { id } }));
  return "The email was sent again.";
}

async function resetFactor(id: string) {
  await ensureOk(api.users[":id"]["second-factor"].$delete({ param: { id } }));
  return "Their second factor was reset, and they get an email about it.";
}

async function deleteUser(id: string) {
  await ensureOk(api.users[":id"].$delete({ param: { id } }));
  return "User deleted successfully!";
}

const words: Words = {
  failed({ status, code, message }: ApiError) {
    if (status === 401) return SESSION_ENDED;
    if (code === "internal") return `Error: ${message}`;
    return `Operation failed: ${message || "Unknown error"}`;
  },
  unexpected: "An unexpected error occurred",
};
