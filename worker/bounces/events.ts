import { z } from "zod";

/** The type of permanent bounces. Others are temporary: a full mailbox, a server that is down. */
const PERMANENT = "Permanent";

const words = z.string().default("");
/** A list with one address; some services send a plain string. */
const to = z.union([z.array(z.string()), z.string().transform((address) => [address])]).default([]);
const email = { email_id: z.string().default(""), to };
const bounce = z.object({ type: words, subType: words, message: words });

/** A provider's report of an email, in the format of Resend's webhooks. Other events are ignored. */
export const MailEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("email.delivered"), data: z.object(email) }),
  z.object({ type: z.literal("email.complained"), data: z.object(email) }),
  z.object({ type: z.literal("email.bounced"), data: z.object({ ...email, bounce }) }),
  /** Not sent, since the address bounced or complained before, perhaps about another sender. */
  z.object({
    type: z.literal("email.suppressed"),
    data: z.object({ ...email, suppressed: z.object({ message: words }).default({ message: "" }) }),
  }),
]);
export type MailEvent = z.infer<typeof MailEvent>;

export const isPermanent = ({ type }: z.infer<typeof bounce>) => type === PERMANENT;
