import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import {
  askForPasskey,
  CeremonyError,
  forgetPasskey,
  makePasskey,
  offerInField,
  reportLeft,
} from "#site/webauthn/ceremonies.ts";
import type { MemberAccount } from "#worker/members/contract.ts";
import type { PasskeySignIn } from "#worker/webauthn/contract.ts";
import { MEMBER_PASSKEY_UNKNOWN } from "#worker/webauthn/words.ts";
import { Refusal, send } from "./request.ts";

/** The passkeys of members: docs/decisions/0120-members-passkeys.md. Loaded with `loadPasskeys`. */

const source = {
  async readOptions(signal?: AbortSignal) {
    const answer = await send("GET", "/session/passkey", undefined, signal);
    return (await answer.json()) as PublicKeyCredentialRequestOptionsJSON;
  },
  otherwise: "ask for a link by email",
};

/** Asks for one of the member's passkeys, and signs in by it. */
export const signIn = async () => signInWith(await askForPasskey(source).catch(asRefusal));

/** Offers passkeys in the email field until one is chosen, another ceremony begins, or the form is `left`. */
export const offer = (left: AbortSignal, onAnswer: (answer: PasskeySignIn) => void) =>
  offerInField(source, left, onAnswer);

/** Signs in by an answer, and lets the browser forget a passkey that was removed here. */
export async function signInWith(answer: PasskeySignIn) {
  try {
    await send("POST", "/session/passkey", answer);
  } catch (error) {
    if (error instanceof Refusal && error.message === MEMBER_PASSKEY_UNKNOWN) await forgetPasskey(answer.id);
    throw error;
  }
}

/** Makes a passkey on this device, or on another one that the member chooses, and stores it. */
export async function add(name: string) {
  const options = await send("POST", "/passkeys/options");
  await makePasskey(
    (await options.json()) as PublicKeyCredentialCreationOptionsJSON,
    (answer) => send("POST", "/passkeys", { name, ...answer }),
    (error) => (error instanceof Refusal ? error : null),
  ).catch(asRefusal);
}

/** Reports the passkeys that are left to a browser that takes such reports. */
export const reportRemoval = () =>
  reportLeft(async () => {
    const answer = await send("GET", "");
    return ((await answer.json()) as { account: MemberAccount }).account.passkeys;
  });

function asRefusal(error: unknown): never {
  throw error instanceof CeremonyError ? new Refusal(error.message) : error;
}
