import { z } from "zod";
import { email } from "#worker/platform/contract.ts";

export const WRONG_CREDENTIALS = "Invalid email or password. Please check your credentials.";
export const INVALID_LINK = "Invalid verification link";
/** The page tells this state from the others by the word expired. */
export const EXPIRED_LINK = "This verification link has expired. Please request a new one.";

/** Long enough for any sentence; scrypt takes the same time for each. */
const MAX_PASSWORD = 200;

const newPassword = z
  .string("Password is required")
  .min(1, "Password is required")
  .min(8, "Password must be at least 8 characters")
  .max(MAX_PASSWORD, `Password must be at most ${MAX_PASSWORD} characters`);

export const SetupInput = z.strictObject({
  email,
  fullName: z
    .string("Full name is required")
    .trim()
    .min(1, "Full name is required")
    .max(100, "Full name must be at most 100 characters")
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Full name must be on one line"),
  password: newPassword,
});
export type SetupInput = z.infer<typeof SetupInput>;

/** The form, which asks for the password twice. */
export const SetupForm = SetupInput.extend({ confirmPassword: z.string() }).refine(
  ({ password, confirmPassword }) => password === confirmPassword,
  { path: ["confirmPassword"], message: "Passwords do not match" },
);

export const LoginInput = z.strictObject({
  email: z
    .string("Email is required")
    .trim()
    .toLowerCase()
    .min(1, "Email is required")
    .max(254, WRONG_CREDENTIALS),
  password: z
    .string("Password is required")
    .min(1, "Password is required")
    .max(MAX_PASSWORD, WRONG_CREDENTIALS),
});
export type LoginInput = z.infer<typeof LoginInput>;

export const VerificationRequest = z.strictObject({ email });

export const VerificationConfirm = z.strictObject({
  token: z.string(INVALID_LINK).min(1, INVALID_LINK).max(2000, INVALID_LINK),
});

/** Who is signed in, as the admin area shows it. */
export type Admin = {
  id: string;
  email: string;
  fullName: string;
  role: "super_admin" | "admin" | "editor" | "user";
};

/**
 * How far the set-up is. The address is named only while no admin is set up; afterwards nobody is told whom to attack.
 */
export type SetupState =
  | { state: "done" }
  | {
      /** pending: the form was sent, its address is not confirmed yet. */
      state: "open" | "pending";
      email: string;
      /** ADMIN_EMAIL still has the value that the project came with. */
      isDemoAddress: boolean;
      /** Mails stay on this machine: they are printed on the console. */
      mailsStayHere: boolean;
    };

/** What a verification link leads to before anything is confirmed. */
export type VerificationLink =
  { state: "ready"; email: string; fullName: string } | { state: "expired" | "invalid"; message: string };
