import { z } from "zod";
import { PASSKEY_INVALID } from "#worker/webauthn/words.ts";

/** A part of a browser's answer, as WebAuthn's JSON has it. */
const bytes = (most: number) =>
  z
    .string(PASSKEY_INVALID)
    .min(1, PASSKEY_INVALID)
    .max(most, PASSKEY_INVALID)
    .regex(/^[\w-]*$/, PASSKEY_INVALID);

/** A credential id has at most 1023 bytes. */
const credentialId = bytes(1364);

/** The answer to the options of a sign-in. */
export const PasskeySignIn = z.strictObject({
  id: credentialId,
  /** Whose it is (user-handle.ts): the passkey was chosen without an address. */
  userHandle: bytes(90),
  clientDataJSON: bytes(3000),
  authenticatorData: bytes(1000),
  signature: bytes(1000),
});
export type PasskeySignIn = z.infer<typeof PasskeySignIn>;

export const PASSKEY_TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
export type PasskeyTransport = (typeof PASSKEY_TRANSPORTS)[number];

/** Passkeys of one user, or of one member. */
export const MOST_PASSKEYS = 20;

const passkeyName = z
  .string("Name is required")
  .trim()
  .max(60, "Name must be at most 60 characters")
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Name must be on one line");

/** The form of a new passkey. */
export const PasskeyForm = z.strictObject({ name: passkeyName });

/** The answer to the options of a new passkey. Without a name it gets that of the device. */
export const NewPasskey = z.strictObject({
  name: passkeyName.default(""),
  id: credentialId,
  clientDataJSON: bytes(3000),
  attestationObject: bytes(20_000),
  // Later kinds may be added to the standard. They are hints, and a browser's own answer never fails because of them.
  transports: z
    .array(z.string().max(40))
    .max(20)
    .transform((given) => PASSKEY_TRANSPORTS.filter((known) => given.includes(known))),
});
export type NewPasskey = z.input<typeof NewPasskey>;

export const PasskeyChange = z.strictObject({ name: passkeyName.min(1, "Name is required") });
export type PasskeyChange = z.infer<typeof PasskeyChange>;

/** Times are milliseconds UTC. */
export type Passkey = {
  id: string;
  credentialId: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
};

/** The passkeys of a user or a member. */
export type PasskeyList = {
  items: Passkey[];
  /** By these a browser finds its own passkeys of them. */
  rpId: string;
  userHandle: string;
};
