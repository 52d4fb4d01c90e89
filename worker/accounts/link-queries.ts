import {
  DENIAL_FAULTS,
  type DenialLink,
  type PasswordLink,
  type SetupState,
  type VerificationLink,
} from "#worker/accounts/contract.ts";
import {
  brokenChoice,
  brokenVerification,
  provesSetup,
  readAccountLink,
  VERIFICATIONS,
  type ChoicePurpose,
} from "#worker/accounts/account-links.ts";
import { findPending, isSetUp } from "#worker/accounts/pending.ts";
import { mailDestinationOf } from "#worker/mail/providers.ts";
import type { Context } from "#worker/platform/context.ts";

/** What the pages of mailed links show before their button is pressed. Reading changes nothing: mail scanners open every link. */

/** The default in wrangler.toml. */
const DEMO_ADDRESS = "owner@example.com";

export async function readSetupState(ctx: Context): Promise<SetupState> {
  const { adminEmail } = ctx.config;
  if (await isSetUp(ctx)) return { state: "done" };
  return {
    state: (await findPending(ctx, adminEmail)) ? "pending" : "open",
    email: adminEmail,
    isDemoAddress: adminEmail === DEMO_ADDRESS,
    mailDestination: mailDestinationOf(ctx),
  };
}

/** `setupProof`: the cookie of the browser that opens the link; empty for none. */
export async function readVerification(
  ctx: Context,
  token: string,
  setupProof = "",
): Promise<VerificationLink> {
  const link = await readAccountLink(ctx, VERIFICATIONS, token);
  if (!link.ok) return brokenVerification(link.fault);
  const { email, fullName, pendingEmail } = link.user;
  if (link.purpose === "change-address") {
    return {
      state: "ready",
      kind: "address",
      email: pendingEmail ?? email,
      fullName,
      needsPassword: false,
    };
  }
  const ready = { state: "ready", email, fullName } as const;
  if (await isSetUp(ctx)) return { ...ready, kind: "user", needsPassword: false };
  return { ...ready, kind: "setup", needsPassword: !(await provesSetup(ctx, link.user, setupProof)) };
}

export const readReset = (ctx: Context, token: string) => readPasswordLink(ctx, "reset-password", token);

export const readInvitation = (ctx: Context, token: string) => readPasswordLink(ctx, "invite", token);

/** The link of a notice before its button is pressed. */
export async function readDenial(ctx: Context, token: string): Promise<DenialLink> {
  const link = await readAccountLink(ctx, ["not-me"], token);
  return link.ok
    ? { state: "ready", email: link.user.email }
    : { state: link.fault, message: DENIAL_FAULTS[link.fault] };
}

async function readPasswordLink(ctx: Context, purpose: ChoicePurpose, token: string): Promise<PasswordLink> {
  const link = await readAccountLink(ctx, [purpose], token);
  if (!link.ok) return brokenChoice(purpose, link.fault);
  const { email, fullName } = link.user;
  return { state: "ready", email, fullName };
}
