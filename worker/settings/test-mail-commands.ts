import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import { composeMail, type Mail } from "#worker/mail/message.ts";
import { letterProvider, mailDestinationOf } from "#worker/mail/providers.ts";
import { letterWayOf } from "#worker/mail/ways.ts";
import { sendMail } from "#worker/mail/transports.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { describeError } from "#worker/platform/log.ts";
import { enforceLimits } from "#worker/platform/http/rate.ts";
import { TestMail, type TestMailResult } from "#worker/settings/contract.ts";
import { readSender } from "#worker/settings/queries.ts";

/** Per hour. */
const MOST = 20;

const names: Record<NonNullable<TestMail["as"]>, string> = { mail: "emails", letter: "letters" };

/**
 * Sends an email to the signed-in user, bypassing the outbox, by the provider of emails or of letters, and returns the
 * mail server's answer. A refusal is a result too.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if no mail server is configured; `too_many`
 */
export async function sendTestMail(ctx: Context, input: TestMail = {}): Promise<TestMailResult> {
  requireCapability("settings", ctx);
  const { as } = parseInput(TestMail, input);
  const { email: to, id } = requireUser(ctx);
  if (!canLeave[as](ctx)) throw new AppError("conflict", "No mail server is set.");
  await enforceLimits(ctx, [{ subject: `test-mail:user:${id}`, most: MOST }]);
  const { siteName, sender } = await readSender(ctx);
  const mail = composeMail(ctx, {
    ...sender,
    to,
    subject: `Test email from ${siteName}`,
    parts: [
      `This email was sent from the settings of ${siteName}. It shows that its ${names[as]} arrive.`,
      { label: "Open the site", href: ctx.config.siteUrl },
    ],
  });
  try {
    return { to, ...(await send[as](ctx, mail)) };
  } catch (error) {
    return { to, isAccepted: false, answer: describeError(error) };
  }
}

const canLeave = {
  mail: (ctx: Context) => mailDestinationOf(ctx) === "mailbox",
  letter: (ctx: Context) => letterWayOf(ctx) === "smtp" || letterWayOf(ctx) === "resend",
};

const send = {
  mail: async (ctx: Context, mail: Mail) => ({ isAccepted: true, answer: await sendMail(ctx, mail) }),
  async letter(ctx: Context, mail: Mail) {
    const session = await letterProvider(ctx)!.open();
    try {
      const [outcome] = await session.send([mail], { key: mail.messageId });
      if (!outcome || outcome.state === "untried") throw new Error("The letter was not submitted.");
      return { isAccepted: outcome.state === "sent", answer: outcome.answer };
    } finally {
      session.close();
    }
  },
};
