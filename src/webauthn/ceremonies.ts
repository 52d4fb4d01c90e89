import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  sendSignal,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { NewPasskey, PasskeyList, PasskeySignIn } from "#worker/webauthn/contract.ts";
import { PASSKEY_KNOWN, PASSKEY_TOO_LATE } from "#worker/webauthn/words.ts";

/** What the browser does with passkeys: docs/decisions/0090-passkeys.md, for members 0120-members-passkeys.md. */

export const supportsPasskeys = browserSupportsWebAuthn;

/** The device or the person did not take part; its message is for the person. */
export class CeremonyError extends Error {}

type SignIn = {
  /** Asks the server for the options, with a challenge. */
  readOptions: (signal?: AbortSignal) => Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** What else they can do, as the end of a sentence: "sign in with your password". */
  otherwise: string;
};

/** Milliseconds. The server's challenge works a little longer. */
const RENEW_AFTER = 9 * 60_000;

/**
 * Asks for one of the person's passkeys; with `inField` in the browser's list for the email field, without a dialog, until it
 * aborts. A dialog ends that offer.
 * @throws {CeremonyError}
 */
export async function askForPasskey(
  { readOptions, otherwise }: SignIn,
  inField?: AbortSignal,
): Promise<PasskeySignIn> {
  if (!inField) offered?.abort();
  const optionsJSON = await readOptions(inField);
  inField?.throwIfAborted();
  const { id, response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: inField !== undefined,
  }).catch((error: unknown) => {
    throw inWords(error, { NotAllowedError: `No passkey was used. Try again, or ${otherwise}.` });
  });
  const { userHandle = "", clientDataJSON, authenticatorData, signature } = response;
  return { id, userHandle, clientDataJSON, authenticatorData, signature };
}

/** The offer in the email field. */
let offered: AbortController | undefined;

/** Offers passkeys in the email field until one is chosen, another ceremony begins, or the form is `left`. */
export async function offerInField(
  signIn: SignIn,
  left: AbortSignal,
  onAnswer: (answer: PasskeySignIn) => void,
) {
  const offer = (offered = new AbortController());
  const signal = AbortSignal.any([left, offer.signal]);
  if (!(await browserSupportsWebAuthnAutofill())) return;
  signal.addEventListener("abort", cancel);
  while (!signal.aborted) {
    const renewal = AbortSignal.timeout(RENEW_AFTER);
    renewal.addEventListener("abort", cancel);
    const answer = await askForPasskey(signIn, signal).catch(() => null);
    renewal.removeEventListener("abort", cancel);
    if (answer && !signal.aborted) onAnswer(answer);
    if (!renewal.aborted) return;
  }
}

const cancel = () => WebAuthnAbortService.cancelCeremony();

/** Of a refusal by the server: the HTTP status, and its message. */
type Refused = { status: number; message: string };

/**
 * Makes a passkey on this device, or on another one that the person chooses, and stores it. One that the server has refused is
 * forgotten by the browser, if that takes such reports; `refusedBy` says whether an error is such a refusal.
 * @throws {CeremonyError}, and what `store` throws
 */
export async function makePasskey<Stored>(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
  store: (answer: Omit<NewPasskey, "name">) => Promise<Stored>,
  refusedBy: (error: unknown) => Refused | null,
) {
  const { id, response } = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw inWords(error, additionFaults);
  });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  try {
    return await store({ id, clientDataJSON, attestationObject, transports });
  } catch (error) {
    const refused = refusedBy(error);
    if (refused && isSurelyNotStored(refused)) await forgetPasskey(id, optionsJSON.rp.id);
    throw error;
  }
}

/** After an error of the server, or if the answer came twice, it may be stored. */
const isSurelyNotStored = ({ status, message }: Refused) =>
  status >= 400 && status < 500 && ![PASSKEY_KNOWN, PASSKEY_TOO_LATE].includes(message);

/** Lets the browser forget a passkey that is not stored here. */
export const forgetPasskey = (credentialID: string, rpID = location.hostname) =>
  ifSupported(sendSignal({ signalName: "unknownCredential", rpID, credentialID }));

/** Reports the passkeys that are left; a list that a page has shown for a while may lack a newer one, which would be hidden. */
export const reportLeft = (readList: () => Promise<PasskeyList>) =>
  ifSupported(
    readList().then(({ items, rpId, userHandle }) =>
      sendSignal({
        signalName: "allAcceptedCredentials",
        rpID: rpId,
        userID: userHandle,
        allAcceptedCredentialIDs: items.map(({ credentialId }) => credentialId),
      }),
    ),
  );

/** Reports the account's current name. */
export const reportName = (
  { rpId, userHandle }: Pick<PasskeyList, "rpId" | "userHandle">,
  { name, displayName }: { name: string; displayName: string },
) =>
  ifSupported(
    sendSignal({
      signalName: "currentUserDetails",
      rpID: rpId,
      userID: userHandle,
      userName: name,
      userDisplayName: displayName,
    }),
  );

/** A report is a courtesy to the person's password manager; many browsers take none. */
const ifSupported = (report: Promise<unknown>) => report.catch(() => undefined);

/** What the browser's error means for the person, beside the button. */
function inWords(error: unknown, own: Record<string, string>) {
  const name = error instanceof Error ? error.name : "";
  return new CeremonyError(own[name] ?? faults[name] ?? FAILED);
}

const FAILED = "Your device couldn’t use a passkey. Please try again.";

const faults: Record<string, string> = {
  SecurityError: "Passkeys work only at the address that is set as this site’s own. Open the site there.",
};

const additionFaults: Record<string, string> = {
  // Also after a time limit, and if there is none: browsers do not say which.
  NotAllowedError: "No passkey was added: it was cancelled, or took too long.",
  InvalidStateError: PASSKEY_KNOWN,
  ConstraintError: "This device has no screen lock, or can’t store passkeys.",
  NotSupportedError: "This device can’t store a passkey. Use another one.",
};
