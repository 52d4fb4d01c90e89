import { z } from "zod";

/** Kinds of bounces that no later letter would get past. The others may: a full mailbox, a server that is away. */
const PERMANENT = "Permanent";

const words = z.string().default("");
/** A list, of which our mails have one; or a service sends the address by itself. */
const to = z.union([z.array(z.string()), z.string().transform((address) => [address])]).default([]);
const email = { email_id: z.string().default(""), to };
const bounce = z.object({ type: words, subType: words, message: words });

/** What a provider reports of a mail, in the form of Resend's webhooks. What it reports besides is not ours. */
export const MailEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("email.delivered"), data: z.object(email) }),
  z.object({ type: z.literal("email.complained"), data: z.object(email) }),
  z.object({ type: z.literal("email.bounced"), data: z.object({ ...email, bounce }) }),
  /** Not sent at all, since the address bounced or complained before, perhaps of another sender. */
  z.object({
    type: z.literal("email.suppressed"),
    data: z.object({ ...email, suppressed: z.object({ message: words }).default({ message: "" }) }),
  }),
]);
export type MailEvent = z.infer<typeof MailEvent>;

export const isPermanent = ({ type }: z.infer<typeof bounce>) => type === PERMANENT;
