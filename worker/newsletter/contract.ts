import { z } from "zod";
import { email } from "#worker/platform/contract.ts";

export const SUBSCRIBED = "Successfully subscribed! Check your email.";
export const CONFIRMED = "Your subscription is confirmed.";
export const UNSUBSCRIBED = "You are unsubscribed.";
export const MISSING_LINK = "Invalid verification link. Please check your email and try again.";
export const VERIFICATION_FAILED = "Verification failed";
export const INVALID_UNSUBSCRIBE = "This unsubscribe link is not valid. Please use the one of a newer email.";

/** The consent text beside every form, stored with each subscription. */
export const CONSENT =
  "A letter now and then, by email. You confirm the address first and can leave at any time.";

export const SubscribeInput = z.strictObject({
  email,
  source: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,39}$/, "A source is a short word in small letters.")
    .default("site"),
});
export type SubscribeInput = z.input<typeof SubscribeInput>;

/** Characters of a signed link's token. */
export const MAX_TOKEN = 2000;

export const VerifyInput = z.strictObject({
  token: z.string(MISSING_LINK).min(1, MISSING_LINK).max(MAX_TOKEN, VERIFICATION_FAILED),
});
export type VerifyInput = z.input<typeof VerifyInput>;

export const UnsubscribeInput = z.strictObject({
  token: z.string(INVALID_UNSUBSCRIBE).max(MAX_TOKEN, INVALID_UNSUBSCRIBE),
});
export type UnsubscribeInput = z.input<typeof UnsubscribeInput>;

/** Shown with the form; null while the newsletter is switched off. */
export type NewsletterOffer = { consent: string } | null;

/** The state of a mailed link before its button is pressed. */
export type LinkState = { state: "ready"; email: string } | { state: "invalid"; message: string };
