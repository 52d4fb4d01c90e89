import { integer, text } from "drizzle-orm/sqlite-core";
import type { Passkey, PasskeyTransport } from "#worker/webauthn/contract.ts";

/** The columns of a passkey, beside its id and whose it is: the private half of the key pair stays with their device. */
export const passkeyColumns = () => ({
  /** Chosen by the authenticator; base64url. */
  credentialId: text("credential_id").notNull(),
  /** COSE_Key, base64url. */
  publicKey: text("public_key").notNull(),
  /** Signatures so far, as the authenticator counts them; always 0 for one that does not count. */
  counter: integer("counter").notNull(),
  /** How a browser reaches it. */
  transports: text("transports", { mode: "json" }).$type<PasskeyTransport[]>().notNull(),
  name: text("name").notNull(),
  createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
  lastUsedAt: integer("last_used_at", { mode: "timestamp_ms" }),
});

/** A row with these columns. */
export type PasskeyRow = {
  id: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: PasskeyTransport[];
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

export const passkeyOf = ({ id, credentialId, name, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  credentialId,
  name,
  createdAt: createdAt.getTime(),
  lastUsedAt: lastUsedAt?.getTime() ?? null,
});
