import { base64url } from "jose";
import type { NewPasskey, PasskeySignIn } from "#worker/webauthn/contract.ts";

/**
 * An authenticator and its browser in software, written from WebAuthn Level 3: §6.1 authenticator data, §6.5.4 attestation
 * object, §8.7 attestation "none", §6.5.5 signature formats, and COSE's key (RFC 9053 §7.1.1).
 */

/** Bits of the authenticator data's flags. */
const UP = 0x01;
const UV = 0x04;
const AT = 0x40;

/** The parts of the options on which an answer depends here. */
type RequestOptions = { challenge: string };
type CreationOptions = RequestOptions & { user: { id: string } };

export type Ceremony = {
  origin?: string;
  rpId?: string;
  isVerified?: boolean;
  counter?: number;
  /** The type in the client data, if it is another ceremony's. */
  type?: string;
  crossOrigin?: boolean;
};

const utf8 = (text: string) => new TextEncoder().encode(text);
const joined = (...parts: Iterable<number>[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const hashOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

export type Authenticator = Awaited<ReturnType<typeof makeAuthenticator>>;

/** A discoverable credential of one user of the site at this address. */
export async function makeAuthenticator(site = "http://localhost:8787") {
  const { origin: ownOrigin, hostname } = new URL(site);
  const { publicKey, privateKey } = (await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"],
  )) as CryptoKeyPair;
  const { x = "", y = "" } = (await crypto.subtle.exportKey("jwk", publicKey)) as JsonWebKey;
  const id = crypto.getRandomValues(new Uint8Array(32));
  // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const coseKey = joined(
    [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01],
    [0x21, 0x58, 0x20, ...base64url.decode(x)],
    [0x22, 0x58, 0x20, ...base64url.decode(y)],
  );
  let userHandle = "";

  const clientData = (
    type: string,
    challenge: string,
    { origin = ownOrigin, crossOrigin = false }: Ceremony,
  ) => utf8(JSON.stringify({ type, challenge, origin, crossOrigin }));

  async function authenticatorData(flags: number, { rpId = hostname, counter = 0 }: Ceremony) {
    const count = new Uint8Array(4);
    new DataView(count.buffer).setUint32(0, counter);
    return joined(await hashOf(utf8(rpId)), [flags], count);
  }

  const flagsOf = ({ isVerified = true }: Ceremony) => UP | (isVerified ? UV : 0);

  return {
    id: base64url.encode(id),
    publicKey: base64url.encode(coseKey),

    /** What `navigator.credentials.create` answers. */
    async create({ challenge, user }: CreationOptions, ceremony: Ceremony = {}): Promise<NewPasskey> {
      userHandle = user.id;
      const data = joined(
        await authenticatorData(flagsOf(ceremony) | AT, ceremony),
        new Uint8Array(16),
        [0, id.length],
        id,
        coseKey,
      );
      // {"fmt": "none", "attStmt": {}, "authData": data}
      const attestationObject = joined(
        [0xa3, 0x63, ...utf8("fmt"), 0x64, ...utf8("none")],
        [0x67, ...utf8("attStmt"), 0xa0],
        [0x68, ...utf8("authData"), 0x58, data.length, ...data],
      );
      return {
        name: "",
        id: base64url.encode(id),
        clientDataJSON: base64url.encode(clientData(ceremony.type ?? "webauthn.create", challenge, ceremony)),
        attestationObject: base64url.encode(attestationObject),
        transports: ["internal"],
      };
    },

    /** What `navigator.credentials.get` answers. */
    async get(
      { challenge }: RequestOptions,
      { user = userHandle, ...ceremony }: Ceremony & { user?: string } = {},
    ): Promise<PasskeySignIn> {
      const client = clientData(ceremony.type ?? "webauthn.get", challenge, ceremony);
      const data = await authenticatorData(flagsOf(ceremony), ceremony);
      const signed = joined(data, await hashOf(client));
      const raw = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, signed);
      return {
        id: base64url.encode(id),
        userHandle: user,
        clientDataJSON: base64url.encode(client),
        authenticatorData: base64url.encode(data),
        signature: base64url.encode(derOf(new Uint8Array(raw))),
      };
    },
  };
}

/** Ecdsa-Sig-Value (RFC 3279 §2.2.3) of r and s, as WebCrypto joins them. */
function derOf(raw: Uint8Array) {
  const numbers = [raw.subarray(0, 32), raw.subarray(32)].map((number) => {
    const start = number.findIndex((byte) => byte !== 0);
    const digits = number.subarray(start);
    const value = digits[0]! & 0x80 ? [0, ...digits] : [...digits];
    return [0x02, value.length, ...value];
  });
  const content = numbers.flat();
  return joined([0x30, content.length, ...content]);
}
