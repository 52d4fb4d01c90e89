import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { eventTypes } from "../../worker/webhooks/contract.ts";
import { newSecret, signedHeaders } from "../../worker/webhooks/signature.ts";

/** The verification of the specification, of Python's standard library alone. It prints whether a signature is valid. */
const PYTHON = `
import base64, hashlib, hmac, json, sys
given = json.load(sys.stdin)
key = base64.b64decode(given["secret"].removeprefix("whsec_"))
headers = given["headers"]
signed = ".".join([headers["webhook-id"], headers["webhook-timestamp"], given["body"]])
expected = base64.b64encode(hmac.new(key, signed.encode(), hashlib.sha256).digest()).decode()
passed = [each.split(",", 1) for each in headers["webhook-signature"].split(" ")]
print(any(version == "v1" and hmac.compare_digest(value, expected) for version, value in passed))
`;

type Given = { secret: string; headers: Record<string, string>; body: string };

const inPython = (given: Given) => {
  const { stdout, stderr } = spawnSync("python3", ["-c", PYTHON], {
    input: JSON.stringify(given),
    encoding: "utf8",
  });
  return stdout.trim() || stderr;
};

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe("the signature of a webhook", () => {
  const at = new Date();
  const body = JSON.stringify({ type: "essay.published", data: { title: "Über Miete — 家賃 “now”" } });
  const [secret, former] = [newSecret(), newSecret()];
  const headers = signedHeaders([secret, former], { id: "msg_essay_published_5_1-2", at, body });

  it.skipIf(!hasPython)("is valid for both secrets by Python’s hmac, and for no other body or secret", () => {
    for (const valid of [secret, former]) expect(inPython({ secret: valid, headers, body })).toBe("True");
    expect(inPython({ secret, headers, body: `${body} ` })).toBe("False");
    expect(inPython({ secret: newSecret(), headers, body })).toBe("False");
    const replayed = { ...headers, "webhook-id": "msg_other" };
    expect(inPython({ secret, headers: replayed, body })).toBe("False");
  });

  it("is valid by the library of Standard Webhooks", () => {
    for (const valid of [secret, former])
      expect(new Verifier(valid).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Verifier(newSecret()).verify(body, headers)).toThrow();
  });

  it("is made with 256 random bits", () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const each of secrets) expect(Buffer.from(each.slice("whsec_".length), "base64")).toHaveLength(32);
  });
});

it("docs/webhooks.md describes every event", () => {
  const text = readFileSync("docs/webhooks.md", "utf8");
  const described = [...text.matchAll(/^\| `([a-z]+\.[a-z]+)`/gm)].map(([, type]) => type);
  expect(described).toEqual([...eventTypes, "webhook.test"]);
});
