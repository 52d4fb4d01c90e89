import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";

type Certificate = { cert: string; private: string };

/** Of the tests' mail servers. */
type Certificates = {
  trusted: Certificate;
  /** Not signed by a trusted authority. */
  untrusted: Certificate;
};

/** Names the folder for the other modules of this process, whose imports are not ours. */
const FOLDER = "ROSTRUM_TEST_CERTIFICATES";

/** workerd trusts the authority in this file, which Miniflare reads when it is imported: `vitest.config.ts` calls this before. */
export async function trustTestAuthority() {
  if (process.env[FOLDER]) return;
  const folder = mkdtempSync(join(tmpdir(), "rostrum-certificates-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const authority = await makeAuthority();
  const certificates: Certificates = {
    trusted: await makeCertificate({ ca: { key: authority.private, cert: authority.cert } }),
    untrusted: await makeCertificate({}),
  };
  writeFileSync(join(folder, "servers.json"), JSON.stringify(certificates));
  writeFileSync(join(folder, "authority.pem"), authority.cert);
  process.env[FOLDER] = folder;
  process.env["NODE_EXTRA_CA_CERTS"] = join(folder, "authority.pem");
}

export const readCertificates = () =>
  JSON.parse(readFileSync(join(process.env[FOLDER]!, "servers.json"), "utf8")) as Certificates;

const curve = { keyType: "ec", algorithm: "sha256" } as const;

const makeAuthority = () =>
  generate([{ name: "commonName", value: "Rostrum's tests" }], {
    ...curve,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });

const makeCertificate = (options: { ca?: { key: string; cert: string } }) =>
  generate([{ name: "commonName", value: "localhost" }], {
    ...curve,
    ...options,
    extensions: [
      { name: "basicConstraints", cA: false },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
