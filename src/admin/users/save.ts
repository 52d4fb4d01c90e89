import { replace } from "react-router";
import { api, ApiError, ensureOk, readJson } from "#site/api.ts";
import { toast } from "../toast.tsx";
import { UserChange, UserInput } from "#worker/accounts/contract.ts";
import { problemOf, type Problem } from "../door/form.tsx";
import { refused, SESSION_ENDED } from "../saving.ts";
import { listPath } from "./addresses.ts";

export type Intent = "add" | "edit" | "invite" | "delete";
export type UserResult = { intent: Intent; problem?: Problem };

/** Adding and editing stand in dialogs, whose address says whom they are about. */
export async function saveUser(request: Request) {
  const form = await request.formData();
  const { searchParams } = new URL(request.url);
  const id = searchParams.get("edit") ?? "";
  const list = listPath(searchParams);
  const intent = form.get("intent");
  switch (intent) {
    case "add":
      return addUser(form, list);
    case "edit":
      return editUser(id, form, list);
    case "invite":
      return inviteAgain(id);
    case "delete":
      return deleteUser(String(form.get("id")));
    default:
      throw new Error(`Unknown intent: ${String(intent)}`);
  }
}

async function addUser(form: FormData, list: string) {
  const setsPassword = form.get("entry") === "password";
  const input = UserInput.safeParse({
    ...textsOf(form, ["email", "fullName", "role"]),
    ...(setsPassword && textsOf(form, ["password"])),
  });
  if (!input.success) return refused<UserResult>({ intent: "add", problem: problemOf(input.error) });
  return attempt("add", async () => {
    await readJson(api.users.$post({ json: input.data }));
    toast.success("User created successfully!");
    return replace(list);
  });
}

async function editUser(id: string, form: FormData, list: string) {
  const input = UserChange.safeParse({
    ...textsOf(form, ["email", "fullName", "role"]),
    // An empty one is kept as it is.
    ...(form.get("password") && textsOf(form, ["password"])),
    ...(form.has("mayDisable") && { isActive: form.has("isActive") }),
  });
  if (!input.success) return refused<UserResult>({ intent: "edit", problem: problemOf(input.error) });
  return attempt("edit", async () => {
    await readJson(api.users[":id"].$patch({ param: { id }, json: input.data }));
    toast.success("User updated successfully!");
    return replace(list);
  });
}

const inviteAgain = (id: string) =>
  attempt("invite", async () => {
    const { message } = await readJson(api.users[":id"].invitation.$post({ param: { id } }));
    toast.success(message);
    return refused<UserResult>({ intent: "invite" });
  });

const deleteUser = (id: string) =>
  attempt("delete", async () => {
    await ensureOk(api.users[":id"].$delete({ param: { id } }));
    toast.success("User deleted successfully!");
    return { intent: "delete" } satisfies UserResult;
  });

/** Those of the fields that the form has: one that may not be changed is not sent. */
function textsOf(form: FormData, names: string[]) {
  return Object.fromEntries(
    names.flatMap((name) => (form.has(name) ? [[name, String(form.get(name))]] : [])),
  );
}

async function attempt<T>(intent: Intent, call: () => Promise<T>) {
  try {
    return await call();
  } catch (error) {
    return refused<UserResult>({ intent, problem: problemFrom(error) });
  }
}

/** What belongs beside a field stands there; anything else is an alert. */
function problemFrom(error: unknown): Problem {
  if (error instanceof ApiError && error.field) return { errors: { [error.field]: error.message } };
  const failure = alertOf(error);
  toast.error(failure);
  return { errors: {}, failure };
}

function alertOf(error: unknown) {
  if (!(error instanceof ApiError)) {
    console.error(error);
    return "An unexpected error occurred";
  }
  if (error.status === 401) return SESSION_ENDED;
  if (error.code === "internal") return `Error: ${error.message}`;
  return `Operation failed: ${error.message || "Unknown error"}`;
}
