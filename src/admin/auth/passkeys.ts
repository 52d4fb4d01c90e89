import { api, ApiError, ensureOk, readJson } from "#site/api.ts";
import * as ceremonies from "#site/webauthn/ceremonies.ts";
import { PASSKEY_UNKNOWN, type Account } from "#worker/accounts/contract.ts";
import type { PasskeyList, PasskeySignIn } from "#worker/webauthn/contract.ts";

/** The passkeys of users: docs/decisions/0090-passkeys.md. */

export { supportsPasskeys } from "#site/webauthn/ceremonies.ts";

const signIn = {
  readOptions: (signal?: AbortSignal) =>
    readJson(api.session.passkey.$get({}, { init: signal ? { signal } : {} })),
  otherwise: "sign in with your password",
};

/** Asks for one of the user's passkeys, which ends the offer in the email field. */
export const askForPasskey = () => ceremonies.askForPasskey(signIn).catch(asApiError);

/** Offers passkeys in the email field until one is chosen, another ceremony begins, or the login is `left`. */
export const offerInField = (left: AbortSignal, onAnswer: (answer: PasskeySignIn) => void) =>
  ceremonies.offerInField(signIn, left, onAnswer);

/** Signs in, and lets the browser forget a passkey that was removed here. */
export async function signInByPasskey(json: PasskeySignIn) {
  try {
    await readJson(api.session.passkey.$post({ json }));
  } catch (error) {
    if (error instanceof ApiError && error.message === PASSKEY_UNKNOWN)
      await ceremonies.forgetPasskey(json.id);
    throw error;
  }
}

/** Makes a passkey on this device, or on another one that the user chooses, and stores it. */
export async function addPasskey({ name }: { name: string }) {
  const options = await readJson(api.account.passkeys.options.$post());
  return ceremonies
    .makePasskey(
      options,
      (answer) => readJson(api.account.passkeys.$post({ json: { name, ...answer } })),
      (error) => (error instanceof ApiError ? error : null),
    )
    .catch(asApiError);
}

export async function renamePasskey(id: string, name: string) {
  await readJson(api.account.passkeys[":id"].$patch({ param: { id }, json: { name } }));
}

/** Removes it, and reports those that are left to a browser that takes such reports. */
export async function removePasskey(id: string) {
  await ensureOk(api.account.passkeys[":id"].$delete({ param: { id } }));
  await ceremonies.reportLeft(() => readJson(api.account.passkeys.$get()));
}

/** Reports the account's current name to a browser that takes such reports. */
export const reportName = (list: PasskeyList, { email, fullName }: Pick<Account, "email" | "fullName">) =>
  ceremonies.reportName(list, { name: email, displayName: fullName });

/** Forms show the messages of such errors. */
function asApiError(error: unknown): never {
  if (!(error instanceof ceremonies.CeremonyError)) throw error;
  throw new ApiError(422, { code: "invalid", message: error.message });
}
