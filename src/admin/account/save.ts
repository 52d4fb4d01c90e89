import { api, ensureOk, readJson } from "#site/api.ts";
import { AccountChange, AddressChange, PasswordChangeForm } from "#worker/accounts/contract.ts";
import { text } from "../form/read.ts";
import { act, intentOf, submit, type Words } from "../form/submit.ts";

const words: Words = { unexpected: "An error occurred. Please try again." };

/** The action of every page that shows forms of your own account. */
export async function saveAccount(request: Request) {
  const form = await request.formData();
  switch (intentOf(form)) {
    case "details":
      return saveDetails(form);
    case "email":
      return changeAddress(form);
    case "password":
      return changePassword(form);
    case "device":
      return act(form, () => endSession(form), words);
    case "others":
      return act(form, endOtherSessions, words);
    default:
      throw new Error(`Unknown intent: ${intentOf(form)}`);
  }
}

const saveDetails = (form: FormData) =>
  submit(form, {
    fields: { fullName: text },
    schema: AccountChange,
    words,
    async send(json) {
      await readJson(api.account.$patch({ json }));
      return "Name saved.";
    },
  });

const changeAddress = (form: FormData) =>
  submit(form, {
    fields: { email: text, currentPassword: text },
    schema: AddressChange,
    words,
    async send(json) {
      const { pendingEmail } = await readJson(api.account.email.$post({ json }));
      return pendingEmail === null
        ? "Your address hasn’t changed."
        : "We sent a link to the new address. Open it to finish the change.";
    },
  });

const changePassword = (form: FormData) =>
  submit(form, {
    fields: { currentPassword: text, password: text, confirmPassword: text },
    schema: PasswordChangeForm,
    words,
    async send({ currentPassword, password }) {
      await readJson(api.account.password.$post({ json: { currentPassword, password } }));
      return "Password changed. All other devices are signed out.";
    },
  });

async function endSession(form: FormData) {
  await ensureOk(api.sessions[":id"].$delete({ param: { id: String(form.get("id")) } }));
  return `${String(form.get("device"))} is signed out.`;
}

async function endOtherSessions() {
  await ensureOk(api.sessions.$delete());
  return "All other devices are signed out.";
}
