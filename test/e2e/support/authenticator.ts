import type { CDPSession, Page } from "@playwright/test";

type Options = { isResident?: boolean; isVerified?: boolean };

/**
 * Chromium's virtual authenticator in a page, as in a laptop with a fingerprint reader. It waits for `approve`, as for the
 * user's finger.
 */
export async function addAuthenticator(page: Page, { isResident = true, isVerified = true }: Options = {}) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: isResident,
      hasUserVerification: true,
      isUserVerified: isVerified,
      automaticPresenceSimulation: false,
    },
  });
  return controlsOf(devtools, authenticatorId);
}

export type Authenticator = ReturnType<typeof controlsOf>;

function controlsOf(devtools: CDPSession, authenticatorId: string) {
  const setPresence = (enabled: boolean) =>
    devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  const readCredentials = async () =>
    (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
  return {
    /** Touches it while `done` waits, which may press the button that asks for it. */
    async approve(done: () => Promise<unknown>) {
      await setPresence(true);
      await done();
      await setPresence(false);
    },
    setVerified: (isUserVerified: boolean) =>
      devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    readCredentials,
    /** Counts on from another number, as a copy of the key would. */
    async setCounter(signCount: number) {
      for (const credential of await readCredentials()) {
        const { credentialId } = credential;
        await devtools.send("WebAuthn.removeCredential", { authenticatorId, credentialId });
        await devtools.send("WebAuthn.addCredential", {
          authenticatorId,
          credential: { ...credential, signCount },
        });
      }
    },
    /** Copies the keys of another one, as a password manager does. */
    async copyFrom(other: { readCredentials: typeof readCredentials }) {
      for (const credential of await other.readCredentials())
        await devtools.send("WebAuthn.addCredential", { authenticatorId, credential });
    },
  };
}

type Signals = { signals: [name: string, details: Record<string, unknown>][] };

/** Runs in the page: what it reports to the browser about passkeys. */
export function recordSignals() {
  // The first document of a page is about:blank, which has no passkeys.
  if (!isSecureContext) return;
  const recorded: Signals["signals"] = ((window as unknown as Signals).signals = []);
  for (const name of ["signalAllAcceptedCredentials", "signalUnknownCredential"]) {
    Object.defineProperty(PublicKeyCredential, name, {
      value: async (details: Record<string, unknown>) => void recorded.push([name, details]),
    });
  }
}

/** What the page has reported. */
export const signalsOf = (on: Page) => on.evaluate(() => (window as unknown as Signals).signals);
