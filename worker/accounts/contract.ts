import { z } from "zod";
import type { MailDestination } from "#worker/mail/contract.ts";
import { ROLES, SCOPES, type Role, type Scope } from "#worker/access/contract.ts";
import { email, INVISIBLE_IN_LINE, line, ListQuery } from "#worker/platform/contract.ts";
import { isAddress, storedAddress } from "#worker/platform/text/email-address.ts";
import { PasskeySignIn } from "#worker/webauthn/contract.ts";

export const WRONG_CREDENTIALS = "Invalid email or password. Please check your credentials.";
/** The login shows the robot check when it gets this. */
export const ROBOT_CHECK = "Pass the robot check below, then sign in again.";
export const INVALID_LINK = "Invalid verification link";
/** The page recognises this state by the word "expired". */
export const EXPIRED_LINK = "This verification link has expired. Please request a new one.";
export const USED_LINK = "This verification link has already been used. Please sign in.";
export const INVALID_RESET = "Invalid or expired reset link. Please request a new one.";
const ASK_AGAIN = "The person who invited you can send it again.";
export const INVITATION_FAULTS = {
  missing: `This link is incomplete. Open the link in the email again. ${ASK_AGAIN}`,
  invalid: `This invitation isn’t valid, or a newer one has replaced it. ${ASK_AGAIN}`,
  expired: `This invitation has expired: they last 24 hours. ${ASK_AGAIN}`,
  used: "This invitation has already been used to choose a password. Please sign in.",
};
export const DENIAL_FAULTS = {
  missing: "This link is incomplete. Open the link in the email again.",
  invalid: "This link isn’t valid. Reset your password instead.",
  expired: "This link has expired: they last seven days. Reset your password instead.",
  used: "Your account has changed since this email, by this link or otherwise. If you don’t know how, reset your password.",
};
const RESET_FAILED = "Admin user not found or password reset failed. Please check your email address.";
export const WRONG_SETUP_PASSWORD = "This isn’t the password chosen during set-up.";
export const EMAIL_TAKEN = "Another user has this address.";
export const COMMON_PASSWORD = "This password is too easy to guess. Please choose another.";

export const LEAKED_PASSWORD = "This password has leaked from another site. Please choose another.";

export const PASSKEY_UNKNOWN =
  "This passkey doesn’t open an account here. It may have been removed. Sign in with your password.";
export const PASSKEY_OF_MEMBER =
  "This passkey opens a member’s account, not the admin area. Sign in with your password, or use another passkey.";
export const PASSKEY_REFUSED =
  "This passkey can’t sign in. Sign in with your password, or use another passkey.";
export const PASSKEY_NO_ACCESS = "This account can’t sign in. Ask the site’s admin.";
export const PASSKEY_SESSION_ENDED =
  "Your session has ended, so the passkey wasn’t added. Sign in, then add it again.";
export const APP_SESSION_ENDED =
  "Your session has ended, so the app wasn’t switched on. Sign in, then set it up again.";
export const PASSKEY_OF_ANOTHER = "This passkey is another user’s. Use one of yours, or your password.";

export const PASSKEY_NEEDED = "Your role needs more than the password. Sign in with your passkey, below.";
export const WRONG_CODE =
  "This code isn’t right. Enter the one that your app shows now. If it is refused again, set your phone’s clock to automatic.";
export const USED_CODE = "This code was already used. Wait for the next one.";
export const WRONG_RECOVERY_CODE = "This recovery code isn’t valid. Each one works once.";
export const SIGN_IN_EXPIRED = "That took too long, or your account has changed. Enter your password again.";

/** Long enough for any sentence; scrypt takes the same time for each. */
const MAX_PASSWORD = 200;

const MIN_PASSWORD = 8;

const password = z
  .string("Password is required")
  .max(MAX_PASSWORD, `Password must be at most ${MAX_PASSWORD} characters`);

/** The rules for passwords, in the order in which they are checked. */
export const PASSWORD_RULES = [
  {
    label: "At least 8 characters",
    message: "Password must be at least 8 characters long",
    holds: (text: string) => text.length >= MIN_PASSWORD,
  },
  {
    label: "One lowercase letter",
    message: "Password must contain at least one lowercase letter",
    holds: (text: string) => /\p{Ll}/u.test(text),
  },
  {
    label: "One uppercase letter",
    message: "Password must contain at least one uppercase letter",
    holds: (text: string) => /\p{Lu}/u.test(text),
  },
  {
    label: "One number",
    message: "Password must contain at least one number",
    holds: (text: string) => /\p{Nd}/u.test(text),
  },
];

/** A new password: by reset, invitation or change, or set for another user. */
export const NewPassword = password.superRefine((text, { addIssue }) => {
  const broken = PASSWORD_RULES.find(({ holds }) => !holds(text));
  if (broken) addIssue({ code: "custom", message: broken.message });
});

/** Bidirectional overrides let a name end otherwise than it is read. */
function isVisible(text: string) {
  return !INVISIBLE_IN_LINE.test(text);
}

const fullName = z
  .string("Full name is required")
  .trim()
  .min(1, "Full name is required")
  .max(100, "Full name must be at most 100 characters")
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Full name must be on one line")
  .refine(isVisible, "This name has an invisible character. Type it again.");

const MISMATCH = { path: ["confirmPassword"], message: "Passwords do not match" };

export const SetupInput = z.strictObject({
  email,
  fullName,
  password: password
    .min(1, "Password is required")
    .min(MIN_PASSWORD, "Password must be at least 8 characters"),
});
export type SetupInput = z.infer<typeof SetupInput>;

/** The form, which asks for the password twice. */
export const SetupForm = SetupInput.extend({ confirmPassword: z.string() }).refine(isSameTwice, MISMATCH);

function isSameTwice(form: { password: string; confirmPassword: string }) {
  return form.password === form.confirmPassword;
}

export const LoginInput = z.strictObject({
  email: z
    .string("Email is required")
    .overwrite(storedAddress)
    .min(1, "Email is required")
    .max(254, WRONG_CREDENTIALS),
  password: z
    .string("Password is required")
    .min(1, "Password is required")
    .max(MAX_PASSWORD, WRONG_CREDENTIALS),
  /** Turnstile’s token, after several failures. */
  robotCheck: z.string().max(2048, ROBOT_CHECK).optional(),
});
export type LoginInput = z.infer<typeof LoginInput>;

export const VerificationRequest = z.strictObject({ email });
export type VerificationRequest = z.infer<typeof VerificationRequest>;

const token = z.string(INVALID_LINK).min(1, INVALID_LINK).max(2000, INVALID_LINK);
/** A set-up link also needs the password chosen in the set-up form, except in the browser that sent the form. */
export const VerificationConfirm = z.strictObject({
  token,
  password: z.string().max(MAX_PASSWORD, WRONG_SETUP_PASSWORD).optional(),
});
export type VerificationConfirm = z.infer<typeof VerificationConfirm>;

/** The specification has one message for every fault of the address. */
export const ResetRequest = z.strictObject({
  email: z
    .string(RESET_FAILED)
    .overwrite(storedAddress)
    .min(1, { error: "Email is required", abort: true })
    .refine(isAddress, RESET_FAILED),
});
export type ResetRequest = z.infer<typeof ResetRequest>;

/** The link of a notice, whose user did not do what it is about. */
export const Denial = z.strictObject({
  token: z.string(INVALID_LINK).min(1, INVALID_LINK).max(2000, INVALID_LINK),
});
export type Denial = z.infer<typeof Denial>;

export type Denied = {
  email: string;
  /** What could sign in for more than seven days, and still can. */
  remaining: {
    passkeys: { name: string; createdAt: number }[];
    /** Since when there is an authenticator app; null without one. */
    appSince: number | null;
  };
};

/** The input of a reset or an accepted invitation. */
export const ChosenPassword = z.strictObject({
  token: z.string(INVALID_RESET).min(1, INVALID_RESET).max(2000, INVALID_RESET),
  password: NewPassword,
});
export type ChosenPassword = z.infer<typeof ChosenPassword>;

/** Its form, which asks for the password twice. */
export const PasswordForm = z
  .strictObject({ password: NewPassword, confirmPassword: z.string() })
  .refine(isSameTwice, MISMATCH);

const currentPassword = z
  .string("Your current password is required")
  .min(1, "Your current password is required")
  .max(MAX_PASSWORD, "This isn’t your current password.");

export const PasswordChange = z.strictObject({ currentPassword, password: NewPassword });
export type PasswordChange = z.infer<typeof PasswordChange>;

export const PasswordChangeForm = PasswordChange.extend({ confirmPassword: z.string() }).refine(
  isSameTwice,
  MISMATCH,
);

export const AddressChange = z.strictObject({ email, currentPassword });
export type AddressChange = z.infer<typeof AddressChange>;

const code = z.string("Code is required").trim().min(1, "Code is required").max(40, "This code is too long.");

/** The second step of a sign-in: a code of the app, or a recovery code, after the password. */
export const CodeSignIn = z.strictObject({
  /** What the first step answered. */
  signIn: z.string(SIGN_IN_EXPIRED).min(1, SIGN_IN_EXPIRED).max(2000, SIGN_IN_EXPIRED),
  code,
});
export type CodeSignIn = z.infer<typeof CodeSignIn>;

/** The form of both. */
export const CodeForm = z.strictObject({ code });
export type CodeForm = z.infer<typeof CodeForm>;

/** What proves during a session who its user is: one of the three. */
export const Proof = z.union([
  z.strictObject({ currentPassword }),
  z.strictObject({ passkey: PasskeySignIn }),
  z.strictObject({ code }),
]);
export type Proof = z.infer<typeof Proof>;

/** API tokens of one user. */
export const MOST_TOKENS = 50;

/** Days after which a token expires. */
export const TOKEN_DAYS = [30, 90, 365] as const;

export const NewToken = z.strictObject({
  name: line(60, "Name must be at most 60 characters").min(1, "Name is required"),
  scopes: z
    .array(z.enum(SCOPES, "Choose what the program may do."))
    .max(SCOPES.length)
    .transform((given) => SCOPES.filter((scope) => given.includes(scope)))
    .refine((scopes) => scopes.length > 0, "Choose what the program may do."),
  /** Null: it does not expire. */
  days: z.literal(TOKEN_DAYS, "Choose when it expires.").nullable(),
});
export type NewToken = z.input<typeof NewToken>;

export type ApiToken = {
  id: string;
  name: string;
  scopes: Scope[];
  /** The owner's address. */
  owner: string;
  isYours: boolean;
  createdAt: number;
  expiresAt: number | null;
  isExpired: boolean;
  /** At most a minute old. */
  lastUsedAt: number | null;
};

/** The one answer that has the secret. */
export type CreatedToken = ApiToken & { secret: string };
/** The second factor of the signed-in user. */
export type SecondFactor = {
  /** When the app was switched on; null without one. */
  enabledAt: number | null;
  /** Recovery codes that are left. */
  recoveryCodes: number;
};

/** What an authenticator app needs. The only answer that has the secret. */
export type Enrolment = {
  /** In base32, to be typed by hand. */
  secret: string;
  /** The same as an `otpauth:` address, for an app on this device. */
  uri: string;
  /** The address as SVG. */
  qrCode: string;
};

/** The only answer that has the codes. */
export type RecoveryCodes = { codes: string[] };

/** Days that users without a second factor have, once their role needs one. */
export const GRACE_DAYS = [0, 7, 14, 30] as const;

/** The roles that need a second factor. */
export const FactorRulesChange = z.strictObject({
  roles: z
    .array(z.enum(ROLES, "Choose a role"))
    .max(ROLES.length)
    .transform((given) => ROLES.filter((role) => given.includes(role))),
  graceDays: z.literal(GRACE_DAYS, "Choose how many days users have"),
});
export type FactorRulesChange = z.input<typeof FactorRulesChange>;

export type FactorRules = { roles: Role[]; graceDays: number };

export const AccountChange = z.strictObject({ fullName });
export type AccountChange = z.infer<typeof AccountChange>;

const role = z.enum(ROLES, "Choose a role");

/** Without a password the user is invited to choose one. */
export const UserInput = z.strictObject({
  email,
  fullName,
  role: role.default("user"),
  password: NewPassword.optional(),
});
export type UserInput = z.input<typeof UserInput>;

/** `basedOn` is the `updatedAt` that the change was made from; refused when there is a newer one. */
export const UserChange = z
  .strictObject({ email, fullName, role, password: NewPassword, isActive: z.boolean() })
  .partial()
  .extend({ basedOn: z.int().positive().optional() });
export type UserChange = z.infer<typeof UserChange>;

/** The query of the list of users. `after` is the previous page's `next`: the last address. */
export const UserListQuery = z.strictObject({ after: z.string().max(254).optional() });

/** The signed-in user, as the admin area shows them. */
export type Admin = { id: string; email: string; fullName: string; role: Role };
/** The user, or after the password what the second step needs. */
export type SignInAnswer = Admin | { signIn: string };

export type Account = Admin & {
  /** A new address that is not confirmed yet. */
  pendingEmail: string | null;
};

/** A user, as the Users tab shows them. */
export type UserSummary = Account & {
  /** invited: has no password yet; unverified: the address is not confirmed yet. */
  state: "active" | "invited" | "unverified" | "disabled";
  /** Milliseconds UTC, as all times here. */
  createdAt: number;
  updatedAt: number;
  lastSeenAt: number | null;
  isYou: boolean;
  allowed: Allowed;
};

/** The same of one user. */
export type UserDetails = UserSummary & {
  /** An authenticator app or a passkey, which the signed-in user may remove. */
  mayResetFactor: boolean;
};

/** What the signed-in user may do with a user. */
export type Allowed = {
  edit: boolean;
  /** The roles that may be assigned, the current one included; a single one is fixed. */
  roles: Role[];
  disable: boolean;
  remove: boolean;
};

/** A browser that is signed in. */
export type Session = {
  id: string;
  isCurrent: boolean;
  device: string;
  address: string;
  createdAt: number;
  seenAt: number;
};

export const SECURITY_EVENTS = [
  "login",
  "login_failed",
  "logout",
  "identity_confirmed",
  "session_ended",
  "sessions_ended",
  "setup_started",
  "address_confirmed",
  "reset_requested",
  "password_reset",
  "password_changed",
  "password_refused",
  "access_refused",
  "session_refused",
  "origin_refused",
  "link_refused",
  "signature_refused",
  "limit_reached",
  "input_refused",
  "log_exported",
  "subscribers_exported",
  "members_exported",
  "member_added",
  "member_changed",
  "member_ended",
  "member_deleted",
  "member_feed_revoked",
  "site_exported",
  "site_restored",
  "person_exported",
  "person_deleted",
  "enquiries_exported",
  "import_undone",
  "item_erased",
  "user_created",
  "user_invited",
  "user_changed",
  "role_changed",
  "user_disabled",
  "user_enabled",
  "user_deleted",
  "invitation_accepted",
  "address_change_requested",
  "address_changed",
  "passkey_added",
  "passkey_renamed",
  "passkey_removed",
  "passkey_refused",
  "token_created",
  "token_revoked",
  "token_wrote",
  "code_asked",
  "code_refused",
  "not_me",
  "second_factor_on",
  "second_factor_off",
  "second_factor_reset",
  "factor_rules_changed",
  "recovery_codes_made",
  "recovery_code_used",
  "tags_changed",
  "op3_changed",
  "preload_changed",
  "alerts_changed",
  "password_service_changed",
  "contact_changed",
  "reply_to_changed",
  "retention_changed",
  "webhook_added",
  "webhook_changed",
  "webhook_secret_changed",
  "transcription_changed",
  "transcription_key_changed",
  "payment_keys_changed",
  "proposals_changed",
  "proposals_key_changed",
  "webhook_removed",
  "signing_key_replaced",
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENTS)[number];

/** The events as the owner reads them. */
export const securityEventNames: Record<SecurityEventKind, string> = {
  login: "Signed in",
  login_failed: "Sign-in refused",
  logout: "Signed out",
  identity_confirmed: "Identity confirmed",
  session_ended: "A device was signed out",
  sessions_ended: "All other devices were signed out",
  setup_started: "Set-up started",
  address_confirmed: "Email address confirmed",
  reset_requested: "Password reset requested",
  password_reset: "Password reset",
  password_changed: "Password changed",
  password_refused: "Current password refused",
  access_refused: "Access refused",
  session_refused: "Ended session or invalid token refused",
  origin_refused: "Request of another site refused",
  link_refused: "Invalid or expired link refused",
  signature_refused: "Unsigned report refused",
  limit_reached: "Too many requests refused",
  input_refused: "Input refused that no form sends, or too often",
  log_exported: "Security log exported",
  subscribers_exported: "Subscribers exported",
  members_exported: "Members exported",
  member_added: "Member added",
  member_changed: "Membership changed",
  member_ended: "Membership ended",
  member_deleted: "Member deleted",
  member_feed_revoked: "Private feed revoked",
  site_exported: "Site exported",
  site_restored: "Site restored from an archive",
  person_exported: "A person’s data exported",
  person_deleted: "A person’s data deleted",
  enquiries_exported: "Enquiries exported",
  import_undone: "Import undone",
  item_erased: "Deleted for good from the bin",
  user_invited: "Invited",
  user_created: "User added",
  user_changed: "Details changed",
  role_changed: "Role changed",
  user_disabled: "Sign-in switched off",
  user_enabled: "Sign-in switched on",
  user_deleted: "User deleted",
  invitation_accepted: "Invitation accepted",
  address_change_requested: "New email address requested",
  address_changed: "Email address changed",
  passkey_added: "Passkey added",
  passkey_renamed: "Passkey renamed",
  passkey_removed: "Passkey removed",
  passkey_refused: "Passkey refused: it may have been copied",
  token_created: "API token made",
  token_revoked: "API token revoked",
  token_wrote: "Changed by a token",
  code_asked: "Right password, code asked for",
  code_refused: "Code refused",
  not_me: "“It was not me”: signed out everywhere",
  second_factor_on: "Authenticator app switched on",
  second_factor_off: "Authenticator app switched off",
  second_factor_reset: "Second factor reset",
  factor_rules_changed: "Required second factor changed",
  recovery_codes_made: "New recovery codes",
  recovery_code_used: "Recovery code used",
  tags_changed: "Tag manager changed",
  op3_changed: "OP3 prefix changed",
  preload_changed: "Preload list changed",
  alerts_changed: "Emails about events changed",
  password_service_changed: "Service of leaked passwords changed",
  contact_changed: "Contact address changed",
  reply_to_changed: "Reply-To address changed",
  retention_changed: "Retention of enquiries and comments changed",
  webhook_added: "Webhook added",
  webhook_changed: "Webhook changed",
  webhook_secret_changed: "Secret of a webhook changed",
  transcription_changed: "Service that transcribes changed",
  payment_keys_changed: "Keys of the payment service changed",
  transcription_key_changed: "Key of the service that transcribes changed",
  proposals_changed: "Service that proposes texts changed",
  proposals_key_changed: "Key of the service that proposes texts changed",
  webhook_removed: "Webhook removed",
  signing_key_replaced: "Signing key replaced",
};

/** Denied attempts, which may be an attack. */
const DENIALS: SecurityEventKind[] = [
  "login_failed",
  "password_refused",
  "passkey_refused",
  "code_refused",
  "access_refused",
  "session_refused",
  "origin_refused",
  "link_refused",
  "signature_refused",
  "limit_reached",
  "input_refused",
];
export const isDenial = (kind: SecurityEventKind) => DENIALS.includes(kind);

/** The query of the list. `user` is an account's address: of what was done to it, and by it. */
export const SecurityEventQuery = ListQuery.extend({
  kind: z.enum(SECURITY_EVENTS).optional(),
  user: z.string().max(254).optional(),
  /** Milliseconds UTC; `until` is exclusive. */
  since: z.coerce.number().int().min(0).optional(),
  until: z.coerce.number().int().min(0).optional(),
  /** Words of the addresses, the browser and the detail. */
  q: z.string().max(200).optional(),
});
export type SecurityEventQuery = z.input<typeof SecurityEventQuery>;

/** An entry of the audit log and its hash in the chain. */
export type LogHead = { id: number; hash: string };

/**
 * An entry that does not match. `unlinked`: it does not follow the one before it, so it was changed or inserted, or the one before
 * it was removed. `changed`: its addresses or detail were.
 */
export type LogFault = {
  id: number;
  is: "unlinked" | "changed" | "missing" | "end missing" | "other than a copy";
};

/** The same for the owner. */
export const logFaultWords: Record<LogFault["is"], (id: number) => string> = {
  unlinked: (id) =>
    `Entry ${id} doesn’t follow the one before it: it was changed or inserted, or the one before it removed.`,
  changed: (id) => `The addresses or details of entry ${id} were changed.`,
  missing: (id) => `Entry ${id} was removed.`,
  "end missing": (id) => `The entries after ${id} were removed.`,
  "other than a copy": (id) =>
    `Up to entry ${id}, the log isn’t the one in the nightly copies. That is expected only after a restore.`,
};

export type LogCheckSum = {
  /** Entries that match. */
  checked: number;
  /** Entries without their personal data, which was erased. */
  erased: number;
  /** In the order of their entries, and how many there are beyond them. */
  faults: LogFault[];
  more: number;
  /** Nightly copies whose heads of the chain were compared. */
  copies: number;
};

/** The result of a request of a check. `next`: where the check continues; null at the end. */
export type LogCheck = LogCheckSum & { next: number | null };

/** The result of a night's check. */
export type LogCheckResult = LogCheckSum & { finishedAt: number };

/** Listed faults of a check; the others are counted. */
const MOST_FAULTS = 20;

export const NOTHING_CHECKED: LogCheckSum = { checked: 0, erased: 0, faults: [], more: 0, copies: 0 };

/** The results of the requests of a check so far, and of the next. */
export function addLogChecks(sum: LogCheckSum, part: LogCheckSum): LogCheckSum {
  const faults = [...sum.faults, ...part.faults];
  return {
    checked: sum.checked + part.checked,
    erased: sum.erased + part.erased,
    more: sum.more + part.more + Math.max(0, faults.length - MOST_FAULTS),
    faults: faults.slice(0, MOST_FAULTS),
    copies: part.copies,
  };
}

export const LogCheckQuery = z.strictObject({ after: z.coerce.number().int().min(0).optional() });

export type SecurityEvent = {
  id: string;
  kind: SecurityEventKind;
  at: number;
  /** The account's address; for a failed login the address as typed. */
  email: string;
  /** The user who did it, if not the account's own. */
  by: string | null;
  address: string;
  device: string;
  detail: string | null;
};
/** The key of sessions and signed links. */
export type SigningKeyState = {
  /** Milliseconds UTC since which the newest one signs; null before the first. */
  since: number | null;
  mayReplace: boolean;
};

/** The state of the setup. The address is shown only until an admin is set up, so that it does not become a target. */
export type SetupState =
  | { state: "done" }
  | {
      /** pending: the form was sent, its address is not confirmed yet. */
      state: "open" | "pending";
      email: string;
      /** ADMIN_EMAIL still has the project's default. */
      isDemoAddress: boolean;
      mailDestination: MailDestination;
    };

/** Why a mailed link does not work. used: or invalidated by a later change of the account. */
export type LinkFault = "missing" | "invalid" | "expired" | "used";
export type BrokenLink = { state: LinkFault; message: string };

/** The state of a verification link before it is confirmed. */
export type VerificationLink =
  | {
      state: "ready";
      /** The set-up, an added user, or a new address. */
      kind: "setup" | "user" | "address";
      email: string;
      fullName: string;
      /** Only for the set-up, except in the browser that sent its form within the last hour. */
      needsPassword: boolean;
    }
  | BrokenLink;

/** The state of a reset or invitation link. */
export type PasswordLink = { state: "ready"; email: string; fullName: string } | BrokenLink;

/** The state of the link of a notice. */
export type DenialLink = { state: "ready"; email: string } | BrokenLink;
