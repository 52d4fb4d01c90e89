import { base64url } from "jose";
import { describe, expect, it, vi } from "vitest";
import { verifyAddition, verifySignIn, type Expected } from "#worker/webauthn/verify-answer.ts";

/** The test vectors of WebAuthn Level 3, §16: for the origin https://example.org. */

const encoded = (hex: string) => base64url.encode(Uint8Array.fromHex(hex));
const expectedFor = (challenge: string, change: Partial<Expected> = {}): Expected => ({
  challenge: encoded(challenge),
  origin: "https://example.org",
  rpId: "example.org",
  ...change,
});

/** §16.9, "Packed Attestation with ES256 Credential": with verification of the user. */
const created = {
  challenge: "c1184a5fddf8045e13dc47f54b61f5a656b666b59018f16d870e9256e9952012",
  id: "c9a6f5b3462d02873fea0c56862234f99f081728084e511bb7760201a89054a5",
  clientDataJSON:
    "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a227752684b58393334424634543345663153324831706c61325a725751475046746877365356756d56494249222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20396138624e596a4b436757724258552d66436c316167227d",
  attestationObject:
    "a363666d74667061636b65646761747453746d74a363616c6726637369675847304502203f19ec4b229f46ab8c45eff29b904ff10c0390dc40bf1216f04a78f4ceba3425022100fe7041a32759aff05a0f9f26c70a999c7a284451ba89234a1d3483c25e21925b637835638159022530820221308201c8a00302010202110088c220f83c8ef1feafe94deae45faad0300a06082a8648ce3d0403023062311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331253023060355040b0c1c41757468656e74696361746f72204174746573746174696f6e204341310b30090603550406130241413020170d3234303130313030303030305a180f33303234303130313030303030305a305f311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331223020060355040b0c1941757468656e74696361746f72204174746573746174696f6e310b30090603550406130241413059301306072a8648ce3d020106082a8648ce3d03010703420004a91ba4389409dd38a428141940ca8feb1ac0d7b4350558104a3777a49322f3798440f378b3398ab2d3bb7bf91322c92eb23556f59ad0a836fec4c7663b0e4dc3a360305e300c0603551d130101ff04023000300e0603551d0f0101ff040403020780301d0603551d0e04160414a589ba72d060842ab11f74fb246bdedab16f9b9b301f0603551d2304183016801445aff715b0dd786741fee996ebc16547a3931b1e300a06082a8648ce3d040302034700304402201726b9d85ecd8a5ed51163722ca3a20886fd9b242a0aa0453d442116075defd502207ef471e530ac87961a88a7f0d0c17b091ffc6b9238d30f79f635b417be5910e768617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b54d00000000876ca4f52071c3e9b25509ef2cdf7ed60020c9a6f5b3462d02873fea0c56862234f99f081728084e511bb7760201a89054a5a50102032620012158201cf27f25da591208a4239c2e324f104f585525479a29edeedd830f48e77aeae522582059e4b7da6c0106e206ce390c93ab98a15a5ec3887e57f0cc2bece803b920c423",
};
const PUBLIC_KEY = created.attestationObject.slice(-2 * 77);
const used = {
  challenge: "b1106fa46a57bef1781511c0557dc898a03413d5f0f17d244630c194c7e1adb5",
  authenticatorData: "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50d00000000",
  clientDataJSON:
    "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a2273524276704770587676463446524841565833496d4b4130453958773858306b526a44426c4d6668726255222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20415a4d77794d78496244382d756775464e7036723851227d",
  signature:
    "30450220694969d3ee928de6f02ef23a9c644d7d779916451734a94b432542f498a1ebe90221008b0819c824218a97152cd099c55bfb1477b29d900a49a64018314f9bfccda163",
};

/** §16.5, "ES256 Credential with topOrigin": from within a frame of https://example.com. */
const framed = {
  publicKey:
    "a5010203262001215820a1c47c1d82da4ebe82cd72207102b380670701993bc35398ae2e5726427fe01d22582086c1080d82987028c7f54ecb1b01185de243b359294a0ed210cd47480f0adc88",
  challenge: "d54a5c8ca4b62a8e3bb321e3b2bc73856f85a10150db2939ac195739eb1ea066",
  authenticatorData: "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50500000000",
  clientDataJSON:
    "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a22315570636a4b53324b6f34377379486a7372787a68572d466f51465132796b3572426c584f6573656f4759222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a747275652c22746f704f726967696e223a2268747470733a2f2f6578616d706c652e636f6d222c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a205569466f4a4d56525148444146574669347678557051227d",
  signature:
    "3045022100b5a70c81780d5fcc9a4f2ae9caae99058f8accaf58b91fb59329646c28ac6ffc022012e101c165db3c8e9957f0c54dd6ca9b56bc3bd2f280bd2faa6c1d02c6e5c171",
};

type Created = Omit<typeof created, "challenge">;
type Used = Omit<typeof used, "challenge">;

const add = (change: Partial<Created> = {}, expected = expectedFor(created.challenge)) => {
  const { id, clientDataJSON, attestationObject } = { ...created, ...change };
  const answer = {
    id: encoded(id),
    clientDataJSON: encoded(clientDataJSON),
    attestationObject: encoded(attestationObject),
  };
  return verifyAddition(answer, expected);
};

const signIn = (
  change: Partial<Used> = {},
  { publicKey = PUBLIC_KEY, expected = expectedFor(used.challenge) } = {},
) => {
  const { clientDataJSON, authenticatorData, signature } = { ...used, ...change };
  const answer = {
    clientDataJSON: encoded(clientDataJSON),
    authenticatorData: encoded(authenticatorData),
    signature: encoded(signature),
  };
  return verifySignIn(answer, encoded(publicKey), expected);
};

/** The hexadecimal text with one bit of a byte changed. */
function flipped(hex: string, at: number) {
  const bytes = Uint8Array.fromHex(hex);
  bytes[at]! ^= 1;
  return bytes.toHex();
}

const everyByte = (hex: string) => Array.from({ length: hex.length / 2 }, (_, at) => flipped(hex, at));

/** The authenticator data with other flags. */
const withFlags = (flags: string) =>
  used.authenticatorData.slice(0, 64) + flags + used.authenticatorData.slice(66);

/** The client data with a text replaced by another. */
const worded = (hex: string, from: string, to: string) => {
  const text = new TextDecoder().decode(Uint8Array.fromHex(hex));
  expect(text).toContain(from);
  return new TextEncoder().encode(text.replace(from, to)).toHex();
};

describe("the answer to an addition", () => {
  it("has the standard’s key and counter", () => {
    expect(add()).toEqual({ publicKey: encoded(PUBLIC_KEY), counter: 0 });
  });

  it.each<[string, Partial<Expected>]>([
    ["challenge", { challenge: encoded(used.challenge) }],
    ["origin", { origin: "https://example.com" }],
    ["site", { rpId: "example.com" }],
  ])("is refused for another %s", (_, change) => {
    expect(add({}, expectedFor(created.challenge, change))).toBeNull();
  });

  it("is refused for another credential’s id", () => {
    expect(add({ id: flipped(created.id, 0) })).toBeNull();
  });

  it.each([
    ["is not an object", "f6"],
    ["has no authenticator data", "a0"],
    ["ends early", created.attestationObject.slice(0, -10)],
    ["has bytes after its end", `${created.attestationObject}00`],
    ["is nested without end", "81".repeat(5000)],
  ])("is refused if it %s", (_, attestationObject) => {
    expect(add({ attestationObject })).toBeNull();
  });

  it("is refused for a point that is not on the curve", () => {
    const attestationObject = flipped(created.attestationObject, created.attestationObject.length / 2 - 1);
    expect(add({ attestationObject })).toBeNull();
  });

  it("is refused for a key of an algorithm that was not asked for", () => {
    // ES384: -35 in CBOR is 0x38 0x22. ES256 is 0x26.
    const at = created.attestationObject.lastIndexOf("a5010203262001");
    const [before, after] = [created.attestationObject.slice(0, at), created.attestationObject.slice(at)];
    expect(add({ attestationObject: before + after.replace("0326", "0325") })).toBeNull();
  });
});

describe("the answer to a sign-in", () => {
  it("is the standard’s", () => {
    expect(signIn()).toBe(0);
  });

  it.each<[string, Partial<Expected>]>([
    ["challenge", { challenge: encoded(created.challenge) }],
    ["origin", { origin: "https://example.com" }],
    ["site", { rpId: "example.com" }],
  ])("is refused for another %s", (_, change) => {
    expect(signIn({}, { expected: expectedFor(used.challenge, change) })).toBeNull();
  });

  it("is refused from within another site’s frame", () => {
    const { challenge, publicKey, ...answer } = framed;
    expect(signIn(answer, { publicKey, expected: expectedFor(challenge) })).toBeNull();
  });

  it.each(["authenticatorData", "clientDataJSON", "signature"] as const)(
    "is refused with any byte of its %s changed",
    (part) => {
      for (const changed of everyByte(used[part])) expect(signIn({ [part]: changed })).toBeNull();
    },
  );

  it("is refused for another key", () => {
    expect(signIn({}, { publicKey: framed.publicKey })).toBeNull();
  });

  it("is refused for the other ceremony", () => {
    expect(signIn({ clientDataJSON: created.clientDataJSON })).toBeNull();
  });
});

/** Answers that are signed here, with the keys of other algorithms or other contents. */
describe("an answer with a valid signature", () => {
  const concat = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
  const jwkBytes = (text = "") => base64url.decode(text);

  /** [algorithm of WebCrypto, COSE_Key of its public key] */
  const algorithms: Record<string, [object, (jwk: JsonWebKey) => Uint8Array]> = {
    // {1: 1 (OKP), 3: -8 (EdDSA), -1: 6 (Ed25519), -2: x}
    EdDSA: [
      { name: "Ed25519" },
      ({ x }) => Uint8Array.from([0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 32, ...jwkBytes(x)]),
    ],
    // {1: 3 (RSA), 3: -257 (RS256), -1: n, -2: e}
    RS256: [
      {
        name: "RSASSA-PKCS1-v1_5",
        hash: "SHA-256",
        modulusLength: 2048,
        publicExponent: Uint8Array.of(1, 0, 1),
      },
      ({ n, e }) =>
        concat(
          Uint8Array.from([0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59, 0x01, 0x00]),
          jwkBytes(n),
          Uint8Array.from([0x21, 0x43]),
          jwkBytes(e),
        ),
    ],
  };

  async function signer(name: string) {
    const [algorithm, coseOf] = algorithms[name]!;
    const keys = (await crypto.subtle.generateKey(algorithm as never, true, [
      "sign",
      "verify",
    ])) as CryptoKeyPair;
    const publicKey = coseOf((await crypto.subtle.exportKey("jwk", keys.publicKey)) as JsonWebKey).toHex();
    const sign = async ({
      authenticatorData = used.authenticatorData,
      clientDataJSON = used.clientDataJSON,
    }) => {
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.fromHex(clientDataJSON)));
      const signed = concat(Uint8Array.fromHex(authenticatorData), hash);
      const signature = await crypto.subtle.sign(algorithm as never, keys.privateKey, signed);
      const answer = { authenticatorData, clientDataJSON, signature: new Uint8Array(signature).toHex() };
      return signIn(answer, { publicKey });
    };
    return sign;
  }

  it.each(["EdDSA", "RS256"])("is accepted by %s", async (name) => {
    const sign = await signer(name);
    expect(await sign({})).toBe(0);
  });

  it.each([
    ["is not present", "0c"],
    ["was not verified", "09"],
    ["has a key that is backed up without being eligible", "15"],
    ["has extensions that are missing, and bytes after the end", "0d"],
  ])("is refused if the user %s (flags %s)", async (_, flags) => {
    const sign = await signer("EdDSA");
    const more = flags === "0d" ? "00" : "";
    expect(await sign({ authenticatorData: withFlags(flags) + more })).toBeNull();
  });

  it("may have extensions, which are not read", async () => {
    const sign = await signer("EdDSA");
    expect(await sign({ authenticatorData: `${withFlags("8d")}a0` })).toBe(0);
  });

  it.each([
    ["says that it is of another origin", "https://example.org", "https://example.com"],
    ["says that it is of a frame", '"crossOrigin":false', '"crossOrigin":true'],
    ["names a page around it", '"crossOrigin":false', '"topOrigin":"https://example.org"'],
    ["is not JSON", '"crossOrigin":false', '"crossOrigin":'],
  ])("is refused if it %s", async (_, from, to) => {
    const sign = await signer("EdDSA");
    expect(await sign({ clientDataJSON: worded(used.clientDataJSON, from, to) })).toBeNull();
  });
});

describe("the log", () => {
  it("has the reason why an answer could not be read, and none for one that is not valid", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    expect(add({}, expectedFor(created.challenge, { origin: "https://evil.example" }))).toBeNull();
    expect(warn).not.toHaveBeenCalled();
    expect(add({ attestationObject: "ff" })).toBeNull();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("passkeys: an answer was not read"));
  });
});
