import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  sendSignal,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { api, ApiError, ensureOk, readJson } from "#site/api.ts";
import {
  PASSKEY_KNOWN,
  PASSKEY_TOO_LATE,
  PASSKEY_UNKNOWN,
  type Account,
  type PasskeyList,
  type PasskeySignIn,
} from "#worker/accounts/contract.ts";

/** What the browser does with passkeys: docs/decisions/0090-passkeys.md. */

export const supportsPasskeys = browserSupportsWebAuthn;

/** Milliseconds. The server's challenge works a little longer. */
const RENEW_AFTER = 9 * 60_000;

/**
 * Asks for one of the user's passkeys; with `inField` in the browser's list for the email field, without a dialog, until
 * it aborts. A dialog ends that offer.
 */
export async function askForPasskey({ inField }: { inField?: AbortSignal } = {}): Promise<PasskeySignIn> {
  if (!inField) offered?.abort();
  const init = inField ? { signal: inField } : {};
  const optionsJSON = await readJson(api.session.passkey.$get({}, { init }));
  inField?.throwIfAborted();
  const { id, response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: inField !== undefined,
  }).catch((error: unknown) => {
    throw inWords(error, "sign-in");
  });
  const { userHandle = "", clientDataJSON, authenticatorData, signature } = response;
  return { id, userHandle, clientDataJSON, authenticatorData, signature };
}

/** The offer in the email field. */
let offered: AbortController | undefined;

/** Offers passkeys in the email field until one is chosen, another ceremony begins, or the login is `left`. */
export async function offerInField(left: AbortSignal, onAnswer: (answer: PasskeySignIn) => void) {
  const offer = (offered = new AbortController());
  const signal = AbortSignal.any([left, offer.signal]);
  if (!(await browserSupportsWebAuthnAutofill())) return;
  signal.addEventListener("abort", cancel);
  while (!signal.aborted) {
    const renewal = AbortSignal.timeout(RENEW_AFTER);
    renewal.addEventListener("abort", cancel);
    const answer = await askForPasskey({ inField: signal }).catch(() => null);
    renewal.removeEventListener("abort", cancel);
    if (answer && !signal.aborted) onAnswer(answer);
    if (!renewal.aborted) return;
  }
}

const cancel = () => WebAuthnAbortService.cancelCeremony();

/** Signs in, and lets the browser forget a passkey that was removed here. */
export async function signInByPasskey(json: PasskeySignIn) {
  try {
    await readJson(api.session.passkey.$post({ json }));
  } catch (error) {
    if (error instanceof ApiError && error.message === PASSKEY_UNKNOWN) await forgetPasskey(json.id);
    throw error;
  }
}

/** Makes a passkey on this device, or on another one that the user chooses, and stores it. */
export async function addPasskey({ name }: { name: string }) {
  const optionsJSON = await readJson(api.account.passkeys.options.$post());
  const { id, response } = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw inWords(error, "addition");
  });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const json = { name, id, clientDataJSON, attestationObject, transports };
  try {
    return await readJson(api.account.passkeys.$post({ json }));
  } catch (error) {
    if (isSurelyNotStored(error)) await forgetPasskey(id, optionsJSON.rp.id);
    throw error;
  }
}

/** After an error of the server, or if the answer came twice, it may be stored. */
const isSurelyNotStored = (error: unknown) =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![PASSKEY_KNOWN, PASSKEY_TOO_LATE].includes(error.message);

export async function renamePasskey(id: string, name: string) {
  await readJson(api.account.passkeys[":id"].$patch({ param: { id }, json: { name } }));
}

/** Removes it, and reports those that are left to a browser that takes such reports. */
export async function removePasskey(id: string) {
  await ensureOk(api.account.passkeys[":id"].$delete({ param: { id } }));
  await ifSupported(reportLeft());
}

/** Read for this: by a list that a page has shown for a while, the browser would hide a passkey that is newer. */
async function reportLeft() {
  const { items, rpId, userHandle } = await readJson(api.account.passkeys.$get());
  const allAcceptedCredentialIDs = items.map(({ credentialId }) => credentialId);
  const signalName = "allAcceptedCredentials";
  await sendSignal({ signalName, rpID: rpId, userID: userHandle, allAcceptedCredentialIDs });
}

/** Reports the account's current name to a browser that takes such reports. */
export async function reportName(
  { rpId, userHandle }: PasskeyList,
  { email, fullName }: Pick<Account, "email" | "fullName">,
) {
  const user = { rpID: rpId, userID: userHandle };
  await ifSupported(
    sendSignal({ signalName: "currentUserDetails", ...user, userName: email, userDisplayName: fullName }),
  );
}

const forgetPasskey = (credentialID: string, rpID = location.hostname) =>
  ifSupported(sendSignal({ signalName: "unknownCredential", rpID, credentialID }));

/** A report is a courtesy to the user's password manager; many browsers take none. */
const ifSupported = (report: Promise<unknown>) => report.catch(() => undefined);

type Ceremony = "sign-in" | "addition";

/** What the browser's error means for the user, beside the button. */
function inWords(error: unknown, ceremony: Ceremony) {
  const name = error instanceof Error ? error.name : "";
  const message = (ceremony === "addition" && additionFaults[name]) || faults[name] || FAILED;
  return new ApiError(422, { code: "invalid", message });
}

const FAILED = "Your device couldn’t use a passkey. Please try again.";

const faults: Record<string, string> = {
  // Also after a time limit, and if there is none: browsers do not say which.
  NotAllowedError: "No passkey was used. Try again, or sign in with your password.",
  SecurityError: "Passkeys work only at the address that is set as this site’s own. Open the site there.",
};

const additionFaults: Record<string, string> = {
  NotAllowedError: "No passkey was added: it was cancelled, or took too long.",
  InvalidStateError: PASSKEY_KNOWN,
  ConstraintError: "This device has no screen lock, or can’t store passkeys.",
  NotSupportedError: "This device can’t store a passkey. Use another one.",
};
