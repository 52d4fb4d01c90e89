import { z } from "zod";
import {
  basedOn,
  draftKey,
  email,
  line,
  lines,
  orderOf,
  rowId,
  sortOrder,
} from "#worker/platform/contract.ts";
import { searchedAddress } from "#worker/platform/text/email-address.ts";
import type { TopicOffer } from "#worker/topics/contract.ts";
import type { PasskeyList } from "#worker/webauthn/contract.ts";

export const SIGN_IN_SENT =
  "If this address has a membership, a link is on its way to it. It works once, for 15 minutes.";
export const INVALID_SIGN_IN = "This link isn’t valid, or was used already. Ask for a new one.";
export const EXPIRED_SIGN_IN = "This link has expired. Ask for a new one.";
export const SIGNED_IN = "You are signed in.";
export const MEMBER_PASSKEY_REFUSED =
  "This passkey can’t sign in. Ask for a link by email, or use another passkey.";
export const MEMBER_PASSKEY_OF_USER =
  "This passkey opens the admin area, not an account here. Ask for a link by email, or use another passkey.";
export const PASSKEYS_ADDED_TOO_OFTEN =
  "You have added several passkeys. Wait an hour, then add another one.";
export const NO_FEED_WITHOUT_MEMBERSHIP = "Your membership isn’t active, so it has no feed.";

export const MOST_TIERS = 20;

const TierFields = z.strictObject({
  name: line(60, "A name has at most 60 characters.").min(1, "Name is required"),
  /** What its members get. */
  description: lines(1000, "A description has at most 1,000 characters."),
  /** As members read it, such as "$5 a month"; empty for none. Nothing is charged by it. */
  price: line(60, "A price has at most 60 characters."),
  sortOrder,
});
export type TierInput = z.output<typeof TierFields>;

export const NewTier = TierFields.partial().required({ name: true }).extend({ draftKey });
export type NewTier = z.input<typeof NewTier>;

export const tierDefaults = { description: "", price: "" } as const satisfies Partial<TierInput>;

export const TierChange = TierFields.partial().extend({ basedOn });
export type TierChange = z.input<typeof TierChange>;

/** Every tier's id once, in their new order: lower tiers first. */
export const TierOrder = orderOf(MOST_TIERS);
export type TierOrder = z.input<typeof TierOrder>;

/** A tier in the owner's list. */
export type TierRow = TierInput & {
  id: number;
  /** All its members, also those whose membership has ended. */
  members: number;
};

export type EditableTier = { id: number; updatedAt: number; values: TierInput };

/** How the owner adds a member. */
export const handSources = ["by-hand", "free"] as const;
/** How a membership came about. */
export const memberSources = [...handSources, "stripe"] as const;
export type MemberSource = (typeof memberSources)[number];

/**
 * Derived from source and dates by `stateOf`. Active: it runs, and is paid for. Free: it runs without payment, as for guests and
 * the press. Upcoming: it has not begun.
 */
export const memberStates = ["active", "free", "upcoming", "ended"] as const;
export type MemberState = (typeof memberStates)[number];

const WHEN = "Choose a date and time.";
/** The end of the year 9999. */
const LATEST = 253_402_300_799_999;
/** Milliseconds UTC. */
const moment = z.int(WHEN).min(0, WHEN).max(LATEST, WHEN);

export const ENDS_BEFORE = "The end must be after the beginning.";

const MembershipFields = z.strictObject({
  tierId: z.int("Choose a tier.").positive("Choose a tier."),
  source: z.enum(memberSources, "Choose how they became a member."),
  since: moment,
  /** Exclusive; null: without an end. */
  until: moment.nullable(),
});

const endsAfterItBegins = ({
  since,
  until,
}: {
  since?: number | undefined;
  until?: number | null | undefined;
}) => typeof since !== "number" || typeof until !== "number" || until > since;
const endRule = { path: ["until"], error: ENDS_BEFORE };

/** Without a beginning it begins now. */
export const NewMember = MembershipFields.partial({ since: true, until: true })
  .extend({
    source: z.enum(handSources, "Choose how they became a member."),
    email: z.string("Email is required").trim().min(1, "Email is required").max(400, "Email is invalid"),
  })
  .refine(endsAfterItBegins, endRule);
export type NewMember = z.input<typeof NewMember>;

export const MemberChange = MembershipFields.partial().extend({ basedOn }).refine(endsAfterItBegins, endRule);
export type MemberChange = z.input<typeof MemberChange>;

/** The query of the owner's list. */
export const MemberListQuery = z.strictObject({
  /** A part of the address. */
  q: z.string().overwrite(searchedAddress).max(254).optional(),
  tier: rowId.optional(),
  state: z.enum(memberStates).optional(),
  before: z.string().max(40).optional(),
});
export type MemberListQuery = z.infer<typeof MemberListQuery>;

/** Times are milliseconds UTC. */
export type Member = {
  id: number;
  email: string;
  tierId: number;
  /** Its name. */
  tier: string;
  source: MemberSource;
  since: number;
  until: number | null;
  state: MemberState;
  /** When the address of their private feed was made; null without one. */
  feedMadeAt: number | null;
  updatedAt: number;
};

/** Asks for the link that signs a member in. */
export const SignInRequest = z.strictObject({ email });
export type SignInRequest = z.input<typeof SignInRequest>;

export const SignInLink = z.strictObject({
  token: z.string(INVALID_SIGN_IN).min(1, INVALID_SIGN_IN).max(2000, INVALID_SIGN_IN),
});
export type SignInLink = z.input<typeof SignInLink>;

/** The state of a mailed link before its button is pressed. */
export type SignInState = { state: "ready"; email: string } | { state: "invalid"; message: string };

/** Whether a member wants letters: with it they give their consent, or end it. */
export const LetterChoice = z.strictObject({ wanted: z.boolean() });
export type LetterChoice = z.input<typeof LetterChoice>;

/** The id of one of the member's passkeys. */
export const MemberPasskeyParam = z.strictObject({ id: z.string().min(1).max(80) });

/** The id of one of the member's sessions. */
export const MemberSessionParam = z.strictObject({ id: z.string().min(1).max(80) });

/** A browser in which the member is signed in. Times are milliseconds UTC. */
export type MemberDevice = { id: string; device: string; isCurrent: boolean; seenAt: number };

/** The oldest first. `mayChange`: the sign-in is recent, so that the member may add and remove some. */
export type MemberPasskeys = PasskeyList & { mayChange: boolean };

/** What a member sees of their account. */
export type MemberAccount = {
  email: string;
  membership: Pick<Member, "tier" | "source" | "since" | "until" | "state"> & {
    description: string;
    price: string;
  };
  letters: {
    /** Blocked: the address marked a letter as spam. */
    state: "on" | "paused" | "off" | "blocked";
    /** The words of the consent beside the button that subscribes; null if the member cannot subscribe. */
    consent: string | null;
    /** What they may choose among; null while they get no letters. */
    offer: TopicOffer | null;
  };
  passkeys: MemberPasskeys;
  /** Null while private feeds are switched off. */
  feed: MemberFeed | null;
  /** The latest first. */
  devices: MemberDevice[];
};

/** A member's private feed of the podcast. */
export type MemberFeed = {
  /** Whether the membership opens it. */
  isOpen: boolean;
  /** Milliseconds UTC; null until its address is made. */
  madeAt: number | null;
  /** Null also for an address that the site cannot show again: the key that it was derived from is another. */
  url: string | null;
};
