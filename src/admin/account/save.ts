import { replace } from "react-router";
import { api, ensureOk, readJson } from "#site/api.ts";
import { AccountChange, AddressChange, CodeForm, PasswordChangeForm } from "#worker/accounts/contract.ts";
import { PasskeyChange, PasskeyForm } from "#worker/webauthn/contract.ts";
import { addPasskey, removePasskey, renamePasskey } from "../auth/passkeys.ts";
import { text } from "../form/read.ts";
import { act, intentOf, submit, type Words } from "../form/submit.ts";
import { dialogPaths } from "../lists/dialog-address.ts";
import { toast } from "../shell/toast.tsx";

export const REPLACE_KEY = "replace-key";
export const CHANGE_PRELOAD = "preload";
export const ADD_PASSKEY = "passkey-add";
export const REMOVE_PASSKEY = "passkey-remove";
export const RENAME_PASSKEY = "passkey-rename";
export const START_FACTOR = "factor-start";
export const ENABLE_FACTOR = "factor-enable";
export const DISABLE_FACTOR = "factor-disable";
export const NEW_CODES = "recovery-codes";

/** The dialog that renames a passkey has an address: `?edit=` and the passkey's id. */
export const passkeyPaths = dialogPaths("/admin/account");

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
    case REPLACE_KEY:
      return act(form, replaceKey, words);
    case CHANGE_PRELOAD:
      return act(form, () => changePreload(form), words);
    case "others":
      return act(form, endOtherSessions, words);
    case ADD_PASSKEY:
      return saveNewPasskey(form);
    case REMOVE_PASSKEY:
      return act(form, () => endPasskey(form), words);
    case RENAME_PASSKEY:
      return savePasskeyName(form, new URL(request.url).searchParams);
    case START_FACTOR:
      return act(form, startFactor, words);
    case ENABLE_FACTOR:
      return enableFactor(form);
    case DISABLE_FACTOR:
      return act(form, disableFactor, words);
    case NEW_CODES:
      return act(form, makeNewCodes, words);
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

const saveNewPasskey = (form: FormData) =>
  submit(form, {
    fields: { name: text },
    schema: PasskeyForm,
    words,
    async send(input) {
      const { name } = await addPasskey(input);
      return `${name} was added. You can sign in with it now.`;
    },
  });

const savePasskeyName = (form: FormData, params: URLSearchParams) =>
  submit(form, {
    fields: { name: text },
    schema: PasskeyChange,
    words,
    async send({ name }) {
      await renamePasskey(params.get("edit") ?? "", name);
      toast.success("Name saved.");
      return replace(passkeyPaths.listPath(params));
    },
  });

const startFactor = async () => ({ enrolment: await readJson(api.account["second-factor"].$post()) });

const enableFactor = (form: FormData) =>
  submit(form, {
    fields: { code: text },
    schema: CodeForm,
    words,
    async send(json) {
      return readJson(api.account["second-factor"].$put({ json }));
    },
  });

async function disableFactor() {
  await ensureOk(api.account["second-factor"].$delete());
  return "The authenticator app is switched off.";
}

const makeNewCodes = () => readJson(api.account["recovery-codes"].$post());

async function endPasskey(form: FormData) {
  await removePasskey(String(form.get("id")));
  return `${String(form.get("name"))} was removed.`;
}

async function endSession(form: FormData) {
  await ensureOk(api.sessions[":id"].$delete({ param: { id: String(form.get("id")) } }));
  return `${String(form.get("device"))} is signed out.`;
}

async function endOtherSessions() {
  await ensureOk(api.sessions.$delete());
  return "All other devices are signed out.";
}

async function replaceKey() {
  await ensureOk(api["signing-key"].$post());
  return "The signing key is replaced. Nobody was signed out.";
}

async function changePreload(form: FormData) {
  const preload = form.get("preload") === "on";
  await ensureOk(api.settings.$put({ json: { transport: { preload } } }));
  return preload ? "The preload list is allowed." : "The preload list is no longer allowed.";
}
